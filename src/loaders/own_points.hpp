// Points of their own for words without a vector.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/own_numbers.hpp"
#include "loaders/word_table.hpp"
#include "navvy/index.hpp"
#include "navvy/text.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::loaders {

using core::first_own_number;

/// The number of a word without a vector, which follows from its letters.
std::uint32_t own_number(std::string_view word) noexcept;

/// What the recipe says of own points, or what suits the vectors where it says nothing.
bool gives_own_points(const TextRecipe& recipe, const VectorsReport& vectors) noexcept;

/// The vector of length 1 of a word without one: a direction that depends on its number alone and
/// is nearly at right angles to all others, so that the word is near to itself and to nothing else.
void own_point(std::uint32_t number, std::span<float> out);

/// Tokens of which no form has a place in the table, each once: words of an index that rows are
/// added to come first, since they keep their numbers, then others by their letters.
std::vector<std::string> without_vector(std::span<const std::string> tokens, bool keep_case,
                                        const Index* base, const WordTable& table);

/// The place of the first word of a vocabulary that has a point of its own: its size if none has.
std::uint32_t first_own_place(const Vocabulary& words) noexcept;

/// The words of `found`, whose places are those of `table`, and after them points for `missing`
/// words, which get a place too. Words with the same number share the point, which is named for the
/// first of `missing`: no index can then contradict another, whatever words it has met.
Vocabulary with_own_points(const Vocabulary& found, const std::vector<std::string>& missing,
                           WordTable& table);

}  // namespace navvy::loaders
