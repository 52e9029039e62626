// What the cases of the conformance suite share: who is tried on what, and what must come out.
//
// Every case is named backend_data_measure, so that --gtest_filter='*cpu_*' tries one backend.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "backends/data_sets.hpp"
#include "backends/device/device_backend.hpp"
#include "backends/plain_walk.hpp"
#include "navvy/version.hpp"
#include "support/directions.hpp"
#include "support/effort.hpp"
#include "support/tried_devices.hpp"

namespace navvy::test {

/// All that a call into a backend needs.
struct Call {
  explicit Call(unsigned threads = 1, ProgressCallback asked = {})
      : callback(std::move(asked)), run(threads, std::uint64_t{1} << 30U, monitor, workspaces) {}

  ProgressCallback callback;
  core::Monitor monitor{callback};
  core::Workspaces workspaces;
  backends::Run run;
};

struct Case {
  std::string backend;
  std::string data;
  std::string measure;

  friend std::ostream& operator<<(std::ostream& out, const Case& which) {
    return out << which.backend << ' ' << which.data << ' ' << which.measure;
  }
};

inline std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.backend + "_" + info.param.data + "_" + info.param.measure;
  std::erase_if(name, [](char c) { return c == '-'; });
  std::ranges::replace(name, ':', '_');
  return name;
}

/// The reference rounds the double itself. All others have the bits of the plain walk.
inline bool walks_in_float(std::string_view backend) { return backend != "reference"; }

/// Whether a backend is one of devices.
inline bool is_device(std::string_view backend) { return backends::is_device_name(backend); }

/// All backends but the one that is the default under the name of its kernels. Sanitizers see the
/// other kernels in tests/kernels, and tables of few queries where there are many.
inline std::vector<const backends::Backend*> tried_backends() {
  std::vector<const backends::Backend*> tried;
  for (const std::string& name : tried_devices()) tried.push_back(&backends::find_backend(name));
  for (const backends::Backend* backend : backends::all_backends()) {
    const bool is_named = backend->name().starts_with("cpu:");
    const bool is_default = backend->name() == "cpu:" + available_kernels().front();
    const bool is_again = sanitized && backend->name() == "cpu-unsigned";
    if (!is_again && (!is_named || !(is_default || sanitized))) tried.push_back(backend);
  }
  return tried;
}

/// Every backend on every one of the data sets and measures.
inline std::vector<Case> cases_of(const std::vector<DataShape>& shapes,
                                  const std::vector<std::string>& measures) {
  std::vector<Case> cases;
  for (const backends::Backend* backend : tried_backends())
    for (const DataShape& shape : shapes)
      for (const std::string& measure : measures)
        cases.push_back({std::string(backend->name()), shape.name, measure});
  return cases;
}

inline const std::vector<std::string>& block_measures() {
  static const std::vector<std::string> names{"bow",   "wcd",   "rwmd",   "omr", "act-1",
                                              "act-3", "act-7", "act-15", "ict"};
  return names;
}

/// The data sets of many rows, for backends that are fast: each with some of the measures where a
/// backend is the default, else with one.
inline std::vector<Case> large_cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* data, const std::vector<std::string>& measures) {
    for (const backends::Backend* backend : tried_backends()) {
      const bool all = backend == backends::all_backends().front() && !sanitized;
      for (std::size_t i = 0; i < (all ? measures.size() : 1); ++i)
        if (walks_in_float(backend->name()))
          cases.push_back({std::string(backend->name()), data, measures[i]});
    }
  };
  add("many_integers", {"act-7", "omr", "act-1", "ict"});
  add("many_background", {"omr", "act-3"});
  add("many_reals", {"act-15", "wcd"});
  add("many_words", {"act-1", "bow"});
  return cases;
}

/// What must come out of a backend for a task, to the bit.
class Expected {
 public:
  Expected(const std::string& backend, const DataSet& data, const backends::Task& task)
      : data_(data), task_(task), plain_(data.set, data.shape.threshold, task) {
    walks_ = walks_in_float(backend);
  }

  /// The distances of all rows to a query; NaN for rows without weight.
  std::vector<float> of(const Histogram& query) {
    if (walks_) return plain_.of(query);
    std::vector<float> distances(data_.set.rows.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t row = 0; row < distances.size(); ++row)
      if (!is_empty(query) && !is_empty(data_.set.rows[row]))
        distances[row] = static_cast<float>(in_double(query, row));
    return distances;
  }

  [[nodiscard]] double in_double(const Histogram& query, std::size_t row) const {
    return true_distance(data_.set, data_.shape.threshold, task_, query, data_.set.rows[row]);
  }

  /// How far a float may be from in_double().
  [[nodiscard]] double error() const {
    std::size_t bins = 1;
    for (const Histograms* rows : {&data_.set.rows, &data_.queries})
      for (std::size_t row = 0; row < rows->size(); ++row)
        bins = std::max(bins, (*rows)[row].size());
    return float_error(plain_.ground(), task_.measure, bins);
  }

 private:
  const DataSet& data_;
  backends::Task task_;
  PlainDistances plain_;
  bool walks_;
};

/// A backend with the rows of a data set.
class Conformance : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    rows_ = backends::find_backend(GetParam().backend)
                .prepare(data_.set, data_.shape.threshold, setup_.run);
    for (std::uint32_t row = 0; row < rows_->rows(); ++row)
      if (!rows_->is_empty(row)) with_weight_.push_back(row);
  }

  [[nodiscard]] backends::Task task(Direction direction = Direction::symmetric) const {
    return {parse_measure(GetParam().measure), direction, {}, 0};
  }

  /// What the distances of a query in one direction must be. Made once: that is what takes time.
  [[nodiscard]] Expected& expected(Direction direction) {
    auto& made = expected_[static_cast<std::size_t>(direction.way)];
    if (!made) made = std::make_unique<Expected>(GetParam().backend, data_, task(direction));
    return *made;
  }
  const std::vector<float>& expected(Direction direction, const Histogram& query) {
    std::vector<float>& made =
        distances_[{direction.way, query.coordinates.data(), query.coordinates.size()}];
    if (made.empty()) made = expected(direction).of(query);
    return made;
  }

  /// Measures that look the same from both sides are tried in one direction.
  [[nodiscard]] std::vector<Direction> directions() const {
    if (!is_relaxation(task().measure)) return {Direction::symmetric};
    return {std::begin(every_direction), std::end(every_direction)};
  }

  Call setup_;
  const DataSet& data_ = data_set(GetParam().data);
  std::unique_ptr<const backends::PreparedRows> rows_;
  std::vector<std::uint32_t> with_weight_;

 private:
  std::array<std::unique_ptr<Expected>, std::size(every_direction)> expected_;
  std::map<std::tuple<Direction::Way, const void*, std::size_t>, std::vector<float>> distances_;
};

}  // namespace navvy::test
