// Writes a recipe into the properties of an index, and reads it back.
#include "loaders/recipe.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "core/properties.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

namespace property = core::property;

// What stands in an index for the usual tokens: a pattern with the same matches, so that a program
// that knows no name for them finds them too.
constexpr std::string_view usual_tokens = R"([\pL\p{Nd}][\pL\p{Nd}\pM]*)";
constexpr char separator = '\t';

[[noreturn]] void fail(const char* key, const std::string& value, const std::string& expected) {
  throw Error(ErrorCode::damaged_index,
              "index: property " + std::string(key) + " is '" + value + "', expected " + expected);
}

std::vector<std::string> split_words(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

std::uint32_t read_max_bins(const Index& index) {
  const std::string value = property::get(index, property::max_bins);
  std::uint32_t max_bins = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), max_bins);
  if (error != std::errc() || end != value.data() + value.size() || max_bins == 0)
    fail(property::max_bins, value, "a positive number");
  return max_bins;
}

// One of two words.
bool read_choice(const Index& index, const char* key, std::string_view yes, std::string_view no) {
  const std::string value = property::get(index, key);
  if (value != yes && value != no) fail(key, value, std::string(yes) + " or " + std::string(no));
  return value == yes;
}

Weighting read_weighting(const Index& index) {
  const std::string value = property::get(index, property::weighting);
  try {
    return parse_weighting(value);
  } catch (const Error&) {
    fail(property::weighting, value, "tf, log, tfidf, bm25, sif or norm");
  }
}

}  // namespace

TextRecipe recipe_of(const Index& index) {
  if (index.kind != DataKind::text)
    throw Error(ErrorCode::usage, "the index was not built from texts: it knows no words");
  TextRecipe recipe;
  recipe.token_pattern = property::get(index, property::tokens);
  if (recipe.token_pattern.empty()) fail(property::tokens, "", "a pattern or 'letters'");
  if (recipe.token_pattern == usual_tokens) recipe.token_pattern.clear();
  recipe.keep_case = read_choice(index, property::letter_case, "keep", "lower");
  recipe.stop_words = StopWords{0, split_words(property::get(index, property::stop_words))};
  recipe.max_bins = read_max_bins(index);
  recipe.weighting = read_weighting(index);
  recipe.condition = static_cast<std::uint32_t>(index.conditioning.components());
  recipe.normalize = read_choice(index, property::normalized, "yes", "no");
  recipe.own_points = index.properties.contains(property::unknown_words) &&
                      read_choice(index, property::unknown_words, "own", "drop");
  return recipe;
}

TextRecipe paper_recipe() {
  TextRecipe recipe;
  recipe.token_pattern = letter_tokens;
  recipe.stop_words = StopWords{100, {}};
  recipe.weighting = Weighting::tf;
  recipe.condition = 0;
  recipe.own_points = false;
  recipe.query_words = 0;
  return recipe;
}

Vocabulary made_like(const Index& index, const Vocabulary& vectors) {
  return loaders::made_by(recipe_of(index), index.conditioning, vectors);
}

namespace loaders {

Vocabulary made_by(const TextRecipe& recipe, const Conditioning& conditioning,
                   const Vocabulary& vectors) {
  Vocabulary made = conditioning.apply(vectors);
  if (recipe.weighting == Weighting::norm) made = with_lengths(made);
  return recipe.normalize ? normalized(made) : made;
}

void check_recipe(const TextRecipe& recipe) {
  if (recipe.own_points.value_or(false) && !recipe.normalize)
    throw Error(ErrorCode::usage,
                "words without a vector get points among vectors of length 1; expected vectors "
                "that are scaled, or unknown words dropped");
  if (recipe.max_bins == 0) throw Error(ErrorCode::usage, "max bins is 0, expected at least 1");
  if (recipe.token_pattern.find_first_of("\r\n") != std::string::npos)
    throw Error(ErrorCode::usage,
                "token pattern '" + recipe.token_pattern + "': expected one line");
}

void store_recipe(const TextRecipe& recipe, const std::vector<std::string>& stop_words,
                  Index& index) {
  std::string list;
  for (const std::string& word : stop_words) {
    // No token that a list of single lines could hold back has one of these.
    if (word.empty() || word.find_first_of("\t\r\n") != std::string::npos) continue;
    if (!list.empty()) list += separator;
    list += word;
  }
  auto& properties = index.properties;
  properties[property::tokens] =
      recipe.token_pattern.empty() ? std::string(usual_tokens) : recipe.token_pattern;
  properties[property::letter_case] = recipe.keep_case ? "keep" : "lower";
  properties[property::stop_words] = list;
  properties[property::max_bins] = std::to_string(recipe.max_bins);
  properties[property::weighting] = to_string(recipe.weighting);
  properties[property::normalized] = recipe.normalize ? "yes" : "no";
  if (recipe.own_points.value_or(false)) properties[property::unknown_words] = "own";
  if (!index.conditioning.empty())
    properties[property::condition] = std::to_string(index.conditioning.components());
}

}  // namespace loaders
}  // namespace navvy
