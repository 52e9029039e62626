// Rows into queries for all rows at once, and queries into chosen rows.
#include "backends/device/device_queries.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/device/device_measure.hpp"
#include "core/buffer.hpp"
#include "core/direction.hpp"

namespace navvy::backends {
namespace {

// Rows are moved into a query in parts, so that the costs of a large index need not be on the
// device at once.
constexpr std::size_t rows_at_once = 65536;

// What is chosen of the rows for the other direction: their bins one after the other.
struct ChosenBins {
  std::vector<std::uint32_t> starts{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;

  void add(const Histogram& row) {
    coordinates.insert(coordinates.end(), row.coordinates.begin(), row.coordinates.end());
    weights.insert(weights.end(), row.weights.begin(), row.weights.end());
    starts.push_back(number(coordinates.size()));
  }
};

class DeviceBlock : public QueryBlock {
 public:
  DeviceBlock(const DeviceRows& rows, const Task& task, std::size_t queries, Run& run)
      : rows_(rows),
        measure_(rows, task.measure),
        direction_(measure_.is_symmetric() ? Direction::database_to_query : task.direction),
        forward_(core::moves_rows(direction_)),
        backward_(core::moves_query(direction_)),
        device_(rows.work(run.device_memory)),
        block_(std::min({std::max<std::size_t>(queries, 1), DeviceMeasure::block,
                         task.batch != 0 ? task.batch : DeviceMeasure::block})) {
    // One at a time where there is no room for more.
    if (block_ > 1 && !(device_.budget().fits(needed(DeviceMeasure::block)) &&
                        run.budget.fits(costs_of(DeviceMeasure::block) * sizeof(float))))
      block_ = 1;
    if (forward_) costs_ = run.buffer<float>(costs_of(lanes_for(block_)), "the costs of queries");
  }

  [[nodiscard]] std::size_t block() const noexcept override { return block_; }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    queries_ = &queries;
    range_ = range;
    lanes_ = lanes_for(range.size());
    on_device_ = DeviceHistograms();
    on_device_ = copy_histograms(device_, rows_.set().vocabulary, queries, range, false);
    if (!forward_) return;
    measure_.make_tables(device_, {queries, range.begin, on_device_, 0, range.size()}, lanes_,
                         tables_);
    const std::size_t step = lanes_ == 1 ? rows_.size() : std::min(rows_at_once, rows_.size());
    device_.require(row_costs_, step * lanes_, "the costs of queries");
    for (std::size_t first = 0; first < rows_.size(); first += step) {
      const Range some{first, std::min(first + step, rows_.size())};
      measure_.costs(device_, some, tables_, row_costs_, lanes_);
      device_.read<float>(row_costs_, 0,
                          costs_.span().subspan(first * lanes_, some.size() * lanes_));
      run.monitor.throw_if_stopped();
    }
  }

  Bounds bounds(std::size_t query) override {
    chosen_ = query;
    if (!forward_) return {};
    return {costs_.data() + (query - range_.begin), lanes_, !backward_,
            core::combined(direction_, 1.0, 0.0)};
  }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) override {
    std::fill(out.begin(), out.end(), 0.0F);
    if (backward_) into_rows(rows, out, run);
    if (!forward_) return;
    for (std::size_t i = 0; i < rows.size(); ++i)
      out[i] =
          core::combined(direction_, costs_[rows[i] * lanes_ + chosen_ - range_.begin], out[i]);
  }

 private:
  static std::size_t lanes_for(std::size_t queries) noexcept {
    return queries == 1 ? 1 : DeviceMeasure::block;
  }
  [[nodiscard]] std::size_t costs_of(std::size_t lanes) const noexcept {
    return rows_.size() * lanes;
  }
  [[nodiscard]] std::uint64_t needed(std::size_t lanes) const noexcept {
    return 2 * (lanes * measure_.table_bytes() + measure_.making_bytes(lanes, false)) +
           std::min(rows_at_once, rows_.size()) * lanes * sizeof(float);
  }

