// Chooses kernels: sorted neighbours for small supports, stripes of distances for batches over
// large vocabularies, both in one for few queries.
#include "backends/device/device_measure.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/tables/levels.hpp"

namespace navvy::backends {
namespace {

// Up to so many queries share so few words that comparing each with all coordinates anew is
// quicker than storing what they have in common.
constexpr std::size_t few_queries = 4;

// Coordinates whose distances to the words of a batch are stored at a time.
constexpr std::size_t usual_stripe = 2048;
constexpr std::size_t least_stripe = 64;

int compiled_for(int levels) {
  for (const int kernel : devices::kernel_levels)
    if (kernel >= levels) return kernel;
  throw std::logic_error("no kernel has so many levels");
}

// The bits of -1, which no weight is.
constexpr std::uint32_t absent_bin = std::bit_cast<std::uint32_t>(-1.0F);

}  // namespace

bool DeviceMeasure::serves(const Measure& measure, const devices::Facts& facts) noexcept {
  constexpr int most_levels = std::ranges::max(devices::kernel_levels);
  switch (measure.kind) {
    case MeasureKind::bow:
    case MeasureKind::wcd:
      return facts.has_doubles;
    case MeasureKind::rwmd:
    case MeasureKind::omr:
    case MeasureKind::act:
      return levels_of(measure).count <= most_levels;
    case MeasureKind::ict:
    case MeasureKind::sinkhorn:
    case MeasureKind::emd:
    case MeasureKind::emd_hat:
      break;
  }
  return false;
}

DeviceMeasure::DeviceMeasure(const DeviceRows& rows, const Measure& measure)
    : rows_(rows),
      kind_(measure.kind == MeasureKind::bow   ? Kind::bow
            : measure.kind == MeasureKind::wcd ? Kind::wcd
                                               : Kind::relaxation) {
  if (kind_ != Kind::relaxation) return;
  const Levels levels = levels_of(measure);
  levels_ = static_cast<std::uint32_t>(levels.count);
  kernel_levels_ = compiled_for(levels.count);
  only_at_zero_ = levels.overflow == kernels::Overflow::at_distance_zero ? 1 : 0;
}

bool DeviceMeasure::is_dear(OnDevice& device) const {
  return kind_ == Kind::relaxation && rows_.neighbours(device) == nullptr;
}

std::uint64_t DeviceMeasure::table_bytes() const noexcept {
  switch (kind_) {
    case Kind::relaxation:
      return rows_.coordinates() * planes() * sizeof(float);
    case Kind::bow:
      return rows_.coordinates() * sizeof(float) + sizeof(double);
    case Kind::wcd:
      break;
  }
  return rows_.dimensions() * sizeof(double);
}

std::uint64_t DeviceMeasure::making_bytes(std::size_t queries, bool dear) const noexcept {
  if (kind_ != Kind::relaxation) return 0;
  // A stripe to all words, of which half of the room may be taken, with lists; or weights by
  // coordinate.
  return rows_.coordinates() * sizeof(float) * (dear ? 3 * usual_stripe : queries);
}

void DeviceMeasure::spread(OnDevice& device, const DeviceQueries& queries, std::size_t lanes,
                           std::uint32_t absent, const DeviceBuffer<float>& weights) const {
  device.stream().fill(weights.memory(), absent);
  device.launch({"spread"}, {queries.count, 1, device.items(32)}, queries.on_device.offsets,
                queries.on_device.bins, number(queries.first_on_device), number(lanes),
                number(rows_.coordinates()), weights);
  device.count(Phase::nearest, spread_work(queries.bins(), weights.size()));
}

void DeviceMeasure::make_tables(OnDevice& device, const DeviceQueries& queries, std::size_t lanes,
                                DeviceTables& tables) const {
  tables.lanes = lanes;
  tables.queries = queries.count;
  const std::size_t entries = tables.blocks() * rows_.coordinates() * lanes;
  const auto first = number(queries.first_on_device);
  if (kind_ == Kind::relaxation) {
    device.require(tables.values, entries * planes(), "the tables of queries");
    if (const auto* neighbours = rows_.neighbours(device))
      return pick_sorted(device, queries, *neighbours, tables);
    if (queries.count <= few_queries) return pick_fused(device, queries, tables);
    return pick_in_stripes(device, queries, tables);
  }
  if (kind_ == Kind::bow) {
    device.require(tables.values, entries, "the weights of queries");
    device.require(tables.doubles, tables.blocks() * lanes, "the lengths of queries");
    spread(device, queries, lanes, 0, tables.values);
    device.launch_each({"squared_lengths"}, queries.count, 1, queries.on_device.offsets,
                       queries.on_device.bins, first, number(queries.count), tables.doubles);
    device.count(Phase::row_costs, squared_lengths_work(queries.count, queries.bins()));
    return;
  }
  device.require(tables.doubles, queries.count * rows_.dimensions(), "the centroids of queries");
  device.launch({"centroids"}, {queries.count, 1, device.items(OnDevice::usual_items)},
                rows_.values(), number(rows_.dimensions()), queries.on_device.offsets,
                queries.on_device.bins, first, tables.doubles);
  device.count(Phase::row_costs, centroids_work(work_sizes(), queries.count, queries.bins()));
}

void DeviceMeasure::pick_sorted(OnDevice& device, const DeviceQueries& queries,
                                const DeviceBuffer<DeviceNeighbour>& neighbours,
                                const DeviceTables& tables) const {
  const auto weights = device.buffer<float>(tables.blocks() * rows_.coordinates() * tables.lanes,
                                            "the weights of queries");
  spread(device, queries, tables.lanes, absent_bin, weights);
  device.launch({"pick_sorted", kernel_levels_},
                {rows_.coordinates(), tables.blocks(), device.items(tables.lanes)}, neighbours,
                number(rows_.coordinates()), weights, queries.on_device.offsets,
                number(queries.first_on_device), number(queries.count), number(tables.lanes),
                levels_, only_at_zero_, tables.values);
  device.count(Phase::nearest,
               pick_sorted_work(work_sizes(), queries.bins(), queries.count, tables.lanes));
  device.stream().finish();  // before the weights go
}

void DeviceMeasure::pick_fused(OnDevice& device, const DeviceQueries& queries,
                               const DeviceTables& tables) const {
  const std::size_t together = device.items(64);
  device.launch({"pick_fused", kernel_levels_},
                {(rows_.coordinates() + together - 1) / together, queries.count, together},
                rows_.values(), number(rows_.dimensions()), rows_.norms(), rows_.largest_squared(),
                number(rows_.coordinates()), queries.on_device.offsets, queries.on_device.bins,
                number(queries.first_on_device), number(tables.lanes), levels_, only_at_zero_,
                tables.values);
  device.count(Phase::ground, pick_fused_work(work_sizes(), queries.bins(), queries.count));
}

void DeviceMeasure::pick_in_stripes(OnDevice& device, const DeviceQueries& queries,
                                    const DeviceTables& tables) const {
  const QueryBatch batch(queries.histograms, queries.first, queries.count);
  const std::size_t words = std::max<std::size_t>(batch.words().size(), 1);
  const std::uint64_t listed =
      (batch.words().size() + batch.places().size()) * sizeof(std::uint32_t);
  const std::uint64_t room = device.room() - std::min(device.room(), 2 * listed);
  const std::size_t fitting = room / 2 / (words * sizeof(float)) / least_stripe * least_stripe;
  if (fitting == 0) return pick_fused(device, queries, tables);
  const std::size_t stripe =
      std::min({usual_stripe, fitting, (rows_.coordinates() + 63) / 64 * 64});
  const auto ids = device.copy<std::uint32_t>(batch.words(), "the words of queries");
  const auto places = device.copy<std::uint32_t>(batch.places(), "the bins of queries");
  const auto squares = device.buffer<float>(words * stripe, "a stripe of ground distances");
  for (std::size_t first = 0; first < rows_.coordinates(); first += stripe) {
    const std::size_t count = std::min(stripe, rows_.coordinates() - first);
    rows_.squares(device, {rows_.all_ids(), first, count}, {ids, 0, batch.words().size()}, squares,
                  stripe);
    device.launch_each({"pick", kernel_levels_}, count, queries.count, squares, number(stripe),
                       number(first), number(count), number(rows_.coordinates()),
                       queries.on_device.offsets, queries.on_device.bins, places,
                       number(queries.first_on_device), number(tables.lanes), levels_,
                       only_at_zero_, tables.values);
    device.count(Phase::nearest,
                 pick_work(work_sizes(), count, queries.bins(), queries.count, words));
  }
  device.stream().finish();  // before the stripe goes
}

void DeviceMeasure::costs(OnDevice& device, core::Range rows, const DeviceTables& tables,
                          const DeviceBuffer<float>& costs, std::size_t columns) const {
  const DeviceHistograms& sources = rows_.sources();
  const auto size = number(rows_.coordinates());
  const auto lanes = number(tables.lanes);
  const auto first = number(rows.begin);
  const CostSizes sizes{rows.size(), sources.bins_of(rows.begin, rows.size()), tables.lanes,
                        tables.blocks()};
  if (kind_ == Kind::wcd) {
    device.launch({"wcd_costs"}, {rows.size(), 1, device.items(OnDevice::usual_items)},
                  rows_.centroids(device), first, tables.doubles, number(0), number(tables.queries),
                  number(rows_.dimensions()), costs, number(columns));
    device.count(Phase::row_costs, wcd_costs_work(work_sizes(), {rows.size(), 0, tables.queries}));
    return;
  }
  if (kind_ == Kind::bow) {
    device.launch({"bow_costs"}, {rows.size(), tables.blocks(), device.items(tables.lanes)},
                  sources.offsets, sources.bins, first, tables.values, size, lanes,
                  rows_.squared_lengths(device), tables.doubles, number(tables.queries), costs,
                  number(columns));
    device.count(Phase::row_costs, bow_costs_work(work_sizes(), sizes));
    return;
  }
  if (tables.lanes == 1)
    device.launch_each({"row_costs_of_one", kernel_levels_}, rows.size(), 1, sources.offsets,
                       sources.bins, number(rows.size()), tables.values, costs);
  else
    device.launch({"row_costs", kernel_levels_},
                  {rows.size(), tables.blocks(), device.items(tables.lanes / device.lane_width())},
                  sources.offsets, sources.bins, first, tables.values, size, lanes, costs,
                  number(columns));
  device.count(Phase::row_costs, row_costs_work(work_sizes(), sizes));
}

}  // namespace navvy::backends
