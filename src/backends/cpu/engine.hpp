// What the processor keeps of a set of rows: the parts that all its ways to compute share.
#pragma once

#include <cstddef>
#include <optional>

#include "backends/backend.hpp"
#include "backends/cpu/emd/projections.hpp"
#include "backends/cpu/ground/slabs.hpp"
#include "backends/cpu/ground/sorted.hpp"
#include "backends/cpu/row_blocks.hpp"
#include "backends/cpu/signatures/signatures.hpp"
#include "backends/ground/ground.hpp"
#include "core/buffer.hpp"
#include "core/lazy.hpp"
#include "core/run.hpp"

namespace navvy::backends {

/// Whether the ground distances of small supports are kept sorted. They answer faster and take
/// SortedGround::memory; without them the results have the same bits.
enum class GroundCache { allowed, refused };

/// Whether signatures of rows stand before the costs of few queries over small supports.
enum class SignatureStage { on, off };

/// With what an engine works; nothing of it changes a bit.
struct EngineChoice {
  const kernels::KernelTable& kernels;
  GroundCache sorted = GroundCache::allowed;
  SignatureStage signatures = SignatureStage::on;
};

/// Rows with what the measures need of them, made once and charged while kept.
struct Engine {
  /// Ground distances above the threshold count as the threshold. Sorted ground distances are a
  /// cache that a small budget refuses, and few queries do without.
  Engine(const RowSet& source, double threshold_used, const EngineChoice& choice, Run& run);

  RowSet index;
  double threshold;
  Ground ground;
  bool has_sorted;  ///< whether ground distances are kept sorted
  bool signs;       ///< whether signatures may be used
  core::Reservation reserved;
  RowBlocks rows;
  SlabGround slabs;
  std::optional<SortedGround> sorted;
  // Made when first asked for.
  core::Lazy<RowSignatures> signatures;
  core::Lazy<ExactTables> exact;                     ///< what exact search needs beside
  core::Lazy<core::Buffer<double>> centroids;        ///< of all rows, one after the other
  core::Lazy<core::Buffer<double>> squared_lengths;  ///< of all rows
};

}  // namespace navvy::backends
