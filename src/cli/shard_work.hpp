// What `search` and `knn` do with single shards.
#pragma once

#include <cstddef>
#include <filesystem>

#include "cli/options.hpp"
#include "cli/rank.hpp"
#include "navvy/search.hpp"

namespace navvy::cli {

/// What lists of matches begin with.
inline constexpr std::string_view lists_magic = "navvyls1";

/// The nearest rows of encoded queries in one shard, as a file of lists.
struct ShardSearch {
  std::filesystem::path folder;
  std::size_t shard = 0;
  std::filesystem::path queries;
  std::filesystem::path output;
};
void search_shard(const ShardSearch& work, const SearchOptions& options,
                  const CommonOptions& common);

/// The part of all pairs that falls to one of several processes, as files of lists in a folder;
/// those that are there already are left as they are.
struct PairsOfShards {
  std::filesystem::path folder;
  std::filesystem::path output;
  Rank rank;
};
void knn_of_shards(const PairsOfShards& work, const SearchOptions& options,
                   const CommonOptions& common);

}  // namespace navvy::cli
