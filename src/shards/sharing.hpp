// Which rows of the whole a shard has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navvy/shards.hpp"

namespace navvy::shards {

/// The shard that a row goes to by its number. The same everywhere and for ever: manifests do not
/// tell it.
std::size_t hashed_shard(std::uint64_t row, std::size_t shards) noexcept;

/// By shard the rows that it has of so many.
std::vector<std::vector<std::uint32_t>> shared_out(std::size_t rows, std::size_t shards,
                                                   Sharing sharing);

/// The numbers in the whole of the rows of one shard, of which the file is known to have as many as
/// the manifest tells: time and memory follow from these. Throws Error(bad_input) where hashing
/// puts another number of rows there.
std::vector<std::uint64_t> rows_of(const ShardManifest& manifest, std::size_t shard);

/// In shards that lie one after the other, the place of each row of the whole; of all of them the
/// number of rows is known. Throws as rows_of.
std::vector<std::uint32_t> places_of(const ShardManifest& manifest);

}  // namespace navvy::shards
