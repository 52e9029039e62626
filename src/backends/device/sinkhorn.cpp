// Batches of pairs on each device, iterated in short launches until all of them are done.
#include "backends/device/sinkhorn.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "backends/device/on_device.hpp"
#include "navvy/error.hpp"
#include "pairwise/metric_emd.hpp"
#include "pairwise/sinkhorn.hpp"

namespace navvy::backends {
namespace {

// What the kernels leave of a pair.
enum State : std::uint32_t { running, converged, out_of_range, nothing_to_move };

// The bins with weight of a histogram, and their weights scaled to sum 1.
struct Side {
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<double> scaled;

  void add(const Histogram& histogram) {
    const std::size_t first = weights.size();
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
      if (histogram.weights[bin] == 0) continue;
      coordinates.push_back(histogram.coordinates[bin]);
      weights.push_back(histogram.weights[bin]);
    }
    const auto own = std::span(weights).subspan(first);
    const double sum = std::accumulate(own.begin(), own.end(), 0.0);
    for (const float weight : own) scaled.push_back(static_cast<double>(weight) / sum);
  }

  [[nodiscard]] std::size_t size() const noexcept { return weights.size(); }
  [[nodiscard]] Histogram histogram(std::size_t first) const {
    return {std::span(coordinates).subspan(first), std::span(weights).subspan(first)};
  }
};

// Some rows, one after the other, against the query.
struct Batch {
  Side rows;
  std::vector<std::uint32_t> starts{0};
  std::vector<std::uint32_t> turned;  // 1 where the query is scaled first

  [[nodiscard]] std::size_t pairs() const noexcept { return turned.size(); }

  void add(const Histogram& row, const Histogram& query) {
    rows.add(row);
    turned.push_back(pairwise::precedes(query, rows.histogram(starts.back())) ? 1 : 0);
    starts.push_back(number(rows.size()));
  }

  [[nodiscard]] std::size_t most_bins() const {
    std::size_t most = 0;
    for (std::size_t i = 0; i < pairs(); ++i)
      most = std::max<std::size_t>(most, starts[i + 1] - starts[i]);
    return most;
  }
};

// On the device, of rows with so many bins together: costs, two kernels and vectors.
std::uint64_t batch_bytes(std::size_t bins, std::size_t pairs, std::size_t query_bins) {
  constexpr std::uint64_t of_entry = sizeof(float) + 2 * sizeof(double);
  constexpr std::uint64_t of_bin = 2 * sizeof(double) + sizeof(double) + sizeof(std::uint32_t);
  constexpr std::uint64_t of_pair = 3 * sizeof(std::uint32_t) + sizeof(double);
  return bins * (query_bins * of_entry + of_bin) +
         pairs * (query_bins * 2 * sizeof(double) + of_pair);
}

// One query on one device.
class SinkhornPart {
 public:
  SinkhornPart(const DeviceRows& rows, const SinkhornOptions& options, const Run& run)
      : rows_(rows), options_(options), device_(rows.work(run.device_memory)) {}

  void set_query(const Side& query) {
    query_ = &query;
    ids_ = device_.copy<std::uint32_t>(query.coordinates, "the bins of a query");
    weights_ = device_.copy<double>(query.scaled, "the weights of a query");
  }

  /// Distances but for those of the pairs in left().
  void solve(std::span<const std::uint32_t> rows, std::span<double> distances, const Run& run) {
    left_.clear();
    std::uint64_t room = std::min(device_.room() / 2, usual_room);
    for (std::size_t first = 0; first < rows.size();) {
      const Batch batch = next(rows.subspan(first), room);
      try {
        solve(batch, first, distances.subspan(first, batch.pairs()), run);
      } catch (const Error& error) {
        // Others take memory at the same time.
        if (error.code() != ErrorCode::limit || batch.pairs() == 1) throw;
        room = batch_bytes(batch.rows.size(), batch.pairs(), query_->size()) / 2;
        continue;
      }
      first += batch.pairs();
      run.monitor.throw_if_stopped();
    }
  }

  /// Places of the last rows whose pairs need logarithms.
  [[nodiscard]] std::span<const std::size_t> left() const noexcept { return left_; }
  [[nodiscard]] std::uint64_t unconverged() const noexcept { return unconverged_; }

