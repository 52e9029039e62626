// Brings the coordinates of queries to the rows of an index, and forgets them again.
#include "search/wide_rows.hpp"

#include <utility>

#include "core/coordinate_range.hpp"
#include "navvy/align.hpp"
#include "navvy/error.hpp"

namespace navvy::search {
namespace {

// More gathers only where one query brings it.
constexpr std::uint64_t most_beyond = std::uint64_t{2} << 20U;

std::uint64_t memory_of(const Vocabulary& vocabulary) {
  return vocabulary.coordinates().span().size_bytes() + vocabulary.numbers().span().size_bytes();
}

}  // namespace

WideRows::WideRows(const Index& index, const backends::Backend& backend)
    : index_(index), backend_(backend), rows_(own()) {}

WideRows::Shared WideRows::all() const {
  const std::scoped_lock lock(mutex_);
  return rows_;
}

WideRows::Shared WideRows::with(const Vocabulary& vocabulary, const core::Run& run) const {
  const std::scoped_lock lock(mutex_);
  try {
    return widened(vocabulary, run);
  } catch (const Error& error) {
    // An earlier query may have had other points at the same places.
    if (error.code() != ErrorCode::bad_input || !drop()) throw;
  }
  return widened(vocabulary, run);
}

bool WideRows::forget() const {
  const std::scoped_lock lock(mutex_);
  return drop();
}

// The coordinates are enough: names are no use here.
WideRows::Shared WideRows::own() const {
  const Vocabulary& words = index_.vocabulary;
  const Vocabulary nameless(words.dimensions(), words.coordinates(), words.numbers());
  return std::make_shared<const SearchedRows>(backends::RowSet{nameless, index_.rows}, backend_);
}

WideRows::Shared WideRows::widened(const Vocabulary& vocabulary, const core::Run& run) const {
  Index wide;
  wide.vocabulary = rows_->all().set().vocabulary;
  wide.rows = rows_->all().set().rows;
  if (!extend(wide, vocabulary)) return rows_;
  if (memory_of(wide.vocabulary) > memory_of(index_.vocabulary) + most_beyond && drop())
    return widened(vocabulary, run);
  core::check_range(wide.vocabulary);
  core::Reservation wider = run.budget.for_kept().reserve(
      memory_of(wide.vocabulary) + wide.rows.coordinates().span().size_bytes(),
      "the words of queries");
  rows_ =
      std::make_shared<const SearchedRows>(backends::RowSet{wide.vocabulary, wide.rows}, backend_);
  wider_ = std::move(wider);
  return rows_;
}

bool WideRows::drop() const {
  if (wider_.bytes() == 0) return false;
  rows_ = own();
  wider_ = core::Reservation();
  return true;
}

}  // namespace navvy::search
