// Ranges of rows, and a hash of row numbers.
#include "shards/sharing.hpp"

#include <numeric>
#include <string>

#include "navvy/error.hpp"

namespace navvy::shards {

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
std::size_t hashed_shard(std::uint64_t row, std::size_t shards) noexcept {
  std::uint64_t x = row + 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111eb;
  return static_cast<std::size_t>((x ^ (x >> 31U)) % shards);
}

std::vector<std::vector<std::uint32_t>> shared_out(std::size_t rows, std::size_t shards,
                                                   Sharing sharing) {
  std::vector<std::vector<std::uint32_t>> all(shards);
  std::size_t shard = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    while (row >= (shard + 1) * rows / shards) ++shard;
    all[sharing == Sharing::hashed ? hashed_shard(row, shards) : shard].push_back(row);
  }
  return all;
}

std::vector<std::uint64_t> rows_of(const ShardManifest& manifest, std::size_t shard) {
  const std::size_t shards = manifest.shards.size();
  std::vector<std::uint64_t> rows;
  rows.reserve(manifest.shards[shard].rows);
  if (manifest.sharing == Sharing::hashed) {
    for (std::uint64_t row = 0; row < manifest.rows(); ++row)
      if (hashed_shard(row, shards) == shard) rows.push_back(row);
  } else {
    std::uint64_t first = 0;
    for (std::size_t before = 0; before < shard; ++before) first += manifest.shards[before].rows;
    rows.resize(manifest.shards[shard].rows);
    std::iota(rows.begin(), rows.end(), first);
  }
  if (rows.size() != manifest.shards[shard].rows)
    throw Error(ErrorCode::bad_input, manifest.shards[shard].name + ": the manifest tells " +
                                          std::to_string(manifest.shards[shard].rows) +
                                          " rows, hashing puts " + std::to_string(rows.size()) +
                                          " there");
  return rows;
}

}  // namespace navvy::shards
