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

/// The same words with vectors of four dimensions, of which some may be taken away.
inline void write_wide_vectors(const std::filesystem::path& path) {
  std::string lines;
  int value = 1;
  for (const std::string& word : small_words()) {
    lines += word;
    for (const int part : {value % 5, value % 3, value % 7, value})
      (lines += ' ') += std::to_string(part);
    lines += '\n';
    value += 2;
  }
  test::write_file(path, lines);
}

inline Document document(const std::string& id, const std::string& text,
                         const std::string& label = "") {
  return {id, label, "", text};
}

/// The paper's recipe with two stop words.
inline TextRecipe small_recipe(Weighting weighting = Weighting::tf, std::uint32_t condition = 0) {
  TextRecipe recipe = paper_recipe();
  recipe.stop_words = StopWords{2, {}};
  recipe.weighting = weighting;
  recipe.condition = condition;
  return recipe;
}

inline constexpr Weighting weightings[] = {Weighting::tf,   Weighting::log, Weighting::tfidf,
                                           Weighting::bm25, Weighting::sif, Weighting::norm};

}  // namespace navvy::test
