#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/budget.hpp"
#include "core/parallel.hpp"
#include "navvy/search.hpp"
#include "pairwise/metric_emd.hpp"
#include "search/engine.hpp"
#include "search/exact_search.hpp"
#include "search/potential_bounds.hpp"
#include "search/relaxed_bounds.hpp"

namespace navvy::search {

/// Adds rows and seconds to those of the stage of the same name.
void add_stage(const SearchCounters::Stage& stage, std::vector<SearchCounters::Stage>& stages);

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

/// Exact search, one query after the other.
class ExactQuery {
 public:
  ExactQuery(const Engine& engine, const SearchOptions& options, const BoundSwitches& switches,
             core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor);

  /// The nearest rows but `own_row`, in order.
  std::vector<ExactMatch> run(const Histogram& query, std::uint32_t own_row, Proof& proof);

 private:
  /// A row that may still be among the nearest and is not solved.
  struct Open {
    double lower;
    std::uint32_t row;
    bool refined;  // the dear bounds have been applied

    friend bool operator<(const Open& a, const Open& b) noexcept {
      return a.lower < b.lower || (a.lower == b.lower && a.row < b.row);
    }
  };
  struct Worker {
    pairwise::MetricEmd emd;
    std::vector<double> weights;
  };

  void set_query(const Histogram& query);
  void open_rows(std::uint32_t own_row);
  void bound_by_projections();
  void bound_into_query();
  void bound_greedily(std::size_t count);
  void search_open_rows();
  bool refine(std::size_t count);
  void solve(std::size_t count);
  void bound_by_potentials(std::span<const std::vector<double>> g);
  std::vector<ExactMatch> answer();
  [[nodiscard]] std::uint64_t count_certain(std::span<const ExactMatch> answer) const;

  /// A relaxed cost less all that rounding may have added.
  [[nodiscard]] double safe(float cost, std::uint32_t row) const;
  [[nodiscard]] bool stopped() const;
  void raise(Open& open, double lower);
  void set_upper(std::uint32_t row, double upper, bool exact);
  void drop_hopeless();
  void bring_forward(std::size_t count);
  pairwise::MetricEmd& set_pair(std::uint32_t row, unsigned thread);
  template <class Body>
  void for_open_rows(std::size_t count, std::size_t block, const Body& body);
  void note(const std::string& stage, std::size_t rows, std::chrono::steady_clock::time_point from);

  const Engine& engine_;
  SearchOptions options_;
  BoundSwitches switches_;
  core::ThreadPool& pool_;
  core::Monitor& monitor_;
  core::Budget budget_;  // what is left for a query
  std::unique_ptr<RelaxedBounds> relaxed_;
  PotentialBounds potentials_;
  std::vector<Worker> workers_;

  // The query, and the same without its bins of no weight.
  Histogram query_;
  std::vector<double> query_weights_;
  double query_mass_ = 1;
  std::vector<std::uint32_t> positions_;                      // of the bins with weight
  std::vector<std::uint32_t> coordinates_, old_coordinates_;  // bounds forget the old query last
  std::vector<float> weights_;

  std::chrono::steady_clock::time_point start_;
  Proof* proof_ = nullptr;
  std::vector<double> lower_;  // of every row; infinity for rows that cannot match
  std::vector<Open> open_;
  std::vector<ExactMatch> known_;     // rows with an upper bound
  std::vector<std::uint32_t> place_;  // of a row in known_, or no_row
  double threshold_ = 0;              // the nearest rows are no farther than this
};

}  // namespace navvy::search
