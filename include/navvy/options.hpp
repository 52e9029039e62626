// What is asked of an index, and how it is to be computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "navvy/array.hpp"
#include "navvy/measure.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/progress.hpp"

namespace navvy {

struct Index;

/// What is asked of two histograms.
struct Question {
  Measure measure;
  Direction direction = Direction::symmetric;
  SinkhornOptions sinkhorn;
  /// From 0 to 1: (1 - share) of the measure and `share` of bow, so that rare words count which
  /// have no near neighbours. Then no bound of emd. For relaxations and wcd.
  double bow_share = 0;
  /// Under emd one way (is_partial), what a unit of mass pays that finds no room. No way is dearer.
  /// 0: at least the largest ground distance, which the index tells (price_of). That of emd_hat is
  /// its threshold.
  double price = 0;
};

/// What a text that somebody types asks unless told otherwise: which rows contain its meaning, not
/// which are equal to it. Chosen by measurement (docs/choosing.md): with a share of bow, hence no
/// bound of emd.
Question typed_question();

/// The same under a given measure, which is asked alone, without a share of bow.
Question typed_question(const Measure& measure);

/// What mass pays that finds no room in a row of the index: 2 between coordinates of length 1, the
/// diagonal of images. The same for every part and shard of an index. Throws Error(usage) for other
/// coordinates: Question::price has to name it.
double price_of(const Index& index);

/// Throws Error(usage) on a measure or a share that cannot be.
void validate(const Question& question);

/// How it is computed. Nothing here changes a result.
struct RunOptions {
  unsigned threads = 0;             ///< 0: all cores; capped at 64, or four for each core
  std::uint64_t memory = 0;         ///< budget in bytes, held; 0: half of the RAM
  std::size_t batch = 0;            ///< queries per step, 0: chosen by the budget
  std::uint64_t device_memory = 0;  ///< budget on each device in bytes, held; 0: what is good there
  ProgressCallback progress;
};

/// When a search under emd or emd_hat may stop; otherwise it goes on until the answer is proven.
struct ExactOptions {
  double deadline = 0;           ///< seconds per query after which it stops; 0: none, not below
  std::uint64_t max_solves = 0;  ///< exact distances per query after which it stops; 0: no limit
  /// A row that is nearer than the last match by less than this share need not be looked at: 0.01
  /// proves the order up to 1 %.
  double tolerance = 0;
};

/// In place of a number of matches: no list is cut short.
inline constexpr std::size_t uncut = std::numeric_limits<std::size_t>::max();

struct SearchOptions {
  Question question;
  RunOptions run;
  /// Matches of a query at most. `uncut`: all that `within` allows, and Matches::top is then the
  /// length of the longest list; not for all rows against all.
  std::size_t top = 10;
  ExactOptions exact;
  /// Only rows that are not 0 here are looked at, and proofs speak of these alone; empty: all. All
  /// rows against all then are these against each other, and the others have no matches. Where few
  /// are left, the search costs in proportion to them.
  Array<std::uint8_t> among;
  /// Rows match at this distance or nearer, and proofs speak of these alone. Not below 0.
  double within = std::numeric_limits<double>::infinity();
  /// By query (or, for all rows against all, by row): nothing farther is wanted, since nearer rows
  /// are known elsewhere. Matches may then be fewer than `top`. Empty: none.
  Array<double> limits;
  /// For all rows against all: only pairs of a row before this one with one from it on, for the
  /// lists of both.
  std::optional<std::size_t> border;
};

}  // namespace navvy
