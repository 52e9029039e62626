// Asks devices for the bounds of ict and the processor for its distances.
#include "backends/device/ict.hpp"

#include <algorithm>
#include <utility>

#include "backends/cpu/tables/levels.hpp"
#include "backends/device/device_queries.hpp"
#include "core/direction.hpp"

namespace navvy::backends {
namespace {

class IctBlock : public QueryBlock {
 public:
  IctBlock(std::unique_ptr<QueryBlock> bounds, std::unique_ptr<QueryAgainstRows> pairs,
           Direction direction)
      : bounds_(std::move(bounds)),
        pairs_(std::move(pairs)),
        direction_(direction),
        forward_(core::moves_rows(direction)),
        backward_(core::moves_query(direction)) {}

  [[nodiscard]] std::size_t block() const noexcept override { return bounds_->block(); }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    queries_ = &queries;
    run_ = &run;
    if (forward_) bounds_->prepare(queries, range, run);
  }

  Bounds bounds(std::size_t query) override {
    pairs_->set_query((*queries_)[query], *run_);
    if (!forward_) return {};
    Bounds found = bounds_->bounds(query);
    found.exact = false;  // tables end before the levels of ict do
    found.share = core::combined(direction_, 1.0, 0.0);
    return found;
  }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) override {
    constexpr std::size_t together = 16;
    run.pool.run((rows.size() + together - 1) / together, [&](std::size_t part, unsigned thread) {
      const std::size_t last = std::min((part + 1) * together, rows.size());
      for (std::size_t i = part * together; i < last; ++i) out[i] = distance(rows[i], thread);
    });
  }

 private:
  [[nodiscard]] float distance(std::uint32_t row, unsigned thread) {
    const float there = forward_ ? pairs_->into_query(row, thread) : 0;
    const float back = backward_ ? pairs_->into_row(row, thread) : 0;
    return core::combined(direction_, there, back);
  }

  std::unique_ptr<QueryBlock> bounds_;
  std::unique_ptr<QueryAgainstRows> pairs_;
  Direction direction_;
  bool forward_, backward_;
  const Histograms* queries_ = nullptr;
  Run* run_ = nullptr;
};

}  // namespace

std::unique_ptr<QueryBlock> ict_queries(DeviceRowsList devices,
                                        std::unique_ptr<QueryAgainstRows> pairs,
                                        Direction direction, std::size_t queries, Run& run) {
  const Task bound{{MeasureKind::act, ict_levels - 1}, Direction::database_to_query, {}, 0};
  return std::make_unique<IctBlock>(device_queries(devices, bound, queries, run), std::move(pairs),
                                    direction);
}

}  // namespace navvy::backends