 private:
  static constexpr std::uint64_t usual_room = std::uint64_t{512} << 20U;
  static constexpr std::size_t most_bins = 65536;
  static constexpr std::size_t most_items = 128;

  // What the kernels work on. Local to a batch: between calls others may have the memory.
  struct Work {
    std::size_t pairs;
    DeviceBuffer<std::uint32_t> ids, starts, turned, states;
    DeviceBuffer<double> weights, kernels, vectors, costs;
    DeviceBuffer<float> squares;
  };

  // As many rows as there is room for, at least one.
  [[nodiscard]] Batch next(std::span<const std::uint32_t> rows, std::uint64_t room) const {
    Batch batch;
    const Histogram query = query_->histogram(0);
    for (const std::uint32_t row : rows) {
      const Histogram histogram = rows_.set().rows[row];
      const std::size_t bins = batch.rows.size() + histogram.size();
      const bool fits =
          bins <= most_bins && batch_bytes(bins, batch.pairs() + 1, query_->size()) <= room;
      if (batch.pairs() > 0 && !fits) break;
      batch.add(histogram, query);
    }
    return batch;
  }

  Work prepared(const Batch& batch) {
    const std::size_t entries = batch.rows.size() * query_->size();
    const std::size_t vectors = 2 * (batch.rows.size() + batch.pairs() * query_->size());
    Work work{batch.pairs(),
              device_.copy<std::uint32_t>(batch.rows.coordinates, "the bins of rows"),
              device_.copy<std::uint32_t>(batch.starts, "the places of rows"),
              device_.copy<std::uint32_t>(batch.turned, "the order of pairs"),
              device_.buffer<std::uint32_t>(batch.pairs(), "the states of pairs"),
              device_.copy<double>(batch.rows.scaled, "the weights of rows"),
              device_.buffer<double>(2 * entries, "the kernels of pairs"),
              device_.buffer<double>(vectors, "the scaling of pairs"),
              device_.buffer<double>(batch.pairs(), "the costs of pairs"),
              device_.buffer<float>(entries, "the distances of bins")};
    rows_.squares(device_, {ids_, 0, query_->size()}, {work.ids, 0, batch.rows.size()},
                  work.squares, query_->size());
    device_.launch({"sinkhorn_start"}, grid(work), work.squares, number(query_->size()),
                   work.starts, work.turned, work.weights, weights_, options_.lambda,
                   options_.cost_scale, pairwise::plain_limit, work.kernels, work.vectors,
                   work.states);
    device_.count(Phase::sinkhorn, sinkhorn_work(entries, 1));
    return work;
  }

  void scale(const Work& work, double tolerance, std::size_t iterations) {
    device_.launch({"sinkhorn_scale"}, grid(work), number(query_->size()), work.starts, work.turned,
                   work.kernels, work.vectors, tolerance, number(iterations), work.states);
    device_.count(Phase::sinkhorn, sinkhorn_work(work.squares.size(), iterations));
  }

  void solve(const Batch& batch, std::size_t first, std::span<double> distances, const Run& run) {
    // Short launches: drivers of displays end long ones, and callers want to be asked.
    constexpr std::size_t usual_work = std::size_t{1} << 27U;
    const std::size_t pair_work = batch.most_bins() * query_->size();
    const std::size_t together = std::clamp<std::size_t>(usual_work / pair_work, 1, 64);
    const Work work = prepared(batch);
    std::vector<std::uint32_t> states(batch.pairs());
    scale(work, -1.0, 1);  // whose error is that of no plan
    for (auto rest = static_cast<std::size_t>(options_.max_iterations); rest > 0;) {
      const std::size_t some = std::min(rest, together);
      scale(work, options_.tolerance, some);
      rest -= some;
      device_.read<std::uint32_t>(work.states, 0, states);
      if (std::ranges::find(states, std::uint32_t{running}) == states.end()) break;
      run.monitor.throw_if_stopped();
    }
    device_.launch({"sinkhorn_costs"}, grid(work), work.squares, number(query_->size()),
                   work.starts, work.turned, work.kernels, work.vectors, work.states, work.costs);
    device_.count(Phase::sinkhorn, sinkhorn_work(work.squares.size(), 1));
    device_.read<double>(work.costs, 0, distances);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] == running) ++unconverged_;
      if (states[i] == out_of_range) left_.push_back(first + i);
    }
  }

  [[nodiscard]] devices::Grid grid(const Work& work) const {
    return {work.pairs, 1, device_.items(most_items)};
  }

  const DeviceRows& rows_;
  const SinkhornOptions& options_;
  OnDevice device_;
  const Side* query_ = nullptr;
  DeviceBuffer<std::uint32_t> ids_;
  DeviceBuffer<double> weights_;
  std::vector<std::size_t> left_;
  std::uint64_t unconverged_ = 0;
};

