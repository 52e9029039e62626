// The seam between who computes costs (backends) and who keeps lists and proofs (search).
//
// A backend holds a prepared, immutable set of rows on some device. It can (a) cost queries against
// rows, (b) keep per list the smallest certified lower bounds of all pairs, and (c) cost given
// pairs exactly. Search never asks how. Three rules keep it so:
//   - Calls are bulk and parallel inside: no thread number crosses the seam, and nothing virtual is
//     called per pair.
//   - No coordinate crosses it: search sees rows, queries and distances.
//   - Limits are distances, not units of a device.
// What a call makes (a block of queries, a stage, a solver) is used with its run, or with one of as
// many threads at most.
// tests/backends/conformance holds every backend to the same answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "backends/candidate_lists.hpp"
#include "core/range.hpp"
#include "core/run.hpp"
#include "navvy/histograms.hpp"
#include "navvy/measure.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

using core::Range;
using core::Run;

/// What is to be computed.
struct Task {
  Measure measure;
  Direction direction = Direction::symmetric;
  SinkhornOptions sinkhorn{};
  std::size_t batch = 0;  ///< queries per step at most; 0: as many as is good
  double price = 0;       ///< of mass that finds no room, above 0 under emd one way
  /// Of pairs(): only those of a row before this one with one from it on.
  std::optional<std::size_t> border = {};
};

/// Rows and the vocabulary that they and all queries are over. Values that share their memory.
struct RowSet {
  Vocabulary vocabulary;
  Histograms rows;
  bool brief = false;  ///< for few queries: what pays only for many need not be made
};

/// (a) and (c): a few queries against all rows, under a relaxation, bow or wcd. For one caller.
class QueryBlock {
 public:
  virtual ~QueryBlock() = default;

  /// How many queries prepare() takes together at most.
  [[nodiscard]] virtual std::size_t block() const noexcept = 0;

  /// Makes a range of queries ready. They must stay alive while they are used.
  virtual void prepare(const Histograms& queries, Range range, Run& run) = 0;

  /// A certified lower bound of the distance of every row; rows without weight have any value.
  /// `exact`: they are the distances.
  struct Bounds {
    const float* values = nullptr;  ///< null: none but 0
    std::size_t stride = 0;
    bool exact = false;
    double share = 1;  ///< of a value that is the bound

    [[nodiscard]] float of(std::size_t row) const noexcept {
      return values == nullptr ? 0 : static_cast<float>(share * values[row * stride]);
    }
  };
  /// Of one of the prepared queries; valid until the next call.
  [[nodiscard]] virtual Bounds bounds(std::size_t query) = 0;

  /// Moves lower bounds of some rows, as bounds() gave them for that query, up where a cheaper way
  /// than distances() knows better.
  virtual void raise(std::span<const std::uint32_t> /*rows*/, std::span<float> /*lower*/,
                     Run& /*run*/) {}

  /// The distances of that query, the one bounds() was last asked for, to some rows with weight.
  virtual void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) = 0;
};

/// Families of lower bounds for measures that are solved pair by pair, in the order of their cost.
enum class Bound { projections, into_query, into_row, ict, potentials };

/// How a solver bounds: as much as search wants to choose.
struct SolverOptions {
  int iterations = 7;      ///< of the relaxations: act-j, 0 is rwmd
  bool potentials = true;  ///< solves leave what Bound::potentials needs
  bool prepared = false;   ///< what all solvers share is made at once, not when first asked for
};

/// (c) for measures that are solved pair by pair: emd, emd-hat, sinkhorn. One query at a time, for
/// one caller. All distances are doubles.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Chooses a query with weight, which must stay alive while it is used.
  virtual void set_query(const Histogram& query, Run& run) = 0;

  /// Whether the measure and the ground distance allow such bounds.
  [[nodiscard]] virtual bool offers(Bound bound) const noexcept = 0;

  /// Moves lower bounds of some rows up where this family knows better. Certified: rounding is
  /// already taken off. Potentials are those of the last solves.
  virtual void raise(Bound bound, std::span<const std::uint32_t> rows, std::span<double> lower,
                     Run& run) = 0;

  /// Costs of plans that exist: upper bounds, quickly found.
  virtual void plan_costs(std::span<const std::uint32_t> rows, std::span<double> upper,
                          Run& run) = 0;

  /// The distances to some rows with weight.
  virtual void solve(std::span<const std::uint32_t> rows, std::span<double> distances,
                     Run& run) = 0;

  /// Rows that are best solved together before potentials are raised.
  [[nodiscard]] virtual std::size_t batch() const noexcept = 0;

  /// Distances so far whose iterations stopped at their limit.
  [[nodiscard]] virtual std::uint64_t unconverged() const noexcept { return 0; }
};

/// Pairs to be costed: row i with rows[p] for p in [offsets[i], offsets[i + 1]).
struct Pairs {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> rows;
  std::vector<float> distances;
};

