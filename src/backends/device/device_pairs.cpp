// Tiles of pairs are shared out over devices; each keeps lists of its own, and these are offered to
// the caller's when the work is done, so that which device had which tile cannot show.
#include "backends/device/device_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "backends/device/device_tiles.hpp"
#include "core/buffer.hpp"
#include "navvy/error.hpp"

namespace navvy::backends {
namespace {

constexpr std::uint64_t no_key = ~std::uint64_t{0};

// Only keys below it are wanted, those at the limit itself included.
std::uint64_t key_beyond(float limit) {
  if (limit < 0) return 0;
  return (std::uint64_t{std::bit_cast<std::uint32_t>(limit == 0 ? 0.0F : limit)} + 1) << 32U;
}

std::uint64_t list_bytes(std::size_t rows, std::size_t top) {
  return std::uint64_t{rows} *
         (top * sizeof(std::uint64_t) + sizeof(std::uint64_t) + sizeof(std::uint32_t));
}

// One device's share of the work: its tiles, and its lists of all rows.
class ListWorker {
 public:
  ListWorker(const DeviceRows& rows, EmptyRows empty, const Task& task, std::size_t top, Run& run)
      : measure_(rows, task.measure),
        empty_(empty),
        direction_(task.direction),
        top_(top),
        device_(rows.work(run.device_memory)) {}

  [[nodiscard]] std::optional<TilePlan> plan() {
    return plan_tiles(measure_, rows(), {list_bytes(rows(), top_), top_}, device_);
  }

  void prepare(const TilePlan& plan) {
    tiles_.emplace(measure_, direction_, plan, device_);
    room_ = std::bit_ceil(plan.tile + top_);
    scratch_ = device_.buffer<std::uint64_t>(plan.tile * room_, "lists to be sorted");
    lists_ = device_.buffer<std::uint64_t>(rows() * top_, "lists of nearest rows");
    limits_ = device_.buffer<std::uint64_t>(rows(), "the limits of lists");
    wanted_ = device_.buffer<std::uint32_t>(rows(), "the rows that are wanted");
  }

  /// Empty lists with the limits of the caller's.
  void start(const CandidateLists& lists) {
    std::vector<float> limits(rows());
    std::vector<std::uint64_t> keys(rows());
    std::vector<std::uint32_t> wanted(rows());
    lists.limits({0, rows()}, limits);
    const auto chosen = lists.wanted();
    for (std::size_t row = 0; row < rows(); ++row) {
      wanted[row] = empty_[row] == 0 && (chosen.empty() || chosen[row] != 0) ? 1 : 0;
      keys[row] = wanted[row] != 0 ? key_beyond(limits[row]) : 0;
    }
    device_.write<std::uint64_t>(limits_, keys);
    device_.write<std::uint32_t>(wanted_, wanted);
    device_.stream().fill(lists_.memory(), 0xffffffff);
  }

  void run(Range i, Range j) {
    const bool both = i != j;
    tiles_->compute(i, j, both);
    offer(i, j, tiles_->ours());
    if (both) offer(j, i, tiles_->theirs());
    device_.stream().finish();
  }

  /// What the lists hold, to the caller's.
  void finish(CandidateLists& lists, Run& run) {
    constexpr std::size_t step = 1024;
    auto keys = run.buffer<std::uint64_t>(std::min(step, rows()) * top_, "lists from a device");
    std::vector<Found> found;
    for (std::size_t first = 0; first < rows(); first += step) {
      const Range part{first, std::min(first + step, rows())};
      const auto some = keys.span().first(part.size() * top_);
      device_.read<std::uint64_t>(lists_, first * top_, some);
      found.clear();
      for (std::size_t place = 0; place < some.size(); ++place)
        if (some[place] != no_key)
          found.push_back({number(first + place / top_), static_cast<std::uint32_t>(some[place]),
                           std::bit_cast<float>(static_cast<std::uint32_t>(some[place] >> 32U))});
      lists.offer(part, found);
    }
  }

