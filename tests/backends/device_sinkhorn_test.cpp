// Sinkhorn on devices against the processor's: within 1e-6 of the largest cost, with the same pairs
// converged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/conformance.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

class DeviceSinkhorn : public testing::TestWithParam<Case> {
 protected:
  struct Found {
    std::vector<double> distances;
    std::uint64_t unconverged = 0;
  };

  /// Of every query with weight to every row with weight.
  Found all(const std::string& backend, const SinkhornOptions& options,
            std::uint64_t device_memory = 0) const {
    Call call(2);
    call.run.device_memory = device_memory;
    const auto rows =
        backends::find_backend(backend).prepare(data_.set, data_.shape.threshold, call.run);
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t row = 0; row < rows->rows(); ++row)
      if (!rows->is_empty(row)) wanted.push_back(row);
    const auto solver = rows->solver({{MeasureKind::sinkhorn, 1}, {}, options, 0}, {}, call.run);
    Found found;
    for (std::size_t query = 0; query < data_.queries.size(); ++query) {
      if (is_empty(data_.queries[query])) continue;
      solver->set_query(data_.queries[query], call.run);
      found.distances.resize(found.distances.size() + wanted.size());
      solver->solve(wanted, std::span(found.distances).last(wanted.size()), call.run);
    }
    found.unconverged = solver->unconverged();
    return found;
  }

  void expect_near(const Found& found, const Found& expected) const {
    const auto ground = backends::Ground::euclidean(data_.set.vocabulary, data_.shape.threshold);
    ASSERT_EQ(found.distances.size(), expected.distances.size());
    for (std::size_t i = 0; i < found.distances.size(); ++i)
      ASSERT_NEAR(found.distances[i], expected.distances[i], 1e-6 * ground.promises().diameter)
          << "pair " << i;
    EXPECT_EQ(found.unconverged, expected.unconverged);
  }

  const std::string& device() const { return GetParam().backend; }

  const DataSet& data_ = data_set(GetParam().data);
};

TEST_P(DeviceSinkhorn, IsNearTheProcessors) { expect_near(all(device(), {}), all("cpu", {})); }

TEST_P(DeviceSinkhorn, IsNearTheProcessorsWhereItStopsEarly) {
  for (const int iterations : {1, 5, 70}) {
    SinkhornOptions hasty;
    hasty.max_iterations = iterations;
    hasty.tolerance = 1e-12;
    expect_near(all(device(), hasty), all("cpu", hasty));
  }
}

TEST_P(DeviceSinkhorn, LeavesPairsThatNeedLogarithmsToTheProcessor) {
  SinkhornOptions strict;
  strict.lambda = 150;
  strict.max_iterations = 50;
  const Found expected = all("cpu", strict);
  const Found found = all(device(), strict);
  EXPECT_EQ(found.distances, expected.distances);  // all of them
  EXPECT_EQ(found.unconverged, expected.unconverged);
  // Those whose largest cost is above two thirds of the scale.
  const auto ground = backends::Ground::euclidean(data_.set.vocabulary, data_.shape.threshold);
  strict.cost_scale = ground.promises().diameter / 2;
  expect_near(all(device(), strict), all("cpu", strict));
}

TEST_P(DeviceSinkhorn, HasTheSameBitsInSmallBatches) {
  SinkhornOptions options;
  options.max_iterations = 20;
  const std::vector<double> expected = all(device(), options).distances;
  std::uint64_t smallest = 0;
  for (std::uint64_t memory = std::uint64_t{1} << 14U; smallest == 0; memory += memory / 4) {
    ASSERT_LT(memory, std::uint64_t{1} << 24U);
    try {
      EXPECT_EQ(all(device(), options, memory).distances, expected) << memory << " bytes";
      smallest = memory;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::limit) << error.what();
    }
  }
}

TEST_P(DeviceSinkhorn, HasTheSameBitsWhenQueryAndRowAreExchanged) {
  Call call(1);
  const auto rows =
      backends::find_backend(device()).prepare(data_.set, data_.shape.threshold, call.run);
  const auto solver = rows->solver({{MeasureKind::sinkhorn, 1}, {}, {}, 0}, {}, call.run);
  std::vector<std::uint32_t> some;
  for (std::uint32_t row = 0; row < rows->rows() && some.size() < 9; ++row)
    if (!rows->is_empty(row)) some.push_back(row);
  std::vector<std::vector<double>> found;
  for (const std::uint32_t row : some) {
    solver->set_query(data_.set.rows[row], call.run);
    found.emplace_back(some.size());
    solver->solve(some, found.back(), call.run);
  }
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(found[i][j], found[j][i]) << i << " and " << j;
}

TEST_P(DeviceSinkhorn, RefusesOptionsOutsideTheirRange) {
  SinkhornOptions wrong;
  wrong.lambda = -1;
  error_of(ErrorCode::usage, [&] { all(device(), wrong); });
}

// Thousands of iterations, so that the stand-in for CUDA, with a thread for each item, would take
// minutes: tests/devices launches the kernels there.
std::vector<Case> device_cases() {
  std::vector<Case> cases;
  for (const std::string& device : tried_devices())
    for (const DataShape& shape : small_shapes())
      if (device.starts_with("opencl:")) cases.push_back({device, shape.name, "sinkhorn"});
  return cases;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeviceSinkhorn);
INSTANTIATE_TEST_SUITE_P(Devices, DeviceSinkhorn, testing::ValuesIn(device_cases()), case_name);

}  // namespace
}  // namespace navvy::test
