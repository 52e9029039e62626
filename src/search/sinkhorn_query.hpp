#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "navvy/histograms.hpp"
#include "navvy/pairwise.hpp"
#include "search/brute_force.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// Sinkhorn distances of one query to many rows. The ground distances of the query's bins to all
/// coordinates are computed once, so that a row only picks its lines; the iterations run on plain
/// numbers, and in logarithms, pair by pair, where those could leave their range.
class SinkhornQuery : public RowDistances {
 public:
  SinkhornQuery(const Engine& engine, const SinkhornOptions& options, const core::Budget& budget,
                unsigned threads);

  void set_query(const Histogram& query, core::ThreadPool& pool) override;
  /// The same bits when query and row are exchanged.
  double distance(std::uint32_t row, unsigned thread) override;
  [[nodiscard]] std::uint64_t unconverged() const noexcept override { return unconverged_; }

 private:
  struct Worker {
    core::Buffer<float> costs, turned;
    core::Buffer<double> kernel;
    core::Buffer<double> vectors;  // p and u, then q, v and sums
  };

  void fill_small(std::uint32_t coordinate);
  void fill_large(std::size_t tile, const backends::PackedWords& words,
                  std::vector<float>& scratch);
  double iterate(const Histogram& rows, const Histogram& columns, const float* costs,
                 double largest, Worker& worker);

  const Engine& engine_;
  SinkhornOptions options_;
  core::Budget budget_;  // what is left for a query
  std::vector<Worker> workers_;
  std::vector<std::uint32_t> coordinates_;
  std::vector<float> weights_;
  std::size_t stride_ = 0;
  core::Buffer<float> distances_;  // [coordinate][bin of the query]
  std::atomic<std::uint64_t> unconverged_{0};
};

}  // namespace navvy::search