 private:
  [[nodiscard]] std::size_t rows() const noexcept { return empty_.size(); }

  void offer(Range lists, Range candidates, const DeviceBuffer<float>& distances) {
    device_.launch({"update_lists"}, {lists.size(), 1, device_.items(OnDevice::usual_items)},
                   distances, number(tiles_->columns()), number(lists.begin),
                   number(candidates.begin), number(candidates.size()), wanted_, limits_, lists_,
                   number(top_), scratch_, number(room_));
    device_.count(Phase::lists, update_lists_work(lists.size(), candidates.size()));
  }

  DeviceMeasure measure_;
  EmptyRows empty_;
  Direction direction_;
  std::size_t top_;
  OnDevice device_;
  std::optional<DeviceTiles> tiles_;
  std::size_t room_ = 0;
  DeviceBuffer<std::uint64_t> scratch_, lists_, limits_;
  DeviceBuffer<std::uint32_t> wanted_;
};

class DevicePairs : public PairStage {
 public:
  DevicePairs(std::vector<std::unique_ptr<ListWorker>> workers, const TilePlan& plan,
              std::size_t rows, std::optional<std::size_t> border)
      : workers_(std::move(workers)), plan_(plan) {
    for (const auto& worker : workers_) worker->prepare(plan);
    if (border)
      add_across(*border, rows);
    else
      add_all(rows);
  }

  [[nodiscard]] bool exact() const noexcept override { return true; }
  [[nodiscard]] std::size_t units() const noexcept override { return units_.size(); }
  [[nodiscard]] std::uint64_t units_plan() const noexcept override {
    return plan_.tile * 4096 + plan_.slots;
  }

  void list(Range units, CandidateLists& lists, Run& run) override {
    run.monitor.begin("all pairs", units_.size());
    run.monitor.add(units.begin);
    std::atomic<std::size_t> next{units.begin};
    run.pool.run(
        workers_.size(),
        [&](std::size_t number, unsigned) {
          ListWorker& worker = *workers_[number];
          worker.start(lists);
          for (std::size_t unit = next++; unit < units.end; unit = next++) {
            worker.run(units_[unit].first, units_[unit].second);
            run.monitor.add(1);
            run.monitor.throw_if_stopped();
          }
          worker.finish(lists, run);
        },
        &run.monitor);
  }

 private:
  void add_across(std::size_t border, std::size_t rows) {
    const Range before{0, border};
    const Range behind{border, rows};
    const std::size_t group = std::max<std::size_t>(plan_.slots, 2) - 1;
    for (std::size_t first = 0; first < plan_.tiles(before.size()); first += group)
      for (std::size_t b = 0; b < plan_.tiles(behind.size()); ++b)
        for (std::size_t a = first; a < std::min(first + group, plan_.tiles(before.size())); ++a)
          units_.push_back({plan_.range(a, before), plan_.range(b, behind)});
  }

  void add_all(std::size_t rows) {
    const TilePlan& plan = plan_;
    const std::size_t tiles = plan.tiles(rows);
    // Tables of a group of ranges stay, and those of the others pass by.
    const std::size_t group = plan.slots < tiles ? plan.slots - 1 : tiles;
    for (std::size_t first = 0; first < tiles; first += group)
      for (std::size_t b = first; b < tiles; ++b)
        for (std::size_t a = first; a < std::min(first + group, b + 1); ++a)
          units_.push_back({plan.range(a, {0, rows}), plan.range(b, {0, rows})});
  }

  std::vector<std::unique_ptr<ListWorker>> workers_;
  TilePlan plan_;
  std::vector<std::pair<Range, Range>> units_;
};

// One device's share of a matrix.
struct MatrixWorker {
  MatrixWorker(const DeviceRows& rows, const Task& task, Run& run)
      : measure(rows, task.measure), device(rows.work(run.device_memory)) {}

