// Exact search of one query: which rows are bounded, solved and left out, in which order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "core/run.hpp"
#include "navvy/search.hpp"
#include "search/exact/rows.hpp"
#include "search/exact/search.hpp"

namespace navvy::search {

/// What the queries of one call have in common; all of it outlives them.
struct ExactScope {
  const backends::PreparedRows& rows;
  std::span<const std::uint32_t> may_match;  // rows
  const SearchOptions& options;
  const BoundSwitches& switches;
};

std::unique_ptr<backends::Solver> solver_for(const ExactScope& scope, core::Run& run);

/// Exact search, one query after the other.
class ExactQuery {
 public:
  /// The solver was made for this run.
  ExactQuery(const ExactScope& scope, std::unique_ptr<backends::Solver> solver, core::Run run);

  /// Bytes that one takes on one thread, for queries of so many bins.
  [[nodiscard]] static std::uint64_t memory(const ExactScope& scope, std::size_t bins,
                                            core::Run& run);

  struct Query {
    Histogram histogram;
    std::uint32_t own_row;  ///< is left out
    double limit;           ///< farther rows are not asked for
  };

  /// The nearest rows, in order.
  std::vector<ExactMatch> run(const Query& query, Proof& proof);

 private:
  using Open = ExactRows::Open;

  void bound_all();
  void search_open_rows();
  bool refine(std::size_t count);
  void refine_all();
  void solve(std::size_t count);
  void bound_from_above(std::size_t count);
  void raise(backends::Bound bound, std::span<Open> rows);

  [[nodiscard]] bool uses(backends::Bound bound) const noexcept;
  [[nodiscard]] bool stopped() const;
  std::span<const std::uint32_t> numbers_of(std::span<const Open> rows);
  void note(const char* stage, std::size_t rows, std::chrono::steady_clock::time_point from);

  const SearchOptions& options_;
  const BoundSwitches& switches_;
  core::Run run_;
  core::Reservation reserved_;  // for rows_, numbers_ and values_
  std::unique_ptr<backends::Solver> solver_;
  std::chrono::steady_clock::time_point start_;
  Proof* proof_ = nullptr;
  ExactRows rows_;
  // Rows on their way to the solver, and what comes back.
  std::vector<std::uint32_t> numbers_;
  std::vector<double> values_;
};

}  // namespace navvy::search
