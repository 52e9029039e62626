// A filter cut into words, texts, operators and brackets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace navvy::index {

enum class TokenKind {
  word,        ///< without quotes
  name,        ///< in double quotes
  text,        ///< in single quotes
  comparison,  ///< = == != <> < <= > >=
  open,
  close,
  comma,
  end,
};

struct Token {
  TokenKind kind;
  std::string text;   ///< what it stands for, without quotes
  std::size_t place;  ///< in bytes

  /// Whether this is a keyword, in small letters or not.
  [[nodiscard]] bool is(std::string_view keyword) const;
  [[nodiscard]] bool is_keyword() const;
};

/// The last one is the end. Throws FilterError on a quote that does not close, on a sign that
/// stands for nothing and on a filter that is too long.
std::vector<Token> tokens_of(std::string_view filter);

}  // namespace navvy::index