  DeviceMeasure measure;
  OnDevice device;
  std::optional<DeviceTiles> tiles;
  std::vector<float> tile;
};

void undefine_empty(EmptyRows empty, Range queries, Range rows, float* values) {
  constexpr float undefined = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t query = queries.begin; query < queries.end; ++query, values += rows.size())
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      if (empty[query] != 0 || empty[row] != 0) values[row - rows.begin] = undefined;
}

// What all of the workers have room for.
template <class Workers, class Plan>
std::optional<TilePlan> common_plan(const Workers& workers, const Plan& plan) {
  std::optional<TilePlan> common;
  for (const auto& worker : workers) {
    const std::optional<TilePlan> own = plan(*worker);
    if (!own) return std::nullopt;
    common = common
                 ? TilePlan{std::min(common->tile, own->tile), std::min(common->slots, own->slots)}
                 : *own;
  }
  return common;
}

}  // namespace

std::unique_ptr<PairStage> device_pairs(DeviceRowsList devices, EmptyRows empty, const Task& task,
                                        std::size_t top, Run& run) {
  if (top == 0 || empty.empty()) return nullptr;
  try {
    std::vector<std::unique_ptr<ListWorker>> workers;
    for (const auto& rows : devices)
      workers.push_back(std::make_unique<ListWorker>(*rows, empty, task, top, run));
    const auto plan = common_plan(workers, [](ListWorker& worker) { return worker.plan(); });
    if (!plan) return nullptr;
    return std::make_unique<DevicePairs>(std::move(workers), *plan, empty.size(), task.border);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit) throw;
    return nullptr;  // single queries need less
  }
}

void device_matrix(DeviceRowsList devices, EmptyRows empty, const Task& task,
                   const MatrixAsked& asked, Run& run, const StripeSink& sink) {
  const Range queries = asked.queries;
  const Range columns = asked.rows;
  if (queries.size() == 0 || columns.size() == 0) return;
  std::vector<std::unique_ptr<MatrixWorker>> workers;
  for (const auto& rows : devices)
    workers.push_back(std::make_unique<MatrixWorker>(*rows, task, run));
  const std::size_t most = std::max(queries.size(), columns.size());
  const auto plan = common_plan(workers, [&](MatrixWorker& worker) {
    return plan_tiles(worker.measure, most, {}, worker.device);
  });
  if (!plan)
    throw Error(ErrorCode::limit, "there is no room for tiles of the matrix on the device");
  const core::Reservation own = run.budget.reserve(
      workers.size() * plan->tile * plan->tile * sizeof(float), "tiles from a device");
  for (const auto& worker : workers) {
    worker->tiles.emplace(worker->measure, task.direction, *plan, worker->device);
    worker->tile.resize(plan->tile * plan->tile);
  }
  auto values = run.buffer<float>(std::min(plan->tile, queries.size()) * columns.size(),
                                  "a stripe of the matrix");
  const std::size_t tiles = plan->tiles(columns.size());
  run.monitor.begin("distances", plan->tiles(queries.size()) * tiles);
  for (std::size_t stripe = 0; stripe < plan->tiles(queries.size()); ++stripe) {
    const Range i = plan->range(stripe, queries);
    std::atomic<std::size_t> next{0};
    run.pool.run(
        workers.size(),
        [&](std::size_t number, unsigned) {
          MatrixWorker& worker = *workers[number];
          for (std::size_t tile = next++; tile < tiles; tile = next++) {
            run.monitor.throw_if_stopped();
            const Range j = plan->range(tile, columns);
            worker.tiles->compute(i, j, false);
            worker.device.read<float>(worker.tiles->ours(), 0,
                                      std::span(worker.tile).first(i.size() * plan->tile));
            for (std::size_t row = 0; row < i.size(); ++row)
              std::copy_n(worker.tile.data() + row * plan->tile, j.size(),
                          values.data() + row * columns.size() + (j.begin - columns.begin));
            run.monitor.add(1);
          }
        },
        &run.monitor);
    undefine_empty(empty, i, columns, values.data());
    sink(i.begin - queries.begin, i.size(), values.span().first(i.size() * columns.size()));
  }
}

}  // namespace navvy::backends
