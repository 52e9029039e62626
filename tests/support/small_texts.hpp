#pragma once

#include <string>
#include <vector>

#include "navvy/text.hpp"
#include "support/temporary_folder.hpp"

/// A vectors file of a few words, for tests of texts.
namespace navvy::test {

/// Words in order of their numbers: 0 "the", 1 "of", 2 "Paris", ... Two dimensions; no two words
/// are the same.
inline const std::vector<std::string>& small_words() {
  static const std::vector<std::string> words = {"the",  "of",   "Paris",    "cat",  "dog",
                                                 "runs", "fast", "New_York", "slow", "fish"};
  return words;
}

/// Writes the file as GloVe text.
inline void write_small_vectors(const std::filesystem::path& path, float shift = 0) {
  std::string lines;
  float value = 1 + shift;
  for (const std::string& word : small_words()) {
    lines += word + " " + std::to_string(value) + " " + std::to_string(10 - value) + "\n";
    value += 1;
  }
  test::write_file(path, lines);
}

inline Document document(const std::string& id, const std::string& text,
                         const std::string& label = "") {
  return {id, label, "", text};
}

/// The paper's recipe with two stop words.
inline TextRecipe small_recipe(Weighting weighting = Weighting::tf) {
  TextRecipe recipe;
  recipe.stop_word_count = 2;
  recipe.weighting = weighting;
  return recipe;
}

}  // namespace navvy::test
