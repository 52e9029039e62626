// Which way each measure goes on the processor.
#include "backends/cpu/cpu_backend.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/baselines/bow.hpp"
#include "backends/cpu/baselines/wcd.hpp"
#include "backends/cpu/coarse/plan.hpp"
#include "backends/cpu/coarse/stage.hpp"
#include "backends/cpu/emd/partial_solver.hpp"
#include "backends/cpu/emd/solver.hpp"
#include "backends/cpu/engine.hpp"
#include "backends/cpu/kernel_choice.hpp"
#include "backends/cpu/pairs/kept_tiles.hpp"
#include "backends/cpu/pairs/matrix.hpp"
#include "backends/cpu/pairs/table_tiles.hpp"
#include "backends/cpu/pairs/tile_stage.hpp"
#include "backends/cpu/queries/relaxed_block.hpp"
#include "backends/cpu/queries/signature_block.hpp"
#include "backends/cpu/sinkhorn.hpp"
#include "navvy/error.hpp"

namespace navvy::backends {
namespace {

[[noreturn]] void refuse(const Task& task, const char* what) {
  throw std::logic_error(to_string(task.measure) + " has no " + what);
}

bool is_one_way(const Task& task) { return is_partial(task.measure, task.direction); }

class CpuRows : public PreparedRows {
 public:
  CpuRows(const RowSet& rows, double threshold, const EngineChoice& choice, Run& run)
      : engine_(rows, threshold, choice, run) {}

  [[nodiscard]] std::size_t rows() const noexcept override { return engine_.rows.rows(); }
  [[nodiscard]] bool is_empty(std::size_t row) const noexcept override {
    return engine_.rows.is_empty(row);
  }

  [[nodiscard]] const Engine& engine() const noexcept { return engine_; }

  void prepare(const Task& task, Run& run) const override {
    if (is_exact(task.measure) && !is_one_way(task)) exact_tables(engine_, run);
  }

  [[nodiscard]] std::unique_ptr<QueryBlock> queries(const Task& task, std::size_t queries,
                                                    Run& run) const override {
    switch (task.measure.kind) {
      case MeasureKind::bow:
        return bow_block(engine_, run);
      case MeasureKind::wcd:
        return wcd_block(engine_, run);
      case MeasureKind::rwmd:
      case MeasureKind::omr:
      case MeasureKind::act:
      case MeasureKind::ict:
        if (auto block = signature_block(engine_, task, queries, run)) return block;
        return relaxed_block(engine_, task, queries, run);
      case MeasureKind::sinkhorn:
      case MeasureKind::emd:
      case MeasureKind::emd_hat:
        break;
    }
    refuse(task, "blocks of queries");
  }

  [[nodiscard]] std::unique_ptr<PairStage> pairs(const Task& task, const ListsWanted& lists,
                                                 Run& run) const override {
    // Coarse costs are compared one by one with limits, which a mix of two does not allow.
    const bool mixed = task.direction.way == Direction::Way::mix;
    if (is_relaxation(task.measure) && engine_.has_sorted && !mixed)
      if (auto stage = if_it_fits([&] { return coarse_stage(task, lists, run); })) return stage;
    return if_it_fits([&] { return tile_stage(task, lists, run); });
  }

  void matrix(const Task& task, Range queries, Range rows, Run& run,
              const StripeSink& sink) const override {
    fill_matrix(engine_.rows, *tiles(task, run), task.direction, {queries, rows}, run, sink);
  }

  [[nodiscard]] std::unique_ptr<Solver> solver(const Task& task, const SolverOptions& options,
                                               Run& run) const override {
    if (task.measure.kind == MeasureKind::sinkhorn)
      return make_sinkhorn_solver(engine_, task.sinkhorn, run);
    if (is_one_way(task)) return make_partial_solver(engine_, task, run);
    if (is_exact(task.measure)) return make_emd_solver(engine_, options, run);
    refuse(task, "solver");
  }

  [[nodiscard]] std::uint64_t solver_memory(const Task& task, const SolverOptions& options,
                                            std::size_t bins, Run& /*run*/) const override {
    if (is_one_way(task)) return partial_solver_memory(engine_, bins);
    return is_exact(task.measure) ? emd_solver_memory(engine_, options, bins)
                                  : sinkhorn_solver_memory(engine_, bins);
  }

