// Finds tokens by runs of letters and digits or by a pattern.
#include "loaders/tokenizer.hpp"

#include <re2/re2.h>
#include <utf8proc.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "loaders/utf8.hpp"
#include "navvy/error.hpp"

namespace navvy::loaders {
namespace {

enum class CharacterKind : std::uint8_t { other, letter, digit, mark };

CharacterKind kind_of(utf8proc_int32_t character) {
  switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return CharacterKind::letter;
    case UTF8PROC_CATEGORY_ND:
      return CharacterKind::digit;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return CharacterKind::mark;
    default:
      return CharacterKind::other;
  }
}

CharacterKind kind_of_ascii(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return CharacterKind::letter;
  return c >= '0' && c <= '9' ? CharacterKind::digit : CharacterKind::other;
}

// A token begins with a letter, or with a digit where these are tokens; marks (accents, vowel
// signs) belong to what is before them.
void split_runs(std::string_view text, bool digits, const TokenSink& sink) {
  std::size_t begin = 0;
  bool inside = false;
  std::size_t at = 0;
  while (at < text.size()) {
    CharacterKind kind = CharacterKind::other;
    std::size_t length = 1;
    if (static_cast<signed char>(text[at]) >= 0) {
      kind = kind_of_ascii(text[at]);
    } else {
      utf8proc_int32_t character = 0;
      const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at;
      const auto read =
          utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &character);
      if (read > 0) {
        length = static_cast<std::size_t>(read);
        kind = kind_of(character);
      }
    }
    const bool begins = kind == CharacterKind::letter || (digits && kind == CharacterKind::digit);
    const bool goes_on = begins || (inside && kind == CharacterKind::mark);
    if (inside && !goes_on) sink(text.substr(begin, at - begin));
    if (!inside && begins) begin = at;
    inside = goes_on;
    at += length;
  }
  if (inside) sink(text.substr(begin));
}

void split_matches(std::string_view text, const re2::RE2& pattern, const TokenSink& sink) {
  const re2::StringPiece whole(text.data(), text.size());
  re2::StringPiece match;
  std::size_t at = 0;
  while (at <= text.size() &&
         pattern.Match(whole, at, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
    const auto begin = static_cast<std::size_t>(match.data() - text.data());
    if (!match.empty()) sink(text.substr(begin, match.size()));
    // An empty match is no token; stepping over one byte may land inside a character, where RE2
    // finds nothing and goes on.
    at = begin + (match.empty() ? 1 : match.size());
  }
}

}  // namespace

struct Tokenizer::Pattern {
  explicit Pattern(const std::string& text) : expression(text, re2::RE2::Quiet) {}
  re2::RE2 expression;
};

Tokenizer::Tokenizer(const TextRecipe& recipe)
    : digits_(recipe.token_pattern.empty()), keep_case_(recipe.keep_case) {
  if (recipe.token_pattern.empty() || recipe.token_pattern == letter_tokens) return;
  pattern_ = std::make_unique<Pattern>(recipe.token_pattern);
  if (!pattern_->expression.ok())
    throw Error(ErrorCode::usage, "token pattern '" + recipe.token_pattern + "': " +
                                      pattern_->expression.error() + "; expected RE2 syntax");
}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::split(std::string_view text, const TokenSink& sink) const {
  const std::string prepared = keep_case_ ? to_composed(text) : to_lower(text);
  if (pattern_)
    split_matches(prepared, pattern_->expression, sink);
  else
    split_runs(prepared, digits_, sink);
}

bool any_form(std::string_view token, bool keep_case,
              const std::function<bool(std::string_view form)>& use) {
  if (use(token)) return true;
  if (!keep_case) return false;
  const std::string lower = to_lower(token);
  return use(lower) || use(to_capitalized(lower));
}

}  // namespace navvy::loaders
