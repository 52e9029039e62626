// The order in which jobs over all pairs go through tiles, and how much is at hand at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "backends/cpu/pairs/tiles.hpp"

namespace navvy::backends {

/// One tile of pairs: rows against queries, and where the tables of each are.
struct TilePair {
  Range i, j;
  int slot_i, slot_j;
  bool diagonal;  ///< every pair comes twice, once each way
};

/// The rows of a job, all pairs of which are wanted, or those across a border.
struct PairsWanted {
  std::size_t rows = 0;
  std::optional<std::size_t> border = {};
};

/// The tiles (I, J) with I <= J that make up all pairs of some rows, with as many tables at hand at
/// a time as a budget allows. Units of work are tiles, numbered in the order in which they run.
/// Across a border, J begins up to a block of rows before it; lists turn these away.
class TileSchedule {
 public:
  /// Sets aside memory for tables: at most half of what is left, and so much that `beside` bytes
  /// still fit.
  TileSchedule(const QueryTables& tables, const PairsWanted& wanted, std::uint64_t beside,
               Run& run);

  [[nodiscard]] std::size_t units() const noexcept { return pairs_.size(); }

  /// Rows whose tables are at hand in one slot while tiles run; those before `begin` count
  /// elsewhere.
  struct Stretch {
    int slot;
    Range rows;
    std::size_t begin;
  };
  /// All rows; across a border, those before it in the first slot.
  [[nodiscard]] std::vector<Stretch> stretches() const;

  /// Rows whose tables are at hand at a time.
  [[nodiscard]] std::size_t rows_at_once() const noexcept { return step_; }

  /// Calls `body` from all threads for the tiles of some units.
  using Body = std::function<void(const TilePair& tile, unsigned thread)>;
  void run(Range units, QueryTables& tables, Run& run, const Body& body) const;

 private:
  // Tiles whose tables are at hand together.
  struct Part {
    Range a, b;
    Range units;
    bool diagonal;
  };

  void add_part(Range a, Range b, bool diagonal);

  Range rows_i_, rows_j_;
  core::Reservation reserved_;
  std::size_t step_;
  std::vector<Part> parts_;
  std::vector<TilePair> pairs_;
};

}  // namespace navvy::backends
