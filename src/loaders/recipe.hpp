// Recipes of texts as properties of an index.
#pragma once

#include "navvy/index.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

/// Throws Error(usage) on a recipe that cannot be followed.
void check_recipe(const TextRecipe& recipe);

/// The words that a recipe leaves out, also where it says nothing of them.
StopWords left_out_by(const TextRecipe& recipe);

/// Vectors as they come, conditioned and scaled as the recipe says.
Vocabulary made_by(const TextRecipe& recipe, const Conditioning& conditioning,
                   const Vocabulary& vectors);

/// Stores a recipe in the properties of an index. `stop_words` is what the recipe came to: the
/// first words of the vectors file, and a list. The conditioning is that of the index.
void store_recipe(const TextRecipe& recipe, const std::vector<std::string>& stop_words,
                  Index& index);

}  // namespace navvy::loaders
