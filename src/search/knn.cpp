#include "search/knn.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "search/all_pairs.hpp"
#include "search/baseline_tiles.hpp"
#include "search/few_queries.hpp"
#include "search/large_tiles.hpp"
#include "search/pair_lists.hpp"
#include "search/small_tiles.hpp"

namespace navvy::search {
std::unique_ptr<TileSource> tiles_for(const Engine& engine, const Measure& measure,
                                      std::size_t batch, unsigned threads) {
  switch (measure.kind) {
    case MeasureKind::bow:
      return std::make_unique<BowTiles>(engine.rows, engine.index.vocabulary.size(), threads);
    case MeasureKind::wcd:
      return std::make_unique<WcdTiles>(engine.index, engine.rows);
    default:
      if (!engine.is_small)
        return std::make_unique<LargeTiles>(engine.index, engine.rows, *engine.large,
                                            backends::levels_of(measure), batch);
      return std::make_unique<SmallTiles>(engine.index, engine.rows, *engine.small,
                                          backends::levels_of(measure), threads);
  }
}

Histograms chosen_rows(const Histograms& rows, std::span<const std::uint32_t> chosen) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  for (const std::uint32_t row : chosen) {
    const Histogram histogram = rows[row];
    coordinates.insert(coordinates.end(), histogram.coordinates.begin(),
                       histogram.coordinates.end());
    weights.insert(weights.end(), histogram.weights.begin(), histogram.weights.end());
    offsets.push_back(coordinates.size());
  }
  return {rows.vocabulary_size(), Array(std::move(offsets)), Array(std::move(coordinates)),
          Array(std::move(weights))};
}

namespace {

using Clock = std::chrono::steady_clock;
using Candidate = core::Candidate<float>;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The lists of the cheap stage are this many times as long as the answer. On 60,000 MNIST rows the
// asked measures leave 3 to 6 times the answer below their threshold.
constexpr std::size_t list_factor = 6;

Lists all_pairs_lists(const Engine& engine, const SearchOptions& options, const Measure& measure,
                      std::size_t length, core::Budget& budget, core::ThreadPool& pool,
                      core::Monitor& monitor, Matches& matches) {
  const std::size_t n = engine.rows.rows();
  const auto start = Clock::now();
  budget.take(std::uint64_t{n} * core::TopList<float>::memory(length), "lists of nearest rows");
  Lists lists(n, core::TopList<float>(length));
  const auto source = tiles_for(engine, measure, options.batch, pool.threads());
  offer_all_pairs(*source, engine.rows, options.direction, budget, pool, monitor, lists);
  matches.counters.stages.push_back(
      {to_string(measure), std::uint64_t{n} * (n - 1), seconds_since(start)});
  return lists;
}

void put(std::span<const Candidate> list, std::size_t query, Matches& matches) {
  for (std::size_t rank = 0; rank < std::min(list.size(), matches.top); ++rank) {
    matches.rows[query * matches.top + rank] = list[rank].row;
    matches.distances[query * matches.top + rank] = static_cast<double>(list[rank].distance);
  }
}

// Where every row has all coordinates, rwmd is 0 for all pairs and prunes nothing.
Measure cheap_stage(const Engine& engine) {
  const std::size_t sample = std::min<std::size_t>(engine.index.rows.size(), 64);
  for (std::size_t row = 0; row < sample; ++row)
    if (engine.index.rows[row].size() < engine.index.vocabulary.size())
      return {MeasureKind::rwmd, 1};
  return {MeasureKind::omr, 1};
}

// The lists of the cheap stage being turned into lists of the asked measure.
class Refinement {
 public:
  Refinement(const Engine& engine, const SearchOptions& options, core::ThreadPool& pool,
             core::Monitor& monitor, std::size_t length)
      : engine_(engine), options_(options), pool_(pool), monitor_(monitor), length_(length) {}