class DeviceSinkhorn : public Solver {
 public:
  DeviceSinkhorn(DeviceRowsList devices, const SinkhornOptions& options, const Run& run,
                 std::function<std::unique_ptr<Solver>(Run&)> make_processor)
      : options_(options), make_processor_(std::move(make_processor)) {
    pairwise::validate(options);
    for (const auto& rows : devices)
      parts_.push_back(std::make_unique<SinkhornPart>(*rows, options_, run));
  }

  void set_query(const Histogram& query, Run& /*run*/) override {
    query_ = query;
    processor_knows_ = false;
    side_ = Side();
    side_.add(query);
    for (const auto& part : parts_) part->set_query(side_);
  }

  [[nodiscard]] bool offers(Bound /*bound*/) const noexcept override { return false; }
  void raise(Bound /*bound*/, std::span<const std::uint32_t> /*rows*/, std::span<double> /*lower*/,
             Run& /*run*/) override {}
  /// The iterations' own plans: none is cheaper.
  void plan_costs(std::span<const std::uint32_t> rows, std::span<double> upper, Run& run) override {
    solve(rows, upper, run);
  }

  void solve(std::span<const std::uint32_t> rows, std::span<double> distances, Run& run) override {
    const std::size_t share = (rows.size() + parts_.size() - 1) / parts_.size();
    const auto first_of = [&](std::size_t part) { return std::min(part * share, rows.size()); };
    run.pool.run(
        parts_.size(),
        [&](std::size_t part, unsigned) {
          const std::size_t first = first_of(part);
          const std::size_t count = first_of(part + 1) - first;
          parts_[part]->solve(rows.subspan(first, count), distances.subspan(first, count), run);
        },
        &run.monitor);
    std::vector<std::size_t> places;
    for (std::size_t part = 0; part < parts_.size(); ++part)
      for (const std::size_t place : parts_[part]->left()) places.push_back(first_of(part) + place);
    if (!places.empty()) solve_in_logarithms(places, rows, distances, run);
  }

  /// So many groups keep a device busy.
  [[nodiscard]] std::size_t batch() const noexcept override { return 256; }

  [[nodiscard]] std::uint64_t unconverged() const noexcept override {
    std::uint64_t all = processor_ ? processor_->unconverged() : 0;
    for (const auto& part : parts_) all += part->unconverged();
    return all;
  }

 private:
  void solve_in_logarithms(std::span<const std::size_t> places, std::span<const std::uint32_t> rows,
                           std::span<double> distances, Run& run) {
    if (!processor_) processor_ = make_processor_(run);
    if (!std::exchange(processor_knows_, true)) processor_->set_query(query_, run);
    std::vector<std::uint32_t> chosen;
    for (const std::size_t place : places) chosen.push_back(rows[place]);
    std::vector<double> found(chosen.size());
    processor_->solve(chosen, found, run);
    for (std::size_t i = 0; i < found.size(); ++i) distances[places[i]] = found[i];
  }

  SinkhornOptions options_;
  std::function<std::unique_ptr<Solver>(Run&)> make_processor_;
  std::vector<std::unique_ptr<SinkhornPart>> parts_;
  Side side_;
  Histogram query_;
  std::unique_ptr<Solver> processor_;
  bool processor_knows_ = false;  // of the query
};

}  // namespace

bool serves_sinkhorn(const devices::Facts& facts) noexcept { return facts.has_doubles; }

std::unique_ptr<Solver> device_sinkhorn(
    DeviceRowsList devices, const SinkhornOptions& options, const Run& run,
    std::function<std::unique_ptr<Solver>(Run& run)> make_processor) {
  return std::make_unique<DeviceSinkhorn>(devices, options, run, std::move(make_processor));
}

}  // namespace navvy::backends
