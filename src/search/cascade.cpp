// The cascade for all rows against all: RWMD (or OMR) for every pair, the asked relaxation for the
// pairs that can still enter a list, and a proof per row. What is left out of a list is at least as
// far under the cheap measure as the last that is in it; the asked measure is never below the cheap
// one; so a list is complete once its last asked distance is below that.

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "search/all_pairs.hpp"
#include "search/few_queries.hpp"
#include "search/knn.hpp"
#include "search/pair_lists.hpp"
#include "search/small_tiles.hpp"
#include "search/subset.hpp"

namespace navvy::search {
namespace {

using Candidate = core::Candidate<float>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Where every row has all coordinates, rwmd is 0 for all pairs and prunes nothing.
Measure cheap_stage(const Engine& engine) {
  const std::size_t sample = std::min<std::size_t>(engine.index.rows.size(), 64);
  for (std::size_t row = 0; row < sample; ++row)
    if (engine.index.rows[row].size() < engine.index.vocabulary.size())
      return {MeasureKind::rwmd, 1};
  return {MeasureKind::omr, 1};
}

// The answer's last distance is bounded well by twice as many rows as it has: among the nearest few
// under the cheap measure there are always some that are far under the asked one.
constexpr std::size_t surplus = 2;

class Cascade {
 public:
  Cascade(const Engine& engine, const SearchOptions& options, const Measure& cheap,
          core::Budget& budget, core::ThreadPool& pool, core::Monitor& monitor, Matches& matches)
      : engine_(engine),
        options_(options),
        cheap_(cheap),
        budget_(budget),
        pool_(pool),
        monitor_(monitor),
        matches_(matches),
        n_(engine.rows.rows()),
        tiles_(engine.index, engine.rows, *engine.small, backends::levels_of(cheap),
               pool.threads()) {}

  void run() {
    const auto start = Clock::now();
    const bool one_slot = budget_.fits(tiles_.memory_per_query() * n_);
    std::size_t length = std::min(6 * options_.top, n_);
    if (one_slot) {
      tiles_.prepare(0, {0, n_}, pool_, monitor_);
      length = length_by_sample();
    }
    core::Budget stage = budget_;
    length = fitting_length(length);
    stage.take(std::uint64_t{n_} * list_bytes(length), "lists of nearest rows");
    Lists lists(n_, core::TopList<float>(length));
    offer_all_pairs(tiles_, engine_.rows, options_.direction, stage, pool_, monitor_, lists);
    matches_.counters.stages.push_back(
        {to_string(cheap_), std::uint64_t{n_} * (n_ - 1), seconds_since(start)});
    refine(lists, length, one_slot);
  }

 private:
  // A list, and its pairs while they are costed.
  static std::uint64_t list_bytes(std::size_t length) {
    return core::TopList<float>::memory(length) + length * bytes_per_pair;
  }

  // Shorter lists than planned cost time, not truth: more of them have to grow.
  [[nodiscard]] std::size_t fitting_length(std::size_t length) const {
    const std::uint64_t share = budget_.left() / 2 / n_;
    while (length > options_.top && list_bytes(length) > share)
      length = std::max(options_.top, length - length / 8 - 1);
    return length;
  }

  // The asked measure for chosen pairs, offered to the answers.
  void cost(PairLists& pairs, Lists& answers) {
    costed_ += pairs.rows.size();
    fill_distances(engine_.index, engine_.rows, *engine_.small, options_.measure,
                   options_.direction, pool_, monitor_, pairs);
    for (std::size_t row = 0; row < n_; ++row)
      for (std::uint64_t p = pairs.offsets[row]; p < pairs.offsets[row + 1]; ++p)
        answers[row].offer(pairs.distances[p], pairs.rows[p]);
  }

  // Brings the `count` nearest to the front; returns the distance of the last of them.
  static float bring_forward(std::span<Candidate> listed, std::size_t count) {
    if (listed.size() < count) return std::numeric_limits<float>::infinity();
    const auto last = listed.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(listed.begin(), last, listed.end());
    return last->distance;
  }

  // How long the lists of the cheap stage must be, for all but a few rows.
  std::size_t length_by_sample() {
    constexpr std::size_t sample_size = 128;
    std::vector<std::uint32_t> sample;
    const std::size_t step = std::max<std::size_t>(1, n_ / sample_size);
    for (std::size_t row = 0; row < n_; row += step)
      if (!engine_.rows.is_empty(row)) sample.push_back(static_cast<std::uint32_t>(row));
    std::vector<std::vector<Candidate>> all(n_);
    subset_distances(engine_, tiles_, options_.direction, sample, pool_, monitor_,
                     [&](std::uint32_t row, std::span<const float> distances) {
                       all[row] = others(row, distances, std::numeric_limits<float>::infinity());
                     });
    PairLists pairs;
    for (std::size_t row = 0; row < n_; ++row) {
      const std::size_t count = std::min(surplus * options_.top, all[row].size());
      if (count > 0) bring_forward(all[row], count);
      for (const Candidate& candidate : std::span(all[row]).first(count))
        pairs.rows.push_back(candidate.row);
      pairs.offsets.push_back(pairs.rows.size());
    }
    Lists answers(n_, core::TopList<float>(options_.top));
    cost(pairs, answers);
    std::vector<std::size_t> lengths{options_.top};
    for (const std::uint32_t row : sample) {
      answers[row].kept();
      const float bound = answers[row].threshold();
      lengths.push_back(static_cast<std::size_t>(
          std::count_if(all[row].begin(), all[row].end(),
                        [&](const Candidate& c) { return c.distance <= bound; })));
    }
    std::sort(lengths.begin(), lengths.end());
    // The few rows beyond this share get longer lists.
    const std::size_t length = lengths[(lengths.size() - 1) * 31 / 32];
    return std::min(std::max(length + length / 16, surplus * options_.top), n_);
  }