  // Returns the rows whose lists could not be proven complete.
  std::vector<std::uint32_t> run(Lists cheap, Matches& matches) {
    const auto start = Clock::now();
    const std::size_t n = cheap.size();
    // First the nearest few of each row: they bound the answer's last distance, so that of the rest
    // only those below that bound are costed.
    std::vector<core::TopList<float>> answers(n, core::TopList<float>(options_.top));
    std::uint64_t costed = 0;
    for (const bool first_pass : {true, false}) {
      PairLists pairs = choose(cheap, answers, first_pass);
      costed += pairs.rows.size();
      fill_distances(engine_.index, engine_.rows, *engine_.small, options_.measure,
                     options_.direction, pool_, monitor_, pairs);
      for (std::size_t row = 0; row < n; ++row)
        for (std::uint64_t p = pairs.offsets[row]; p < pairs.offsets[row + 1]; ++p)
          answers[row].offer(pairs.distances[p], pairs.rows[p]);
    }
    std::vector<std::uint32_t> unproven;
    for (std::size_t row = 0; row < n; ++row) {
      const auto& listed = cheap[row].sorted();
      const auto& answer = answers[row].sorted();
      const bool all_listed = listed.size() < length_;
      if (all_listed || answer.empty() || answer.back().distance < listed.back().distance)
        put(answer, row, matches);
      else
        unproven.push_back(static_cast<std::uint32_t>(row));
    }
    matches.counters.stages.push_back({to_string(options_.measure), costed, seconds_since(start)});
    return unproven;
  }

 private:
  PairLists choose(Lists& cheap, Lists& answers, bool first_pass) {
    PairLists pairs;
    for (std::size_t row = 0; row < cheap.size(); ++row) {
      const auto& listed = cheap[row].sorted();
      const std::size_t cut = std::min(listed.size(), options_.top);
      if (!first_pass) answers[row].sorted();
      const float bound = answers[row].threshold();
      const auto range = first_pass ? std::span(listed).first(cut) : std::span(listed).subspan(cut);
      for (const Candidate& candidate : range)
        if (first_pass || candidate.distance <= bound) pairs.rows.push_back(candidate.row);
      pairs.offsets.push_back(pairs.rows.size());
    }
    return pairs;
  }

  const Engine& engine_;
  const SearchOptions& options_;
  core::ThreadPool& pool_;
  core::Monitor& monitor_;
  std::size_t length_;
};

}  // namespace

void knn_tiles(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  Lists lists = all_pairs_lists(engine, options, options.measure, options.top, budget, pool,
                                monitor, matches);
  for (std::size_t row = 0; row < lists.size(); ++row) put(lists[row].sorted(), row, matches);
}

void knn_small(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  const Measure cheap = cheap_stage(engine);
  if (options.measure == cheap || options.measure.kind == MeasureKind::rwmd ||
      (options.measure.kind == MeasureKind::omr && cheap.kind == MeasureKind::omr)) {
    knn_tiles(engine, options, budget, pool, monitor, matches);
    return;
  }
  const std::size_t length = std::min(list_factor * options.top, engine.rows.rows());
  core::Budget stage = budget;  // tables and tiles are gone before the lists are refined
  Lists lists = all_pairs_lists(engine, options, cheap, length, stage, pool, monitor, matches);
  Refinement refinement(engine, options, pool, monitor, length);
  const auto unproven = refinement.run(std::move(lists), matches);
  if (unproven.empty()) return;

  // Their lists grow to whatever length the proof takes.
  matches.counters.list_growths = unproven.size();
  const Histograms queries = chosen_rows(engine.index.rows, unproven);
  Matches grown{unproven.size(), options.top, {}, {}, {}};
  grown.rows.assign(unproven.size() * options.top, Matches::no_row);
  grown.distances.assign(grown.rows.size(), std::numeric_limits<double>::quiet_NaN());
  search_relaxation(engine, {&queries, unproven}, options, budget, pool, monitor, grown);
  for (std::size_t i = 0; i < unproven.size(); ++i) {
    const auto to = static_cast<std::ptrdiff_t>(unproven[i] * options.top);
    const auto from = static_cast<std::ptrdiff_t>(i * options.top);
    const auto count = static_cast<std::ptrdiff_t>(options.top);
    std::copy_n(grown.rows.begin() + from, count, matches.rows.begin() + to);
    std::copy_n(grown.distances.begin() + from, count, matches.distances.begin() + to);
  }
  for (auto& counter : grown.counters.stages) matches.counters.stages.push_back(std::move(counter));
}

}  // namespace navvy::search
