// Calls on an index, brought to the searcher of the device that they name.
#include "handle.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "navvy/devices.hpp"

namespace navvy::python {
namespace {

/// A matrix of so many columns that takes in lines as they come.
struct Lines {
  Lines(std::size_t count, std::size_t columns) : width(columns), values(count * columns) {}

  DistanceSink sink() {
    return [this](std::size_t first, std::size_t, std::span<const float> lines) {
      std::ranges::copy(lines, values.begin() + static_cast<std::ptrdiff_t>(first * width));
    };
  }

  std::size_t width;
  std::vector<float> values;
};

// "7" or "-7" as Python writes it.
bool is_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && std::to_string(value) == text;
}

// Rows that came later may have other labels.
bool labels_are_integers(const Index& index) {
  const auto type = index.properties.find(label_type_property);
  if (type == index.properties.end() || type->second != "integers") return false;
  for (std::size_t i = 0; i < index.label_names.size(); ++i)
    if (!is_integer(index.label_names[i])) return false;
  return true;
}

}  // namespace

bool Handle::has_integer_labels() const {
  std::call_once(labels_seen_, [this] { integer_labels_ = labels_are_integers(index_); });
  return integer_labels_;
}

Handle::Ready Handle::ready_for(const Options& options) {
  const std::string backend = device_backend(options.device);
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = searchers_.find(backend); found != searchers_.end())
      return found->second;
  }
  // Opening a device may take long: a fork must not find the lock held meanwhile.
  auto made = std::make_shared<const Searcher>(index_, backend);
  const std::scoped_lock lock(mutex_);
  return searchers_.try_emplace(backend, std::move(made)).first->second;
}

Matches Handle::search(const Index& queries, const Options& options) {
  return ready_for(options)->search(queries.rows, queries.vocabulary, options);
}

Matches Handle::search_rows(std::span<const std::uint32_t> rows, const Options& options) {
  return ready_for(options)->search_rows(rows, options);
}

Matches Handle::knn(const Options& options) { return ready_for(options)->knn(options); }

std::pair<std::vector<float>, std::uint64_t> Handle::distances(const Range& queries,
                                                               const Range& rows,
                                                               const Options& options) {
  Lines lines(queries.second - queries.first, rows.second - rows.first);
  const std::uint64_t unconverged =
      ready_for(options)->distances({queries.first, queries.second, rows.first, rows.second},
                                    options.question, options.run, lines.sink());
  return {std::move(lines.values), unconverged};
}

std::pair<std::vector<double>, std::uint64_t> Handle::distances(const Index& queries,
                                                                const Range& rows,
                                                                const Options& options) {
  std::vector<double> values;
  values.reserve(queries.rows.size() * (rows.second - rows.first));
  const std::uint64_t unconverged = ready_for(options)->distances(
      queries.rows, queries.vocabulary, {rows.first, rows.second}, options.question, options.run,
      [&](std::size_t, std::span<const double> line) {
        values.insert(values.end(), line.begin(), line.end());
      });
  return {std::move(values), unconverged};
}

Evaluation Handle::evaluate(const Sampling& sampling, const Test* test, const Options& options) {
  const EvaluateOptions asked{options.question, options.run,   sampling.tops,
                              sampling.queries, sampling.seed, options.among};
  if (test == nullptr) return ready_for(options)->evaluate(asked);
  const Index& queries = test->queries;
  return ready_for(options)->evaluate({queries.rows, queries.vocabulary, test->labels}, asked);
}

}  // namespace navvy::python
