// Copies some rows with their coordinates, and translates numbers.
#include "search/row_part.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/chosen_rows.hpp"
#include "navvy/error.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {
namespace {

// Marks are bytes per coordinate of the whole set: nothing beside its coordinates themselves.
class UsedCoordinates {
 public:
  explicit UsedCoordinates(std::size_t all) : used_(all) {}

  void add(std::span<const std::uint32_t> coordinates) {
    for (const std::uint32_t coordinate : coordinates) used_[coordinate] = 1;
  }

  [[nodiscard]] std::vector<std::uint32_t> list() const {
    std::vector<std::uint32_t> coordinates;
    for (std::uint32_t id = 0; id < used_.size(); ++id)
      if (used_[id] != 0) coordinates.push_back(id);
    return coordinates;
  }

 private:
  std::vector<std::uint8_t> used_;
};

std::vector<std::uint32_t> coordinates_for(const backends::RowSet& whole, const PartWanted& wanted,
                                           std::span<const std::uint32_t> also) {
  UsedCoordinates used(whole.vocabulary.size());
  for (const std::uint32_t row : wanted.rows) used.add(whole.rows[row].coordinates);
  if (wanted.queries != nullptr) used.add(wanted.queries->coordinates().span());
  used.add(also);
  return used.list();
}

std::uint64_t bins_of(const Histograms& rows, std::span<const std::uint32_t> chosen) {
  std::uint64_t bins = 0;
  for (const std::uint32_t row : chosen) bins += rows[row].size();
  return bins;
}

Vocabulary chosen(const Vocabulary& all, std::span<const std::uint32_t> coordinates) {
  std::vector<float> values;
  std::vector<std::uint32_t> numbers;
  values.reserve(coordinates.size() * all.dimensions());
  for (const std::uint32_t id : coordinates) {
    const auto coordinate = all.coordinate(id);
    values.insert(values.end(), coordinate.begin(), coordinate.end());
    numbers.push_back(all.number(id));
  }
  return {all.dimensions(), Array(std::move(values)), Array(std::move(numbers))};
}

}  // namespace

void check_choice(const Array<std::uint8_t>& among, std::size_t rows) {
  if (among.empty() || among.size() == rows) return;
  throw Error(ErrorCode::usage, "a choice among " + std::to_string(among.size()) +
                                    " rows, but the index has " + std::to_string(rows));
}

std::vector<std::uint32_t> rows_left(const Array<std::uint8_t>& among) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < among.size(); ++row)
    if (among[row] != 0) rows.push_back(row);
  return rows;
}

std::shared_ptr<const backends::PreparedRows> ReadyRows::under(const Measure& measure,
                                                               core::Run& run) const {
  validate(measure);
  const bool is_plain = measure.kind != MeasureKind::emd_hat;
  const double threshold = is_plain ? std::numeric_limits<double>::infinity() : measure.threshold;
  const std::scoped_lock lock(mutex_);
  Prepared& prepared = is_plain ? plain_ : hat_;
  if (!prepared.rows || prepared.threshold != threshold) {
    prepared.rows.reset();
    core::Run kept = run.for_kept();
    prepared.rows = backend_.prepare(set_, threshold, kept);
    prepared.threshold = threshold;
  }
  return prepared.rows;
}

RowPart::RowPart(const backends::RowSet& whole, PartWanted wanted,
                 std::span<const std::uint32_t> also, const backends::Backend& backend,
                 const core::Run& run)
    : coordinates_(coordinates_for(whole, wanted, also)), brief_(wanted.brief) {
  rows_ = std::move(wanted.rows);
  const std::uint64_t bins = bins_of(whole.rows, rows_);
  const std::uint64_t per_coordinate =
      whole.vocabulary.dimensions() * sizeof(float) + 2 * sizeof(std::uint32_t);
  constexpr const char* what = "the rows that are left";
  reserved_ = run.budget.for_kept().reserve(
      bins * (sizeof(std::uint32_t) + sizeof(float)) +
          rows_.size() * (sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(double)) +
          coordinates_.size() * per_coordinate,
      what);
  // Until the coordinates of bins have got the numbers of the part.
  const core::Reservation before = run.budget.reserve(bins * sizeof(std::uint32_t), what);
  backends::RowSet part{chosen(whole.vocabulary, coordinates_),
                        renumbered(core::chosen_rows(whole.rows, rows_)), brief_};
  ready_ = std::make_unique<ReadyRows>(std::move(part), backend);
}

bool RowPart::serves(const PartWanted& wanted) const {
  return wanted.rows == rows_ && (wanted.brief || !brief_) && has_coordinates_of(wanted.queries);
}

bool RowPart::has_coordinates_of(const Histograms* queries) const {
  return queries == nullptr ||
         std::ranges::all_of(queries->coordinates(), [&](std::uint32_t coordinate) {
           return std::ranges::binary_search(coordinates_, coordinate);
         });
}

Histograms RowPart::renumbered(const Histograms& queries) const {
  std::vector<std::uint32_t> places;
  places.reserve(queries.coordinates().size());
  for (const std::uint32_t coordinate : queries.coordinates())
    places.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(coordinates_, coordinate) -
                                                coordinates_.begin()));
  return {coordinates_.size(), queries.offsets(), Array(std::move(places)), queries.weights(),
          queries.masses()};
}

std::vector<std::uint32_t> RowPart::places_of(std::span<const std::uint32_t> rows) const {
  std::vector<std::uint32_t> places;
  places.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const auto place = std::ranges::lower_bound(rows_, row);
    const bool found = place != rows_.end() && *place == row;
    places.push_back(found ? static_cast<std::uint32_t>(place - rows_.begin()) : no_own_row);
  }
  return places;
}

void RowPart::number_as_whole(Matches& matches) const {
  for (std::int64_t& row : matches.rows)
    if (row != no_row) row = rows_[static_cast<std::size_t>(row)];
}

std::shared_ptr<const RowPart> SearchedRows::part(PartWanted wanted, const core::Run& run) const {
  const std::scoped_lock lock(mutex_);
  if (part_ && part_->serves(wanted)) return part_;
  const std::vector<std::uint32_t> known = coordinates_to_keep(wanted);
  part_.reset();
  part_ = std::make_shared<const RowPart>(all_.set(), std::move(wanted), known, backend_, run);
  return part_;
}

// Of the part that is there, for the one in its place. Who asks for the same rows with ever new
// words would make it anew every time, which takes as long as looking at some ten times as many
// coordinates does (20 Newsgroups): a part with many of them gets all, once.
std::vector<std::uint32_t> SearchedRows::coordinates_to_keep(const PartWanted& wanted) const {
  constexpr std::size_t many = 8;
  if (!part_ || part_->rows() != wanted.rows) return {};
  const std::size_t all = all_.set().vocabulary.size();
  if (part_->has_coordinates_of(wanted.queries) || part_->coordinates().size() * many < all)
    return part_->coordinates();
  std::vector<std::uint32_t> every(all);
  std::iota(every.begin(), every.end(), 0U);
  return every;
}

void SearchedRows::drop_part() const {
  const std::scoped_lock lock(mutex_);
  part_.reset();
}

}  // namespace navvy::search
