// Words for queries out of vectors files: which ones, and for indexes that are there already.
#include "loaders/query_words.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "loaders/own_points.hpp"
#include "loaders/recipe.hpp"
#include "loaders/tokenizer.hpp"
#include "loaders/utf8.hpp"
#include "loaders/vectors.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace loaders {

std::function<bool(std::string_view)> is_token(const TextRecipe& recipe) {
  return [tokenizer = std::make_shared<const Tokenizer>(recipe),
          keep_case = recipe.keep_case](std::string_view word) {
    std::size_t tokens = 0;
    bool found = false;
    tokenizer->split(word, [&](std::string_view token) {
      found = any_form(token, keep_case, [&](std::string_view form) { return form == word; });
      ++tokens;
    });
    return found && tokens == 1 && word.find('_') == std::string_view::npos;
  };
}

void require_same_words(const Index& index, const WordTable& table, const Vocabulary& found,
                        const std::string& source) {
  const Vocabulary& known = index.vocabulary;
  for (std::size_t id = 0; id < known.size(); ++id) {
    const std::uint32_t place = table.place(known.word(id));
    if (place == WordTable::none && known.number(id) >= first_own_number) continue;
    const std::string what =
        source + ": the word '" + std::string(known.word(id)) + "' of the index ";
    if (place == WordTable::none)
      throw Error(ErrorCode::bad_input, what +
                                            "is missing; expected the vectors that the index was "
                                            "built with");
    if (found.number(place) != known.number(id) ||
        !std::ranges::equal(known.coordinate(id), found.coordinate(place)) ||
        (!known.lengths().empty() && known.lengths()[id] != found.lengths()[place]))
      throw Error(ErrorCode::bad_input, what +
                                            "has another place or vector here; expected the "
                                            "vectors that the index was built with");
  }
}

void require_words(const Vocabulary& vectors) {
  if (!vectors.has_words())
    throw Error(ErrorCode::usage, "vectors without words; expected a word for each vector");
}

namespace {

// Wants what texts have, or whatever a text can have. The tokens of the texts.
std::vector<std::string> want_words(const std::optional<std::vector<std::string>>& texts,
                                    const TextRecipe& recipe, WordTable& table) {
  std::vector<std::string> tokens;
  if (!texts) {
    table.want_first(all_words, is_token(recipe));
    return tokens;
  }
  const Tokenizer tokenizer(recipe);
  std::uint64_t broken = 0;
  for (const std::string& text : *texts)
    tokenizer.split(to_utf8(text, Encoding::utf8, broken), [&](std::string_view token) {
      tokens.emplace_back(token);
      any_form(token, recipe.keep_case, [&](std::string_view form) {
        table.want(form);
        return false;
      });
    });
  return tokens;
}

// The words of the table that rows do not use, with those that the index has beyond its corpus.
WordsBeyond joined(const Index& index, const WordTable& table, const Vocabulary& found,
                   const std::string& source) {
  Index known;
  known.vocabulary = index.beyond.vocabulary();
  std::vector<std::uint32_t> there;
  for (std::uint32_t id = 0; id < known.vocabulary.size(); ++id)
    if (table.place(known.vocabulary.word(id)) != WordTable::none) there.push_back(id);
  known.vocabulary = chosen_words(known.vocabulary, there);
  require_same_words(known, table, found, source);
  const auto own = index.vocabulary.numbers().span();
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < found.size(); ++id)
    if (!std::ranges::binary_search(own, found.number(id))) ids.push_back(id);
  return WordsBeyond(joined_words(index.beyond.vocabulary(), chosen_words(found, ids)));
}

Index with_words(const Index& index, InputStream* file, const Vocabulary* vectors,
                 const std::optional<std::vector<std::string>>& texts) {
  const TextRecipe recipe = recipe_of(index);
  WordTable table(0);
  const std::vector<std::string> tokens = want_words(texts, recipe, table);
  table.make_of_parts(tokens, recipe.keep_case, &index.vocabulary);
  for (std::size_t id = 0; id < index.vocabulary.size(); ++id)
    table.want(index.vocabulary.word(id));
  const ProgressCallback nobody;
  core::Monitor monitor(nobody);
  std::size_t dimensions = 0;
  if (file != nullptr) {
    dimensions = scan_vectors(*file, table, monitor).dimensions;
  } else {
    visit(*vectors, table);
    dimensions = vectors->dimensions();
  }
  const std::string source = file != nullptr ? file->name() : "vectors";
  const Vocabulary found = made_by(recipe, index.conditioning, table.vocabulary(dimensions));
  require_same_words(index, table, found, source);
  Index wider = index;
  wider.beyond = joined(index, table, found, source);
  return wider;
}

}  // namespace
}  // namespace loaders

std::uint32_t parse_query_words(std::string_view text) {
  if (text == "all") return all_words;
  if (text == "corpus") return 0;
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorCode::usage, "words for queries are '" + core::display_name(text) +
                                      "'; expected a number, all or corpus");
  return count;
}

Index with_query_words(const Index& index, const std::filesystem::path& vectors,
                       const std::optional<std::vector<std::string>>& texts) {
  loaders::InputStream file(vectors);
  return loaders::with_words(index, &file, nullptr, texts);
}

Index with_query_words(const Index& index, const Vocabulary& vectors,
                       const std::optional<std::vector<std::string>>& texts) {
  loaders::require_words(vectors);
  return loaders::with_words(index, nullptr, &vectors, texts);
}

}  // namespace navvy
