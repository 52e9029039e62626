// Signatures bound every row; moving rows into the query raises the bounds of those that are left.
#include "backends/cpu/queries/signature_block.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "backends/cpu/queries/sorted_query.hpp"
#include "core/buffer.hpp"
#include "core/direction.hpp"
#include "navvy/error.hpp"

namespace navvy::backends {
namespace {

class SignatureBlock : public QueryBlock {
 public:
  SignatureBlock(const Engine& engine, const Task& task, const RowSignatures& signatures, Run& run)
      : levels_(levels_of(task.measure)),
        direction_(task.direction),
        forward_(core::moves_rows(task.direction)),
        backward_(core::moves_query(task.direction)),
        signatures_(signatures),
        query_(engine, levels_, Destinations::all_bins, run),
        bounds_(run.buffer<float>(engine.rows.rows(), "the bounds of a query")) {}

  [[nodiscard]] std::size_t block() const noexcept override { return 1; }

  void prepare(const Histograms& queries, Range range, Run& run) override {
    query_.set_query(queries[range.begin]);
    signatures_.bounds(queries[range.begin], bounds_.span(), run);
  }

  Bounds bounds(std::size_t /*query*/) override { return {bounds_.data(), 1, false}; }

  void raise(std::span<const std::uint32_t> rows, std::span<float> lower, Run& run) override {
    if (!forward_) return;
    in_steps(rows, lower, run, [&](auto some, std::span<float> out, unsigned thread) {
      std::array<float, step> costs;
      query_.into_query(some, std::span(costs).first(some.size()), thread);
      // What the bound says holds both ways.
      for (std::size_t i = 0; i < some.size(); ++i)
        out[i] = std::max(out[i], core::combined(direction_, costs[i], out[i]));
    });
  }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out, Run& run) override {
    in_steps(rows, out, run, [&](auto some, std::span<float> found, unsigned thread) {
      if (forward_ && !levels_.finish) query_.into_query(some, found, thread);
      for (std::size_t i = 0; i < some.size(); ++i) {
        float cost = forward_ ? found[i] : 0;
        if (forward_ && levels_.finish) cost = query_.into_query(some[i], thread);
        const float back = backward_ ? query_.into_row(some[i], thread) : 0;
        found[i] = core::combined(direction_, cost, back);
      }
    });
  }

 private:
  static constexpr std::size_t step = 32;

  // body(rows, values, thread) for few rows at a time.
  template <class Body>
  static void in_steps(std::span<const std::uint32_t> rows, std::span<float> values, Run& run,
                       const Body& body) {
    run.pool.run((rows.size() + step - 1) / step, [&](std::size_t i, unsigned thread) {
      const std::size_t count = std::min(step, rows.size() - i * step);
      body(rows.subspan(i * step, count), values.subspan(i * step, count), thread);
    });
  }

  Levels levels_;
  Direction direction_;
  bool forward_, backward_;
  const RowSignatures& signatures_;
  SortedQuery query_;
  core::Buffer<float> bounds_;
};

// The least distance of two coordinates.
float spacing(const SortedGround& ground) {
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t id = 0; id < ground.size(); ++id)
    if (ground.size() > 1) least = std::min(least, ground.distances(id)[1]);
  return std::isfinite(least) ? least : 0;
}

// Made by the first who asks. Like other caches they may take a quarter of what queries leave.
const RowSignatures* signatures(const Engine& engine, Run& run) {
  const float apart = spacing(*engine.sorted);
  if (apart <= 0) return nullptr;
  try {
    return &engine.signatures.get([&] {
      const std::uint64_t memory = RowSignatures::memory(engine.rows.rows());
      if (memory > left_beside_queries(engine.index, run.budget) / 4)
        throw Error(ErrorCode::limit, "no room for signatures");
      return RowSignatures(engine.index.vocabulary, engine.rows.sources(), apart,
                           engine.rows.kernels(), run);
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit) throw;
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<QueryBlock> signature_block(const Engine& engine, const Task& task,
                                            std::size_t queries, Run& run) {
  // Of more queries a block of tables costs less each where lists are long (queries_bench).
  constexpr std::size_t most_queries = 31;
  const bool limits_room = task.measure.kind == MeasureKind::omr ||
                           task.measure.kind == MeasureKind::ict ||
                           (task.measure.kind == MeasureKind::act && task.measure.iterations > 0);
  if (!engine.signs || !engine.has_sorted || !limits_room || queries > most_queries) return nullptr;
  const RowSignatures* made = signatures(engine, run);
  if (made == nullptr) return nullptr;
  return std::make_unique<SignatureBlock>(engine, task, *made, run);
}

}  // namespace navvy::backends
