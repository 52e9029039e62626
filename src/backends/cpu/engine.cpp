// Makes the parts that are always kept, within the budget.
#include "backends/cpu/engine.hpp"

namespace navvy::backends {
namespace {

// A cache may take a quarter of what is left beside a block of queries.
bool keeps_sorted(const RowSet& source, GroundCache sorted, const core::Budget& budget) {
  const std::size_t size = source.vocabulary.size();
  return sorted == GroundCache::allowed && !source.brief && size <= SortedGround::max_size &&
         SortedGround::memory(size) <= left_beside_queries(source, budget) / 4;
}

std::uint64_t memory(const RowSet& source, bool has_sorted) {
  const std::size_t size = source.vocabulary.size();
  return SlabGround::memory(size, source.vocabulary.dimensions()) +
         (has_sorted ? SortedGround::memory(size) : 0);
}

}  // namespace

Engine::Engine(const RowSet& source, double threshold_used, const EngineChoice& choice, Run& run)
    : index(source),
      threshold(threshold_used),
      ground(Ground::euclidean(source.vocabulary, threshold)),
      has_sorted(keeps_sorted(source, choice.sorted, run.budget)),
      signs(choice.signatures == SignatureStage::on),
      reserved(run.budget.reserve(memory(source, has_sorted), "the ground distance")),
      rows(source, choice.kernels, has_sorted, run),
      slabs(ground, choice.kernels) {
  if (has_sorted) sorted.emplace(slabs, run.pool, run.monitor);
}

}  // namespace navvy::backends