 private:
  // None where there is no room for it.
  template <class Make>
  static std::unique_ptr<PairStage> if_it_fits(const Make& make) {
    try {
      return make();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit) throw;
    }
    return nullptr;
  }

  // None where it would not pay, or leaves too little for the lists.
  [[nodiscard]] std::unique_ptr<PairStage> coarse_stage(const Task& task, const ListsWanted& lists,
                                                        Run& run) const {
    auto plan = plan_coarse(engine_, task, lists.top, run);
    if (!plan) return nullptr;
    // Beside the lists a good part of the pairs that they leave should be at hand together.
    const std::uint64_t beside =
        lists.bounds_memory + std::uint64_t{rows()} * lists.top * given_pair_bytes / 2;
    auto stage = std::make_unique<CoarseStage>(engine_, *std::move(plan), task, beside, run);
    if (!run.budget.fits(beside)) return nullptr;
    return stage;
  }

  [[nodiscard]] std::unique_ptr<PairStage> tile_stage(const Task& task, const ListsWanted& lists,
                                                      Run& run) const {
    const std::uint64_t beside = lists.distances_memory;
    auto stage = std::make_unique<TileStage>(engine_.rows, tiles(task, run), task, beside, run);
    if (!run.budget.fits(beside) || !stage->pays()) return nullptr;
    return stage;
  }

  [[nodiscard]] std::unique_ptr<TileSource> tiles(const Task& task, Run& run) const {
    switch (task.measure.kind) {
      case MeasureKind::bow:
        return bow_tiles(engine_, run);
      case MeasureKind::wcd:
        return wcd_tiles(engine_, run);
      case MeasureKind::rwmd:
      case MeasureKind::omr:
      case MeasureKind::act:
      case MeasureKind::ict:
        if (engine_.has_sorted)
          return std::make_unique<TableTiles>(engine_, levels_of(task.measure), run.pool.threads());
        return std::make_unique<KeptTiles>(engine_, levels_of(task.measure), task.batch, run);
      case MeasureKind::sinkhorn:
      case MeasureKind::emd:
      case MeasureKind::emd_hat:
        break;
    }
    refuse(task, "tiles");
  }

  Engine engine_;
};

class CpuBackend : public Backend {
 public:
  CpuBackend(std::string name, const EngineChoice& choice)
      : name_(std::move(name)), choice_(choice) {}

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }

  [[nodiscard]] std::unique_ptr<const PreparedRows> prepare(const RowSet& rows, double threshold,
                                                            Run& run) const override {
    return std::make_unique<CpuRows>(rows, threshold, choice_, run);
  }

 private:
  std::string name_;
  EngineChoice choice_;
};

}  // namespace

std::unique_ptr<QueryAgainstRows> ict_pair_by_pair(const PreparedRows& rows, Run& run) {
  const Engine& engine = dynamic_cast<const CpuRows&>(rows).engine();
  if (!engine.has_sorted) return nullptr;
  return query_against_rows(engine, levels_of({MeasureKind::ict, 1}), Destinations::all_bins, run);
}

std::span<const std::unique_ptr<const Backend>> cpu_backends() {
  static const auto backends = [] {
    const kernels::KernelTable& best = kernels::best_kernels();
    std::vector<std::unique_ptr<const Backend>> made;
    made.push_back(std::make_unique<CpuBackend>("cpu", EngineChoice{best}));
    made.push_back(
        std::make_unique<CpuBackend>("cpu-uncached", EngineChoice{best, GroundCache::refused}));
    made.push_back(std::make_unique<CpuBackend>(
        "cpu-unsigned", EngineChoice{best, GroundCache::allowed, SignatureStage::off}));
    for (const kernels::KernelTable* kernels : kernels::supported_kernels())
      made.push_back(std::make_unique<CpuBackend>(cpu_name(*kernels), EngineChoice{*kernels}));
    return made;
  }();
  return backends;
}

}  // namespace navvy::backends