  // Of the chosen query on the device: where its bins begin there, and how far planes are apart.
  struct Chosen {
    std::uint64_t first = 0;
    std::size_t bins = 0;
    std::size_t stride = 0;
  };
  [[nodiscard]] Chosen chosen_query() const {
    Chosen query;
    for (std::size_t i = range_.begin; i < chosen_; ++i) query.first += (*queries_)[i].size();
    query.bins = (*queries_)[chosen_].size();
    query.stride = (query.bins + 63) / 64 * 64;
    return query;
  }

  // The cost of moving the chosen query into rows over a small support.
  void into_rows_sorted(std::span<const std::uint32_t> rows, std::span<float> out,
                        const DeviceBuffer<DeviceNeighbour>& neighbours, Run& run) {
    constexpr std::size_t most = 4096;
    const Chosen query = chosen_query();
    const DeviceHistograms& bins = rows_.destinations();
    const std::size_t per_row = rows_.coordinates() + measure_.planes() * query.stride;
    const std::size_t fitting = device_.room() / 4 / (per_row * sizeof(float));
    const std::size_t step = std::clamp<std::size_t>(fitting, 1, std::min(most, rows.size()));
    auto numbers = device_.buffer<std::uint32_t>(step, "the numbers of rows");
    const auto spread = device_.buffer<float>(step * rows_.coordinates(), "the weights of rows");
    const auto levels =
        device_.buffer<float>(step * measure_.planes() * query.stride, "the nearest bins of rows");
    const auto costs = device_.buffer<float>(step, "the costs of rows");
    for (std::size_t first = 0; first < rows.size(); first += step) {
      const auto some = rows.subspan(first, std::min(step, rows.size() - first));
      device_.write(numbers, some);
      device_.launch({"query_costs_sorted", measure_.kernel_levels()},
                     {some.size(), 1, device_.items(OnDevice::usual_items)}, neighbours,
                     number(rows_.coordinates()), on_device_.bins, query.first, number(query.bins),
                     bins.offsets, bins.bins, numbers, measure_.levels(), measure_.only_at_zero(),
                     spread, levels, number(query.stride), costs);
      std::uint64_t row_bins = 0;
      for (const std::uint32_t row : some) row_bins += bins.bins_of(row, 1);
      device_.count(Phase::query_costs, query_costs_sorted_work(measure_.work_sizes(), query.bins,
                                                                some.size(), row_bins));
      device_.read<float>(costs, 0, out.subspan(first, some.size()));
      run.monitor.throw_if_stopped();
    }
  }

  // The same from distances between the bins of both, as many rows at a time as there is room for.
  void into_rows(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) {
    if (rows.empty()) return;
    if (const auto* neighbours = rows_.neighbours(device_))
      return into_rows_sorted(rows, out, *neighbours, run);
    const Histogram query = (*queries_)[chosen_];
    const std::size_t stride = chosen_query().stride;
    const auto ids = device_.copy<std::uint32_t>(query.coordinates, "the bins of a query");
    constexpr std::uint64_t usual = std::uint64_t{256} << 20U;
    const std::uint64_t room = std::min(device_.room() / 4, usual);
    for (std::size_t first = 0; first < rows.size();) {
      ChosenBins chosen;
      std::size_t last = first;
      while (last < rows.size()) {
        const std::size_t bins = chosen.coordinates.size() + rows_.set().rows[rows[last]].size();
        const std::uint64_t bytes =
            (bins + (last - first + 1) * measure_.planes()) * stride * sizeof(float);
        if (last > first && bytes > room) break;
        chosen.add(rows_.set().rows[rows[last++]]);
      }
      into_chosen(chosen, {ids, 0, query.size()}, stride, out.subspan(first, last - first));
      first = last;
      run.monitor.throw_if_stopped();
    }
  }

