// Recipes of texts as properties of an index.
#pragma once

#include "navvy/index.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

/// Throws Error(usage) on a recipe that cannot be followed.
void check_recipe(const TextRecipe& recipe);

/// Stores a recipe in the properties of an index. `stop_words` is what the recipe came to: its own
/// list, or the first words of the vectors file.
void store_recipe(const TextRecipe& recipe, const std::vector<std::string>& stop_words,
                  Index& index);

}  // namespace navvy::loaders
