// The rows of an index over its coordinates and those that queries bring.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "backends/backend.hpp"
#include "core/budget.hpp"
#include "core/run.hpp"
#include "navvy/index.hpp"
#include "search/row_part.hpp"

namespace navvy::search {

/// Rows that are made ready once for the coordinates of the index, and again where a query brings
/// others. These stay for later calls, since the next query often has the same; but no query is
/// refused for what an earlier one brought, and no more than 2 MB of it gather. Any thread may
/// call at any time.
class WideRows {
 public:
  using Shared = std::shared_ptr<const SearchedRows>;

  /// Refers to the index and to the backend.
  WideRows(const Index& index, const backends::Backend& backend);

  /// Over the coordinates of the index and those that queries have brought.
  [[nodiscard]] Shared all() const;

  /// The same with all coordinates of a vocabulary. Throws Error(bad_input) where they do not fit
  /// those of the index, and Error(limit) where the budget refuses them.
  [[nodiscard]] Shared with(const Vocabulary& vocabulary, const core::Run& run) const;

  /// Drops what queries have brought; false where there is nothing.
  [[nodiscard]] bool forget() const;

 private:
  [[nodiscard]] Shared own() const;
  // Under the lock:
  [[nodiscard]] Shared widened(const Vocabulary& vocabulary, const core::Run& run) const;
  [[nodiscard]] bool drop() const;

  const Index& index_;
  const backends::Backend& backend_;
  mutable std::mutex mutex_;  // held while rows get coordinates: others wait for them
  mutable Shared rows_;
  mutable core::Reservation wider_;  // for what rows_ has beyond the index
};

}  // namespace navvy::search
