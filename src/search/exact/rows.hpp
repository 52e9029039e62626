// What exact search knows of each row, and who may still be among the nearest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "navvy/search.hpp"

namespace navvy::search {

/// A row of an answer with what is known of its distance.
struct ExactMatch {
  std::uint32_t row = 0;
  double lower = 0;
  double upper = 0;
  bool exact = false;

  /// Answers are ordered by what is certainly not exceeded; ties go by row.
  friend bool operator<(const ExactMatch& a, const ExactMatch& b) noexcept {
    return a.upper < b.upper || (a.upper == b.upper && a.row < b.row);
  }
};

/// What is known of every row during one exact search: a bound from below of each, which of them
/// may still be among the nearest, and which have a plan that bounds them from above.
class ExactRows {
 public:
  /// A row that may still be among the nearest and is not solved.
  struct Open {
    double lower;
    std::uint32_t row;
    bool refined;  // the dear bounds have been applied

    friend bool operator<(const Open& a, const Open& b) noexcept {
      return a.lower < b.lower || (a.lower == b.lower && a.row < b.row);
    }
  };

  /// Of so many rows some may match, in order; they must stay alive.
  ExactRows(std::size_t rows, std::span<const std::uint32_t> may_match,
            const SearchOptions& options);

  [[nodiscard]] static std::uint64_t memory(std::size_t rows) {
    return std::uint64_t{rows} * (sizeof(double) + sizeof(Open) + sizeof(std::uint32_t));
  }

  /// Forgets everything and opens all rows that may match but one. Rows beyond the limit are not
  /// asked for.
  void start(std::uint32_t own_row, double limit);

  [[nodiscard]] std::span<Open> open() noexcept { return open_; }

  /// Moves a bound up.
  void raise(Open& open, double lower);

  [[nodiscard]] bool has_upper(std::uint32_t row) const noexcept {
    return place_[row] != row_limit;
  }
  void set_upper(std::uint32_t row, double upper, bool exact);

  /// Brings the open rows with the least bounds forward, in no order, and gives them.
  std::span<Open> nearest(std::size_t count);
  /// The same in order.
  std::span<Open> nearest_sorted(std::size_t count);

  /// Closes the first open rows, which have been solved.
  void close_first(std::size_t count);
  /// Closes all open rows that cannot be among the nearest any more.
  void drop_hopeless();

  /// The best rows with a plan that may lie within the limit, in order.
  [[nodiscard]] std::vector<ExactMatch> answer() const;
  /// How many rows of an answer are certain to be among the nearest: they lie within the limit, and
  /// fewer than `top` others can come before them.
  [[nodiscard]] std::uint64_t count_certain(std::span<const ExactMatch> answer) const;
  /// No row outside of an answer is nearer than this.
  [[nodiscard]] double least_outside(std::span<const ExactMatch> answer) const;

 private:
  std::span<const std::uint32_t> may_match_;
  std::size_t top_;
  double tolerance_;
  std::vector<double> lower_;  // of every row; infinity for rows that cannot match
  std::vector<Open> open_;
  std::vector<ExactMatch> known_;     // rows with an upper bound
  std::vector<std::uint32_t> place_;  // of a row in known_, or row_limit
  double limit_ = 0;                  // no row beyond is asked for
  double last_ = 0;                   // the nearest rows are no farther than this
};

}  // namespace navvy::search
