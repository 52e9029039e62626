// What a search answers: the nearest rows of each query, how far that is proven, and what it took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace navvy {

/// Stands in place of a row where a query has fewer matches than were asked for.
inline constexpr std::int64_t no_row = -1;

/// How an answer was reached: rows costed per stage of the cascade, and how often a list had to
/// grow before it was proven complete.
struct SearchCounters {
  struct Stage {
    std::string measure;
    std::uint64_t rows = 0;
    double seconds = 0;
  };
  std::vector<Stage> stages;
  std::uint64_t list_growths = 0;
  std::uint64_t unconverged = 0;  ///< pairs whose sinkhorn stopped at its iteration limit
};

/// Counts a stage in, together with an earlier one of the same name.
void add_stage(const SearchCounters::Stage& stage, std::vector<SearchCounters::Stage>& stages);

/// How far the answer to one query under emd is proven.
struct Proof {
  std::vector<SearchCounters::Stage> stages;  ///< rows bounded, or solved, and seconds
  std::uint64_t rows = 0;                     ///< that could have matched
  std::uint64_t solves = 0;                   ///< exact distances computed
  std::uint64_t undecided = 0;                ///< neither solved nor left out when it stopped
  std::uint64_t matches = 0;                  ///< rows in the answer
  /// Of these, rows that are certain to be among the true nearest. All of them where the search was
  /// not stopped.
  std::uint64_t certain = 0;
  /// No row outside of the answer is nearer than this; infinity where there is none.
  double beyond = std::numeric_limits<double>::infinity();
  double seconds = 0;  ///< of all stages together
};

/// One row of an answer. Under emd the true distance lies in [lower, upper]; where `exact` is set
/// both are the distance, elsewhere the search was stopped early, and the distance given is
/// `upper`, the cost of a plan that exists. Every other measure is computed, not bounded.
struct Match {
  std::int64_t row = no_row;
  double distance = std::numeric_limits<double>::quiet_NaN();
  double lower = distance;
  double upper = distance;
  bool exact = true;
};

class Ranked;

/// The nearest rows of each query, ascending by distance, then by row. `matches[query]` reads them;
/// the columns themselves have `top` places per query, query after query, and where a query has
/// fewer matches (small or filtered databases, a radius) its last places hold `no_row` and NaN.
struct Matches {
  std::size_t queries = 0;
  std::size_t top = 0;
  std::vector<std::int64_t> rows;
  std::vector<double> distances;
  SearchCounters counters;
  /// Only for emd; see Match.
  std::vector<double> lower, upper;
  std::vector<std::uint8_t> exact;
  std::vector<Proof> proofs;  ///< one per query

  Matches() = default;
  /// Room for `top` matches of each query, none found yet.
  Matches(std::size_t query_count, std::size_t length);

  /// Adds the columns that only emd has.
  void add_bounds();
  [[nodiscard]] bool has_bounds() const noexcept { return !exact.empty(); }

  /// The matches of one query; valid while this lives and keeps its size.
  [[nodiscard]] Ranked operator[](std::size_t query) const;

  void put(std::size_t query, std::size_t rank, const Match& match);
};

/// A view of the matches of one query, nearest first, without the empty places.
class Ranked {
 public:
  Ranked(const Matches& matches, std::size_t query);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::int64_t row(std::size_t rank) const { return matches_->rows[first_ + rank]; }
  [[nodiscard]] double distance(std::size_t rank) const {
    return matches_->distances[first_ + rank];
  }
  [[nodiscard]] Match operator[](std::size_t rank) const;

  /// Matches one after the other, as values.
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Match;

    Iterator() = default;
    Iterator(const Ranked* ranked, std::size_t rank) : ranked_(ranked), rank_(rank) {}
    Match operator*() const { return (*ranked_)[rank_]; }
    Iterator& operator++() {
      ++rank_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++rank_;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const Ranked* ranked_ = nullptr;
    std::size_t rank_ = 0;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {this, size_}; }

 private:
  const Matches* matches_;
  std::size_t first_;
  std::size_t size_;
};

/// The answer over all rows from answers to the same queries over parts of them: of each query the
/// nearest `top` by distance, then by row. No row may stand in two parts, and rows have the numbers
/// of the whole. Counters and proofs are added up; a row is certain if the bounds of all parts
/// leave no room for `top` others before it. Throws Error(usage) where the parts differ in queries,
/// top or in having bounds.
Matches merge(std::span<const Matches> parts);

}  // namespace navvy
