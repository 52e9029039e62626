// Keeps the tables that were used last and combines the two directions of a tile.
#include "backends/device/device_tiles.hpp"

#include <algorithm>
#include <bit>

namespace navvy::backends {
namespace {

// As in the text of the kernels.
constexpr std::uint32_t take_larger = 0;
constexpr std::uint32_t exchange = 1;
constexpr std::uint32_t copy = 2;

constexpr std::size_t largest_tile = 1024;

// Where making tables is dear and they are made more often than this, single queries are as good.
constexpr std::size_t most_times = 16;

std::size_t whole_blocks(std::size_t rows) {
  return (rows + DeviceMeasure::block - 1) / DeviceMeasure::block * DeviceMeasure::block;
}

}  // namespace

std::optional<TilePlan> plan_tiles(const DeviceMeasure& measure, std::size_t rows,
                                   const BesideTiles& beside, OnDevice& device) {
  const bool dear = measure.is_dear(device);
  const std::uint64_t largest = device.facts().largest_buffer;
  const std::uint64_t all = device.budget().left();
  const std::uint64_t left = all - std::min(all, beside.fixed);
  for (std::size_t tile = std::min(largest_tile, whole_blocks(rows)); tile >= DeviceMeasure::block;
       tile = tile > DeviceMeasure::block ? whole_blocks(tile / 2) : 0) {
    const std::uint64_t table = measure.table_bytes() * tile;
    const std::uint64_t keys =
        beside.keys_per_row == 0
            ? 0
            : tile * std::bit_ceil(tile + beside.keys_per_row) * sizeof(std::uint64_t);
    std::uint64_t making = measure.making_bytes(tile, dear);
    if (dear) making = std::min(making, all / 4);  // stripes can be narrower
    const std::uint64_t fixed = 2 * tile * tile * sizeof(float) + keys + making;
    if (std::max(table, keys) > largest || fixed > left) continue;
    const std::size_t tiles = (rows + tile - 1) / tile;
    const std::size_t slots = std::min<std::uint64_t>(tiles, (left - fixed) / table);
    if (slots < std::min<std::size_t>(tiles, 2)) continue;
    if (dear && slots < tiles && tiles > most_times * (slots - 1)) continue;
    return TilePlan{tile, slots};
  }
  return std::nullopt;
}

DeviceTiles::DeviceTiles(const DeviceMeasure& measure, Direction direction, const TilePlan& plan,
                         OnDevice& device)
    : measure_(measure),
      direction_(measure.is_symmetric() ? Direction::query_to_database : direction),
      device_(device),
      columns_(plan.tile),
      ours_(device.buffer<float>(plan.tile * plan.tile, "a tile of distances")),
      theirs_(device.buffer<float>(plan.tile * plan.tile, "a tile of distances")),
      slots_(plan.slots) {}

const DeviceTables& DeviceTiles::tables(core::Range range, core::Range beside, bool stays) {
  Slot* oldest = nullptr;
  for (Slot& slot : slots_) {
    if (slot.used != 0 && slot.range == range) {
      if (stays) slot.used = ++clock_;
      return slot.tables;
    }
    const bool needed = slot.used != 0 && slot.range == beside;
    if (!needed && (oldest == nullptr || slot.used < oldest->used)) oldest = &slot;
  }
  if (oldest == nullptr) oldest = slots_.data();
  oldest->used = 0;  // so that what throws leaves no half of a table
  const DeviceRows& rows = measure_.rows();
  measure_.make_tables(
      device_, {rows.set().rows, range.begin, rows.destinations(), range.begin, range.size()},
      DeviceMeasure::block, oldest->tables);
  oldest->range = range;
  oldest->used = ++clock_;
  return oldest->tables;
}

void DeviceTiles::combine(core::Range i, core::Range j, std::uint32_t how) {
  constexpr std::size_t square = 32;
  device_.launch(
      {"combine"},
      {(j.size() + square - 1) / square, (i.size() + square - 1) / square, device_.items(256)},
      ours_, theirs_, number(i.size()), number(j.size()), number(columns_), how);
  device_.count(Phase::directions, combine_work(i.size(), j.size()));
}

void DeviceTiles::compute(core::Range i, core::Range j, bool both) {
  // The costs of rows i into queries j are those of queries i moved into rows j.
  const bool symmetric = direction_ == Direction::symmetric;
  const bool into_rows = direction_ == Direction::query_to_database;
  if (symmetric || into_rows || both)
    measure_.costs(device_, i, tables(j, i, false), ours_, columns_);
  const bool turned_is_enough = measure_.is_symmetric();
  if (!turned_is_enough && (symmetric || !into_rows || both))
    measure_.costs(device_, j, tables(i, j, true), theirs_, columns_);
  if (symmetric)
    combine(i, j, take_larger);
  else if (turned_is_enough && both)
    combine(i, j, copy);
  else if (!into_rows)
    combine(i, j, exchange);
}

}  // namespace navvy::backends
