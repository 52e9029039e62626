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
#include "search/exact_rows.hpp"
#include "search/exact_search.hpp"
#include "search/potential_bounds.hpp"
#include "search/relaxed_bounds.hpp"

namespace navvy::search {

/// Adds rows and seconds to those of the stage of the same name.
void add_stage(const SearchCounters::Stage& stage, std::vector<SearchCounters::Stage>& stages);

/// Exact search, one query after the other.
class ExactQuery {
 public:
  ExactQuery(const Engine& engine, const SearchOptions& options, const BoundSwitches& switches,
             core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor);

  /// Bytes that one takes, but for the distances of its query to all coordinates.
  [[nodiscard]] static std::uint64_t memory(const Engine& engine, const BoundSwitches& switches);
  /// And these, for a query of so many bins.
  [[nodiscard]] static std::uint64_t memory_for(const Engine& engine, std::size_t bins,
                                                unsigned threads);

  /// The nearest rows but `own_row`, in order.
  std::vector<ExactMatch> run(const Histogram& query, std::uint32_t own_row, Proof& proof);

 private:
  using Open = ExactRows::Open;
  struct Worker {
    pairwise::MetricEmd emd;
    std::vector<double> weights;
  };

  void set_query(const Histogram& query);
  void bound_by_projections();
  void bound_into_query();
  void bound_greedily(std::size_t count);
  void search_open_rows();
  bool refine(std::size_t count);
  void solve(std::size_t count);
  void bound_by_potentials(std::span<const std::vector<double>> g);

  /// A relaxed cost of that many levels less all that rounding may have added.
  [[nodiscard]] double safe(float cost, std::uint32_t row, std::size_t levels) const;
  [[nodiscard]] std::size_t most_bins(std::uint32_t row) const;
  [[nodiscard]] bool stopped() const;
  pairwise::MetricEmd& set_pair(std::uint32_t row, unsigned thread);
  template <class Body>
  void for_blocks(std::span<Open> rows, std::size_t block, const Body& body);
  void note(const std::string& stage, std::size_t rows, std::chrono::steady_clock::time_point from);

  const Engine& engine_;
  SearchOptions options_;
  BoundSwitches switches_;
  std::size_t levels_;  // of the relaxations
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
  ExactRows rows_;
};

}  // namespace navvy::search