  // The rows that may match a row: those with weight, itself excluded, up to a distance.
  [[nodiscard]] std::vector<Candidate> others(std::uint32_t own, std::span<const float> distances,
                                              float limit) const {
    std::vector<Candidate> found;
    for (std::uint32_t row = 0; row < n_; ++row)
      if (distances[row] <= limit && row != own && !engine_.rows.is_empty(row))
        found.push_back({distances[row], row});
    return found;
  }

  void refine(Lists& lists, std::size_t length, bool one_slot) {
    const auto start = Clock::now();
    Lists answers(n_, core::TopList<float>(options_.top));
    std::vector<std::size_t> done(n_);  // of each list, from its front
    PairLists first;
    for (std::size_t row = 0; row < n_; ++row) {
      auto& listed = lists[row].kept();
      done[row] = std::min(surplus * options_.top, listed.size());
      if (done[row] > 0) bring_forward(listed, done[row]);
      for (const Candidate& candidate : std::span(listed).first(done[row]))
        first.rows.push_back(candidate.row);
      first.offsets.push_back(first.rows.size());
    }
    cost(first, answers);

    // The rest of a list up to the bound that is known now, or more than was listed.
    std::vector<std::vector<std::uint32_t>> more(n_);
    std::vector<std::uint32_t> too_short;
    for (std::size_t row = 0; row < n_; ++row) {
      answers[row].kept();
      const float bound = answers[row].threshold();
      const auto listed = std::span(lists[row].kept());
      if (listed.size() == length && lists[row].threshold() <= bound) {
        too_short.push_back(static_cast<std::uint32_t>(row));
        continue;
      }
      for (const Candidate& candidate : listed.subspan(done[row]))
        if (candidate.distance <= bound) more[row].push_back(candidate.row);
    }
    matches_.counters.list_growths = too_short.size();
    if (one_slot) {
      subset_distances(
          engine_, tiles_, options_.direction, too_short, pool_, monitor_,
          [&](std::uint32_t row, std::span<const float> distances) {
            for (const Candidate& candidate : others(row, distances, answers[row].threshold()))
              more[row].push_back(candidate.row);
          });
      // All that can enter is costed, what was costed before included: it must not stand twice.
      for (const std::uint32_t row : too_short) answers[row] = core::TopList<float>(options_.top);
    }
    PairLists second;
    for (const auto& rows : more) {
      second.rows.insert(second.rows.end(), rows.begin(), rows.end());
      second.offsets.push_back(second.rows.size());
    }
    if (!second.rows.empty()) cost(second, answers);
    for (std::size_t row = 0; row < n_; ++row) put(answers[row].sorted(), row, matches_);
    matches_.counters.stages.push_back(
        {to_string(options_.measure), costed_, seconds_since(start)});
    if (!one_slot) search_again(too_short);
  }

  // Without the tables of all rows at hand, rows whose lists were too short are searched alone.
  void search_again(const std::vector<std::uint32_t>& rows) {
    const Histograms queries = chosen_rows(engine_.index.rows, rows);
    Matches found{rows.size(), options_.top, {}, {}, {}};
    found.rows.assign(rows.size() * options_.top, Matches::no_row);
    found.distances.assign(found.rows.size(), std::numeric_limits<double>::quiet_NaN());
    search_relaxation(engine_, {&queries, rows}, options_, budget_, pool_, monitor_, found);
    const auto count = static_cast<std::ptrdiff_t>(options_.top);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto from = static_cast<std::ptrdiff_t>(i) * count;
      const auto to = static_cast<std::ptrdiff_t>(rows[i]) * count;
      std::copy_n(found.rows.begin() + from, count, matches_.rows.begin() + to);
      std::copy_n(found.distances.begin() + from, count, matches_.distances.begin() + to);
    }
  }

  const Engine& engine_;
  const SearchOptions& options_;
  Measure cheap_;
  core::Budget& budget_;
  core::ThreadPool& pool_;
  core::Monitor& monitor_;
  Matches& matches_;
  std::size_t n_;
  SmallTiles tiles_;
  std::uint64_t costed_ = 0;
};

}  // namespace

void knn_small(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  const Measure cheap = cheap_stage(engine);
  if (options.measure.kind == MeasureKind::rwmd || options.measure.kind == cheap.kind)
    knn_tiles(engine, options, budget, pool, monitor, matches);
  else
    Cascade(engine, options, cheap, budget, pool, monitor, matches).run();
}

}  // namespace navvy::search
