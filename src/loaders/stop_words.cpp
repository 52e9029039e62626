// Words that are left out of texts: a list of English, lists from files, and what a recipe says.
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/files.hpp"
#include "core/weighting.hpp"
#include "loaders/input.hpp"
#include "loaders/recipe.hpp"
#include "loaders/utf8.hpp"
#include "navvy/error.hpp"
#include "navvy/text.hpp"

namespace navvy {
namespace {

// Articles, pronouns, prepositions, conjunctions, auxiliary verbs and the adverbs that go with
// them, and what runs of letters leave of "don't", "it's" and the like.
constexpr auto english = std::to_array<std::string_view>({
    "a",         "about",      "above",    "after",      "again",   "against", "all",     "almost",
    "along",     "already",    "also",     "although",   "always",  "am",      "among",   "an",
    "and",       "another",    "any",      "are",        "as",      "at",      "be",      "because",
    "been",      "before",     "being",    "below",      "between", "both",    "but",     "by",
    "can",       "cannot",     "could",    "d",          "did",     "do",      "does",    "doing",
    "don",       "down",       "during",   "each",       "either",  "else",    "enough",  "even",
    "ever",      "every",      "few",      "for",        "from",    "further", "had",     "has",
    "have",      "having",     "he",       "hence",      "her",     "here",    "hers",    "herself",
    "him",       "himself",    "his",      "how",        "however", "i",       "if",      "in",
    "indeed",    "instead",    "into",     "is",         "it",      "its",     "itself",  "just",
    "least",     "less",       "ll",       "m",          "many",    "may",     "me",      "might",
    "more",      "most",       "much",     "must",       "my",      "myself",  "neither", "never",
    "no",        "nor",        "not",      "now",        "of",      "off",     "often",   "on",
    "once",      "one",        "only",     "or",         "other",   "others",  "our",     "ours",
    "ourselves", "out",        "over",     "own",        "perhaps", "quite",   "rather",  "re",
    "s",         "same",       "shall",    "she",        "should",  "since",   "so",      "some",
    "still",     "such",       "t",        "than",       "that",    "the",     "their",   "theirs",
    "them",      "themselves", "then",     "there",      "these",   "they",    "this",    "those",
    "though",    "through",    "thus",     "to",         "too",     "under",   "until",   "up",
    "upon",      "us",         "ve",       "very",       "was",     "we",      "were",    "what",
    "when",      "where",      "whether",  "which",      "while",   "who",     "whom",    "whose",
    "why",       "will",       "with",     "within",     "without", "would",   "yet",     "you",
    "your",      "yours",      "yourself", "yourselves",
});
static_assert(std::ranges::is_sorted(english));

}  // namespace

StopWords english_stop_words() { return {0, {english.begin(), english.end()}}; }

StopWords parse_stop_words(std::string_view text) {
  if (text == "english") return english_stop_words();
  if (text == "none") return {};
  StopWords first;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), first.first);
  if (error == std::errc() && end == text.data() + text.size()) return first;
  const std::filesystem::path path(text);
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable) && !unreadable)
    throw Error(ErrorCode::usage, "stop words '" + core::display_name(path) +
                                      "': expected english, none, a number of words or a file");
  return read_stop_words(path);
}

StopWords read_stop_words(const std::filesystem::path& path) {
  constexpr std::string_view blanks = " \t\r\f\v";
  loaders::InputStream stream(path);
  loaders::require_text(stream);
  StopWords list;
  std::string line;
  std::uint64_t broken = 0;
  while (stream.read_line(line)) {
    const std::string text = loaders::to_utf8(line, Encoding::utf8, broken);
    std::string_view rest = std::string_view(text).substr(0, text.find('#'));
    if (stream.line_number() == 1 && rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
    while (true) {
      rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
      if (rest.empty()) break;
      list.words.emplace_back(rest.substr(0, rest.find_first_of(blanks)));
      rest.remove_prefix(list.words.back().size());
    }
  }
  return list;
}

namespace loaders {

StopWords left_out_by(const TextRecipe& recipe) {
  if (recipe.stop_words) return *recipe.stop_words;
  return core::knows_collection(recipe.weighting) ? StopWords() : english_stop_words();
}

}  // namespace loaders
}  // namespace navvy
