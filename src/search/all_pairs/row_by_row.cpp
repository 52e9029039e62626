// Rows with weight as queries, answered part by part, and what is saved of their answers.
#include "search/all_pairs/row_by_row.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/chosen_rows.hpp"
#include "search/answers.hpp"
#include "search/queries/answer.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {
namespace {

// What of a proof is saved: all but its stages.
struct ProofNumbers {
  std::array<std::uint64_t, 5> counts;
  double beyond, seconds;
};

ProofNumbers numbers_of(const Proof& proof) {
  return {{proof.rows, proof.solves, proof.undecided, proof.matches, proof.certain},
          proof.beyond,
          proof.seconds};
}

Proof proof_of(const ProofNumbers& numbers) {
  const auto& [rows, solves, undecided, matches, certain] = numbers.counts;
  return {{}, rows, solves, undecided, matches, certain, numbers.beyond, numbers.seconds};
}

// A unit is a row that is asked for and has weight.
class RowByRow : public ResumableWork {
 public:
  RowByRow(const backends::PreparedRows& rows, const Histograms& histograms,
           const SearchOptions& options, core::Run& run)
      : rows_(rows), histograms_(histograms), options_(options), run_(run) {
    for (std::uint32_t row = 0; row < rows.rows(); ++row)
      if (!rows.is_empty(row) && is_among(options, row)) chosen_.push_back(row);
    found_ = Matches(chosen_.size(), options.top);
    if (!is_exact(options.question.measure)) return;
    found_.add_bounds();
  }

  [[nodiscard]] std::size_t units() const override { return chosen_.size(); }

  void run(core::Range units) override {
    for (std::size_t begin = units.begin; begin < units.end;) {
      std::size_t end = std::min(begin + rows_at_once, units.end);
      // Those before a border look at the rows behind it, and the other way round.
      const bool before = options_.border && chosen_[begin] < *options_.border;
      while (before && chosen_[end - 1] >= *options_.border) --end;
      run_some({begin, end});
      begin = end;
    }
  }

  void save(std::size_t done, core::CheckedWriter& writer) override {
    for_columns([&](auto& column) {
      writer.write(std::span(std::as_const(column)).first(done * options_.top));
    });
    for (std::size_t i = 0; i < std::min(done, found_.proofs.size()); ++i) {
      const ProofNumbers numbers = numbers_of(found_.proofs[i]);
      writer.write(std::span(&numbers, 1));
    }
  }

  void load(std::size_t done, core::CheckedReader& reader) override {
    for_columns([&](auto& column) { reader.read(std::span(column).first(done * options_.top)); });
    for (std::size_t i = 0; i < std::min(done, found_.proofs.size()); ++i) {
      ProofNumbers numbers{};
      reader.read(std::span(&numbers, 1));
      found_.proofs[i] = proof_of(numbers);
    }
    for (const std::int64_t row : found_.rows)
      reader.require(row == no_row || (row >= 0 && static_cast<std::uint64_t>(row) < rows_.rows()),
                     "it holds what is no row");
  }

  // By row; rows that were not asked for, or have no weight, have no matches.
  Matches matches() && { return spread(std::move(found_), chosen_, rows_.rows()); }

 private:
  // Rows that become queries are copied: so many at a time.
  static constexpr std::size_t rows_at_once = 1024;

  void run_some(core::Range units) {
    const std::span<const std::uint32_t> part =
        std::span(chosen_).subspan(units.begin, units.size());
    const Histograms histograms = core::chosen_rows(histograms_, part);
    const Queries queries{&histograms, part, units.begin, chosen_.size()};
    SearchOptions options = options_;
    if (options_.border) options.among = across(part.front());
    if (!options_.limits.empty()) {
      std::vector<double> limits;
      limits.reserve(part.size());
      for (const std::uint32_t row : part) limits.push_back(options_.limits[row]);
      options.limits = Array(std::move(limits));
    }
    take(answer(rows_, queries, options, run_), units.begin);
  }

  // The rows that one on this side of the border looks at.
  [[nodiscard]] Array<std::uint8_t> across(std::uint32_t row) const {
    std::vector<std::uint8_t> among(rows_.rows());
    for (std::size_t other = 0; other < among.size(); ++other)
      among[other] = is_among(options_, other) && is_across(options_, row, other) ? 1 : 0;
    return Array(std::move(among));
  }

  // Of what is found: `top` values per row each.
  template <class Body>
  void for_columns(const Body& body) {
    body(found_.rows);
    body(found_.distances);
    if (!is_exact(options_.question.measure)) return;
    body(found_.lower);
    body(found_.upper);
    body(found_.exact);
  }

  void take(Matches answers, std::size_t first) {
    const auto put = [](auto& from, auto& to, std::size_t place) {
      if (from.empty()) return;  // a column that only emd has
      std::move(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(place));
    };
    put(answers.rows, found_.rows, first * options_.top);
    put(answers.distances, found_.distances, first * options_.top);
    put(answers.lower, found_.lower, first * options_.top);
    put(answers.upper, found_.upper, first * options_.top);
    put(answers.exact, found_.exact, first * options_.top);
    put(answers.proofs, found_.proofs, first);
    for (const SearchCounters::Stage& stage : answers.counters.stages)
      add_stage(stage, found_.counters.stages);
    found_.counters.unconverged += answers.counters.unconverged;
  }

  const backends::PreparedRows& rows_;
  const Histograms& histograms_;
  const SearchOptions& options_;
  core::Run& run_;
  std::vector<std::uint32_t> chosen_;
  Matches found_;  // by place in chosen_
};

}  // namespace

Matches knn_row_by_row(const backends::PreparedRows& rows, const Histograms& histograms,
                       const SearchOptions& options, const Saving& saving, core::Run& run) {
  RowByRow work(rows, histograms, options, run);
  run_saved(work, saving, run);
  return std::move(work).matches();
}

}  // namespace navvy::search
