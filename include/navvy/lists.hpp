// What was found in parts of an index, as files, and how it becomes one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "navvy/array.hpp"
#include "navvy/matches.hpp"

namespace navvy {

/// Lists of the nearest rows of some queries, found in some shards of an index: a part of the work
/// that a question makes there. Rows and, where rows ask, queries have the numbers of the whole.
///
/// Queries belong to owners: to the shard of each where all rows ask (knn), all to one otherwise.
/// The answer of an owner is whole when its queries were asked in every shard.
struct Lists {
  /// Of which work they are a part: of the same shards, the same queries, the same question.
  std::uint64_t work = 0;
  std::string question;  ///< for people
  std::uint32_t shards = 0;
  /// Owners with the shards in which their queries were asked, ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
  /// By query its owner, ascending, and its number, ascending within an owner.
  std::vector<std::uint32_t> owners;
  std::vector<std::int64_t> queries;
  /// Matches were not cut to a number; see SearchOptions::top.
  bool uncut = false;
  Matches matches;  ///< counters, and stages of proofs, are not kept in files

  /// The lists of one owner alone.
  [[nodiscard]] Lists of(std::uint32_t owner) const;

  /// By query the distance of the last match where the list is full: nothing farther can enter it.
  /// Infinity where it is not.
  [[nodiscard]] Array<double> limits() const;

  /// Throws Error(usage), saying what is missing, unless every owner was asked in every shard.
  void require_complete() const;
};

/// Writes lists with a checksum: the file appears whole or not at all.
void save_lists(const Lists& lists, const std::filesystem::path& path);

/// Throws Error(bad_input) where the file is damaged or something else, Error(failed) where it
/// cannot be read.
Lists open_lists(const std::filesystem::path& path);

/// The same in memory.
std::vector<std::byte> to_bytes(const Lists& lists);
Lists open_lists(std::span<const std::byte> bytes);

/// Parts of one work together: what they found of each query, cut to the number asked for. The
/// order of the parts changes nothing. `names` are those of the parts in messages: none, or one for
/// each. Throws Error(bad_input) where a part is of other work, or has been counted in before.
Lists merged(std::span<const Lists> parts, std::span<const std::string> names = {});

/// The lists of all rows, complete, by row.
Matches by_row(const Lists& lists, std::size_t rows);

}  // namespace navvy
