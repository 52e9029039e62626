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

/// The numbers in the whole of the rows of one shard. Throws Error(bad_input) where there are not
/// so many as the manifest tells.
std::vector<std::uint64_t> rows_of(const ShardManifest& manifest, std::size_t shard);

}  // namespace navvy::shards