  void into_chosen(const ChosenBins& chosen, const DeviceRows::Ids& query, std::size_t stride,
                   std::span<float> out) {
    const std::size_t bins = chosen.coordinates.size();
    const auto words = device_.copy<std::uint32_t>(chosen.coordinates, "the bins of rows");
    const auto weights = device_.copy<float>(chosen.weights, "the weights of rows");
    const auto starts = device_.copy<std::uint32_t>(chosen.starts, "the places of rows");
    const auto squares = device_.buffer<float>(bins * stride, "the distances of bins");
    const auto levels =
        device_.buffer<float>(out.size() * measure_.planes() * stride, "the nearest bins of rows");
    const auto costs = device_.buffer<float>(out.size(), "the costs of rows");
    rows_.squares(device_, query, {words, 0, bins}, squares, stride);
    device_.launch({"query_costs", measure_.kernel_levels()},
                   {out.size(), 1, device_.items(OnDevice::usual_items)}, squares, number(stride),
                   on_device_.bins, chosen_query().first, number(query.count), starts, weights,
                   measure_.levels(), measure_.only_at_zero(), levels, costs);
    device_.count(Phase::query_costs,
                  query_costs_work(measure_.work_sizes(), query.count, out.size(), bins));
    device_.read<float>(costs, 0, out);
  }

  const DeviceRows& rows_;
  DeviceMeasure measure_;
  Direction direction_;
  bool forward_, backward_;
  OnDevice device_;
  std::size_t block_;
  std::size_t lanes_ = 1;
  const Histograms* queries_ = nullptr;
  Range range_{0, 0};
  std::size_t chosen_ = 0;
  DeviceHistograms on_device_;
  DeviceTables tables_;
  DeviceBuffer<float> row_costs_;
  core::Buffer<float> costs_;  // [row][lane]
};

// Several devices, each with a part of a block's queries.
class SharedBlock : public QueryBlock {
 public:
  SharedBlock(DeviceRowsList devices, const Task& task, std::size_t queries, Run& run) {
    const std::size_t all = task.batch != 0 ? std::min(task.batch, queries) : queries;
    const std::size_t share = (std::max<std::size_t>(all, 1) + devices.size() - 1) / devices.size();
    for (const auto& rows : devices) {
      const std::size_t own = std::min(share, std::max<std::size_t>(all, 1) - block_);
      if (own == 0) break;
      parts_.push_back({std::make_unique<DeviceBlock>(*rows, task, own, run), {0, 0}});
      block_ += parts_.back().block->block();
    }
  }

  [[nodiscard]] std::size_t block() const noexcept override { return block_; }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    std::size_t begin = range.begin;
    for (Part& part : parts_) {
      part.range = {begin, std::min(begin + part.block->block(), range.end)};
      begin = part.range.end;
    }
    run.pool.run(
        parts_.size(),
        [&](std::size_t number, unsigned) {
          Part& part = parts_[number];
          if (part.range.size() > 0) part.block->prepare(queries, part.range, run);
        },
        &run.monitor);
  }

  Bounds bounds(std::size_t query) override {
    for (Part& part : parts_)
      if (query >= part.range.begin && query < part.range.end) chosen_ = part.block.get();
    return chosen_->bounds(query);
  }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) override {
    chosen_->distances(rows, out, run);
  }

 private:
  struct Part {
    std::unique_ptr<DeviceBlock> block;
    Range range;
  };

  std::vector<Part> parts_;
  std::size_t block_ = 0;
  DeviceBlock* chosen_ = nullptr;
};

}  // namespace

std::unique_ptr<QueryBlock> device_queries(DeviceRowsList devices, const Task& task,
                                           std::size_t queries, Run& run) {
  if (devices.size() == 1)
    return std::make_unique<DeviceBlock>(*devices.front(), task, queries, run);
  return std::make_unique<SharedBlock>(devices, task, queries, run);
}

}  // namespace navvy::backends
