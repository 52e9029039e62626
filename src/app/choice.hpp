// Which rows of an index a user leaves to be searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "navvy/index.hpp"

namespace navvy::app {

/// What rows must meet, all of it; nothing: all rows do.
struct RowChoice {
  std::vector<std::string> labels = {};   ///< have one of these
  std::optional<std::string> where = {};  ///< pass this filter
  std::filesystem::path ids = {};         ///< are named in this file, one id per line
};

/// The rows that a choice leaves.
struct ChosenRows {
  RowChoice choice;
  Array<std::uint8_t> among;  ///< as in SearchOptions; empty: all
  std::size_t left = 0;       ///< how many they are

  [[nodiscard]] bool all() const noexcept { return among.empty(); }
};

/// Throws Error(usage) on labels and ids that no row has, on filters that do not fit and where no
/// row is left.
ChosenRows chosen_rows(const RowChoice& choice, const Index& index);

/// What a document says of it: the filter and how many rows are left, unless these are all.
void add_choice(Json& document, const ChosenRows& chosen);

}  // namespace navvy::app
