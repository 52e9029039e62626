// Ranges of rows, and a hash of row numbers.
#include "shards/sharing.hpp"

#include <numeric>
#include <string>

#include "navvy/error.hpp"

namespace navvy::shards {
namespace {

[[noreturn]] void fail(const NamedFile& shard, const std::string& hashed) {
  throw Error(ErrorCode::bad_input, shard.name + ": the manifest tells " +
                                        std::to_string(shard.rows) + " rows, hashing puts " +
                                        hashed + " there");
}

}  // namespace

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
  const std::uint64_t told = manifest.shards[shard].rows;
  std::vector<std::uint64_t> rows;
  if (manifest.sharing == Sharing::contiguous) {
    std::uint64_t first = 0;
    for (std::size_t before = 0; before < shard; ++before) first += manifest.shards[before].rows;
    rows.resize(told);
    std::iota(rows.begin(), rows.end(), first);
    return rows;
  }
  rows.reserve(told);
  const std::uint64_t all = manifest.rows();
  for (std::uint64_t row = 0; row < all; ++row) {
    if (hashed_shard(row, manifest.shards.size()) != shard) continue;
    // What the manifest tells of other shards, which nobody has looked at, must not cost time.
    if (rows.size() == told) fail(manifest.shards[shard], "more");
    rows.push_back(row);
  }
  if (rows.size() != told) fail(manifest.shards[shard], std::to_string(rows.size()));
  return rows;
}

std::vector<std::uint32_t> places_of(const ShardManifest& manifest) {
  std::vector<std::uint32_t> places(manifest.rows());
  if (manifest.sharing == Sharing::contiguous) {
    std::iota(places.begin(), places.end(), std::uint32_t{0});
    return places;
  }
  std::vector<std::uint32_t> next;  // by shard
  std::vector<std::uint32_t> ends;
  std::uint32_t rows = 0;
  for (const NamedFile& shard : manifest.shards) {
    next.push_back(rows);
    ends.push_back(rows += static_cast<std::uint32_t>(shard.rows));
  }
  for (std::size_t row = 0; row < places.size(); ++row) {
    const std::size_t shard = hashed_shard(row, next.size());
    if (next[shard] == ends[shard]) fail(manifest.shards[shard], "more");
    places[row] = next[shard]++;
  }
  return places;
}

}  // namespace navvy::shards
