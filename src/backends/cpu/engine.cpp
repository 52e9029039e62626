// Makes the parts that are always kept, within the budget.
#include "backends/cpu/engine.hpp"

namespace navvy::backends {
namespace {

// A cache may take a quarter of what is left, beside the rows and the tiles that it is made from.
bool keeps_sorted(const RowSet& source, GroundCache sorted, std::uint64_t left) {
  const std::size_t size = source.vocabulary.size();
  return sorted == GroundCache::allowed && size <= SmallGround::max_size &&
         SmallGround::memory(size) <= left / 4;
}

std::uint64_t memory(const RowSet& source, bool is_small) {
  const std::size_t size = source.vocabulary.size();
  return LargeGround::memory(size, source.vocabulary.dimensions()) +
         (is_small ? SmallGround::memory(size) : 0);
}

}  // namespace

Engine::Engine(const RowSet& source, double threshold_used, const EngineChoice& choice, Run& run)
    : index(source),
      threshold(threshold_used),
      ground(Ground::euclidean(source.vocabulary, threshold)),
      is_small(keeps_sorted(source, choice.sorted, run.budget.left())),
      reserved(run.budget.reserve(memory(source, is_small), "the ground distance")),
      rows(source, choice.kernels, is_small, run),
      large(ground, choice.kernels) {
  if (is_small) small.emplace(large, run.pool, run.monitor);
}

}  // namespace navvy::backends
