// The queries of one call, and which rows may answer them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/parallel.hpp"
#include "navvy/histograms.hpp"
#include "navvy/search.hpp"

namespace navvy::search {

/// No row of a row set has this number.
inline constexpr std::uint32_t no_own_row = 0xffffffff;

/// Queries of one call: given histograms, or rows of the index, which are left out of their own
/// matches.
struct Queries {
  const Histograms* histograms = nullptr;
  std::span<const std::uint32_t> own_rows;  ///< parallel to the queries, or empty
  /// For those who wait: how many were answered before, and how many there are in all; 0: these.
  std::size_t before = 0;
  std::size_t in_all = 0;

  [[nodiscard]] std::size_t size() const noexcept { return histograms->size(); }
  /// Tells where the work stands, in units of `per_query` for each.
  void begin(core::Monitor& monitor, std::size_t per_query) const {
    monitor.begin("queries", (in_all > 0 ? in_all : size()) * per_query);
    monitor.add(before * per_query);
  }
  [[nodiscard]] std::uint32_t own_row(std::size_t query) const noexcept {
    return own_rows.empty() ? no_own_row : own_rows[query];
  }
};

/// Whether a search looks at a row at all.
inline bool is_among(const SearchOptions& options, std::size_t row) noexcept {
  return options.among.empty() || options.among[row] != 0;
}

/// Whether a pair of rows is asked for: all are, unless it is across a border.
inline bool is_across(const SearchOptions& options, std::size_t a, std::size_t b) noexcept {
  return !options.border || (a < *options.border) != (b < *options.border);
}

/// How many pairs all rows against all are, each counted both ways.
inline std::uint64_t pairs_of(const SearchOptions& options, std::size_t rows) noexcept {
  if (!options.border) return std::uint64_t{rows} * (rows - 1);
  return std::uint64_t{2} * *options.border * (rows - *options.border);
}

/// Whether any search starts from a limit.
inline bool has_limits(const SearchOptions& options) noexcept {
  return !options.limits.empty() || !std::isinf(options.within);
}

/// The limit from which the search for one query starts.
inline double start_limit(const SearchOptions& options, std::size_t query) noexcept {
  return options.limits.empty() ? options.within : std::min(options.within, options.limits[query]);
}

/// The largest float that does not exceed it.
inline float float_limit(const SearchOptions& options, std::size_t query) noexcept {
  const double exact = start_limit(options, query);
  const auto limit = static_cast<float>(exact);
  return static_cast<double>(limit) <= exact
             ? limit
             : std::nextafter(limit, -std::numeric_limits<float>::infinity());
}

}  // namespace navvy::search
