// Rows that are searched together: all of an index, or some of them alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "core/budget.hpp"
#include "core/run.hpp"
#include "navvy/array.hpp"
#include "navvy/histograms.hpp"
#include "navvy/matches.hpp"
#include "navvy/measure.hpp"

namespace navvy::search {

/// Throws Error(usage) unless a choice, as in SearchOptions::among, is one among so many rows.
void check_choice(const Array<std::uint8_t>& among, std::size_t rows);

/// The rows that a choice leaves, ascending.
std::vector<std::uint32_t> rows_left(const Array<std::uint8_t>& among);

/// A set of rows and what a backend has made of them. For any number of threads.
class ReadyRows {
 public:
  ReadyRows(backends::RowSet set, const backends::Backend& backend)
      : set_(std::move(set)), backend_(backend) {}

  [[nodiscard]] const backends::RowSet& set() const noexcept { return set_; }

  /// The rows under the ground distance of a measure, made when first asked for; those with a
  /// threshold are kept until another one is asked for. Whoever computes with them keeps them
  /// alive.
  [[nodiscard]] std::shared_ptr<const backends::PreparedRows> under(const Measure& measure,
                                                                    core::Run& run) const;

 private:
  struct Prepared {
    std::shared_ptr<const backends::PreparedRows> rows;
    double threshold = 0;
  };

  backends::RowSet set_;
  const backends::Backend& backend_;
  mutable std::mutex mutex_;  // held while rows are made: others wait for them
  mutable Prepared plain_, hat_;
};

/// What a part of the rows is wanted for.
struct PartWanted {
  std::vector<std::uint32_t> rows;      ///< ascending
  const Histograms* queries = nullptr;  ///< over the whole vocabulary; null: the rows themselves
  bool brief = false;                   ///< see backends::RowSet
};

/// Some rows of a set with the coordinates that they and some queries use, and no others: what is
/// computed with it costs in proportion to these. Numbers ascend with those of the whole set and
/// coordinates keep theirs, so distances and ties are the same.
class RowPart {
 public:
  /// `also`: further coordinates of the whole set, ascending. What is copied is charged to the
  /// searcher.
  RowPart(const backends::RowSet& whole, PartWanted wanted, std::span<const std::uint32_t> also,
          const backends::Backend& backend, const core::Run& run);

  [[nodiscard]] const ReadyRows& ready() const noexcept { return *ready_; }
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<std::uint32_t>& coordinates() const noexcept {
    return coordinates_;
  }

  /// Whether this is the part that is wanted, with all coordinates of the queries.
  [[nodiscard]] bool serves(const PartWanted& wanted) const;
  /// Whether it has these; null: no queries.
  [[nodiscard]] bool has_coordinates_of(const Histograms* queries) const;

  /// Queries over the whole vocabulary, over that of the part. It must have their coordinates.
  [[nodiscard]] Histograms renumbered(const Histograms& queries) const;

  /// The numbers of some rows in this part; no_own_row for those that are not in it.
  [[nodiscard]] std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> rows) const;

  /// Gives matches within this part the numbers of the whole set.
  void number_as_whole(Matches& matches) const;

 private:
  std::vector<std::uint32_t> rows_, coordinates_;  // of the whole set, ascending
  bool brief_;
  core::Reservation reserved_;
  std::unique_ptr<ReadyRows> ready_;
};

/// All rows of an index, and the part of them that was asked for last. For any number of threads.
class SearchedRows {
 public:
  SearchedRows(const backends::RowSet& rows, const backends::Backend& backend)
      : backend_(backend), all_(rows, backend) {}

  [[nodiscard]] const ReadyRows& all() const noexcept { return all_; }

  /// Whether a part of so many rows is worth making: of more than half, all rows cost little more.
  [[nodiscard]] bool pays(std::size_t rows) const noexcept {
    return 2 * rows <= all_.set().rows.size();
  }

  /// That part alone, kept until another is asked for. Where queries use other coordinates than
  /// earlier ones did, it is made anew with these. Whoever computes with it keeps it alive.
  [[nodiscard]] std::shared_ptr<const RowPart> part(PartWanted wanted, const core::Run& run) const;

  /// Gives the memory of the part back.
  void drop_part() const;

 private:
  [[nodiscard]] std::vector<std::uint32_t> coordinates_to_keep(const PartWanted& wanted) const;

  const backends::Backend& backend_;
  ReadyRows all_;
  mutable std::mutex mutex_;  // held while a part is made: others wait for it
  mutable std::shared_ptr<const RowPart> part_;
};

}  // namespace navvy::search
