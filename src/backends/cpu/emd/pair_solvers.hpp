// What solvers of one pair after the other share: the bins of a query, threads, and the memory of
// large pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backends/cpu/solve_each.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"

namespace navvy::backends {

/// body(i, thread) for every i below count, so many at a time on one thread.
template <class Body>
void for_each_in_blocks(std::size_t count, std::size_t block, const core::Run& run,
                        const Body& body) {
  run.pool.run((count + block - 1) / block,
               [&](std::size_t b, unsigned thread) {
                 const std::size_t last = std::min((b + 1) * block, count);
                 for (std::size_t i = b * block; i < last; ++i) body(i, thread);
               },
               &run.monitor);
}

/// The bins of a query that have weight: what bounds are made of.
struct WeightedBins {
  std::vector<std::uint32_t> positions;  // in the query
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  double mass = 0;

  WeightedBins() = default;
  explicit WeightedBins(const Histogram& query) {
    for (std::uint32_t bin = 0; bin < query.size(); ++bin) {
      if (query.weights[bin] == 0) continue;
      positions.push_back(bin);
      coordinates.push_back(query.coordinates[bin]);
      weights.push_back(query.weights[bin]);
      mass += static_cast<double>(query.weights[bin]);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return positions.size(); }
  [[nodiscard]] Histogram histogram() const noexcept { return {coordinates, weights}; }
};

/// A solver of pairs for each thread. Large pairs take most of the memory of a solver: it is made
/// anew, with room for the pair, when it has to grow, so that what it holds is what is reserved for
/// it.
template <class Emd>
class PairSolvers {
 public:
  struct Worker {
    std::unique_ptr<Emd> emd;
    core::Reservation reserved;
    std::vector<double> weights;  // of the row
  };
  using Rows = std::span<const std::uint32_t>;

  explicit PairSolvers(unsigned threads) : workers_(threads) {}

  /// body(i, emd) for every row, once `set(row, worker)` has made the solver where there is none
  /// and chosen the pair; `needed(row)` are the bytes that it takes.
  template <class Needed, class Set, class Body>
  void for_each(Rows rows, const core::Run& run, const Needed& needed, const Set& set,
                const Body& body) {
    const auto work = [&](std::size_t i, Worker& worker) {
      set(rows[i], worker);
      body(i, *worker.emd);
    };
    const auto try_one = [&](std::size_t i, unsigned thread) {
      Worker& worker = workers_[thread];
      const std::uint64_t bytes = needed(rows[i]);
      if (bytes > worker.reserved.bytes()) {
        worker = Worker();
        auto reserved = run.budget.try_reserve(bytes);
        if (!reserved) return false;
        worker.reserved = *std::move(reserved);
      }
      work(i, worker);
      return true;
    };
    const auto make_room = [&] {
      for (Worker& worker : workers_) worker = Worker();
    };
    solve_each(rows.size(), run, try_one, make_room, [&](std::size_t i) {
      Worker& worker = workers_.front();
      worker = Worker();
      worker.reserved = run.budget.reserve(needed(rows[i]), "emd of a pair");
      work(i, worker);
    });
  }

 private:
  std::vector<Worker> workers_;
};

}  // namespace navvy::backends