/// Rows that were found for one place, with the memory that they take.
struct FoundRows {
  std::vector<std::uint32_t> rows;
  core::Reservation reserved;
};

/// (b) and (c): all pairs of the rows, under a relaxation, bow or wcd. Rows are numbered by places
/// in an order that is good for the backend. For one caller.
class PairStage {
 public:
  virtual ~PairStage() = default;

  /// True where what is listed is the distance itself: nothing to refine.
  [[nodiscard]] virtual bool exact() const noexcept = 0;

  /// The row at each place; empty: rows stand at the places of their numbers. Rows before a border
  /// stand before the others.
  [[nodiscard]] virtual std::span<const std::uint32_t> order() const noexcept { return {}; }

  /// The work in parts that can be done apart, in order: to stop and to go on later. Which pairs
  /// are in which part depends on the memory at hand.
  [[nodiscard]] virtual std::size_t units() const noexcept = 0;

  /// Units of stages over the same order of rows are the same where this is.
  [[nodiscard]] virtual std::uint64_t units_plan() const noexcept { return 0; }

  /// Offers every pair of rows with weight of these parts to the lists of both, by places, but for
  /// pairs whose bound exceeds both lists' limits.
  virtual void list(Range units, CandidateLists& lists, Run& run) = 0;

  /// For places whose lists were too short: found[i] gets the rows, by number, whose bound is at
  /// most limits[i]. Only for stages that are not exact.
  virtual void list_below(std::span<const std::uint32_t> places, std::span<const float> limits,
                          std::vector<FoundRows>& found, Run& run);

  /// Fills pairs.distances. Only for stages that are not exact.
  virtual void cost(Pairs& pairs, Run& run);

  /// Bytes that cost() takes per pair, the pairs included.
  [[nodiscard]] virtual std::uint64_t bytes_per_pair() const noexcept { return 0; }
};

/// The lists that pairs are asked for: how long they will be, and the bytes that whoever keeps them
/// takes, for lists of distances, or for lists of bounds and what comes of them, the pairs to be
/// costed left aside.
struct ListsWanted {
  std::size_t top = 0;
  std::uint64_t distances_memory = 0;
  std::uint64_t bounds_memory = 0;
};

/// Receives distances in stripes of queries, counted from the first of the range: row-major, as
/// long as the range of rows.
using StripeSink =
    std::function<void(std::size_t first_query, std::size_t count, std::span<const float> values)>;

/// Rows made ready on some device: immutable, for any number of callers at once. Parts that only
/// some measures need are made when first asked for, once, and are charged while they are kept.
class PreparedRows {
 public:
  virtual ~PreparedRows() = default;

  [[nodiscard]] virtual std::size_t rows() const noexcept = 0;
  /// Whether a row has no weight: it has no distance to anything.
  [[nodiscard]] virtual bool is_empty(std::size_t row) const noexcept = 0;

  /// Makes ready what a task needs beyond the rows, so that its first answer is as quick as the
  /// others, and with all threads of the run.
  virtual void prepare(const Task& task, Run& run) const = 0;

  /// For relaxations, bow and wcd. `queries`: how many there will be.
  [[nodiscard]] virtual std::unique_ptr<QueryBlock> queries(const Task& task, std::size_t queries,
                                                            Run& run) const = 0;

  /// For relaxations, bow and wcd. The stage may list lower bounds where that leaves enough to
  /// gain. None where the budget is so small that queries one after the other are faster.
  [[nodiscard]] virtual std::unique_ptr<PairStage> pairs(const Task& task, const ListsWanted& lists,
                                                         Run& run) const = 0;

  /// (a) for relaxations, bow and wcd: distances of rows to rows without pruning. Pairs with a row
  /// without weight are NaN.
  virtual void matrix(const Task& task, Range queries, Range rows, Run& run,
                      const StripeSink& sink) const = 0;

  /// For emd, emd-hat and sinkhorn.
  [[nodiscard]] virtual std::unique_ptr<Solver> solver(const Task& task,
                                                       const SolverOptions& options,
                                                       Run& run) const = 0;
  /// Bytes that one takes for queries of so many bins.
  [[nodiscard]] virtual std::uint64_t solver_memory(const Task& task, const SolverOptions& options,
                                                    std::size_t bins, Run& run) const = 0;
};

/// A way to compute.
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// `threshold`: ground distances above it count as it; infinity for none.
  [[nodiscard]] virtual std::unique_ptr<const PreparedRows> prepare(const RowSet& rows,
                                                                    double threshold,
                                                                    Run& run) const = 0;
};

/// The backend of that name ("cpu", "cpu-uncached", "cpu:avx2", "reference", or devices as in
/// device/device_backend.hpp); throws Error(usage) naming those that exist.
const Backend& find_backend(std::string_view name);

/// All backends but those of devices, the default first.
std::span<const Backend* const> all_backends();

}  // namespace navvy::backends
