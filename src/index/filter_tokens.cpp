// Cuts a filter at spaces, quotes, brackets and operators.
#include "index/filter_tokens.hpp"

#include <algorithm>
#include <array>

#include "navvy/filter.hpp"

namespace navvy::index {
namespace {

constexpr std::array<std::string_view, 6> keywords = {"and", "or", "not", "in", "is", "missing"};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// What ends a word. All else belongs to it, so that names of groups, dates and letters of any
// language need no quotes.
bool ends_word(char c) {
  return is_space(c) || std::string_view("=!<>(),'\"").find(c) != std::string_view::npos;
}

class Cutter {
 public:
  explicit Cutter(std::string_view filter) : filter_(filter) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      while (place_ < filter_.size() && is_space(filter_[place_])) ++place_;
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::end) return tokens;
    }
  }

 private:
  Token next() {
    if (place_ == filter_.size()) return {TokenKind::end, "", place_};
    switch (filter_[place_]) {
      case '(':
        return taken(TokenKind::open, 1);
      case ')':
        return taken(TokenKind::close, 1);
      case ',':
        return taken(TokenKind::comma, 1);
      case '\'':
        return quoted(TokenKind::text);
      case '"':
        return quoted(TokenKind::name);
      case '=':
      case '!':
      case '<':
      case '>':
        return comparison();
      default:
        break;
    }
    std::size_t length = 1;
    while (place_ + length < filter_.size() && !ends_word(filter_[place_ + length])) ++length;
    return taken(TokenKind::word, length);
  }

  Token taken(TokenKind kind, std::size_t length) {
    Token token{kind, std::string(filter_.substr(place_, length)), place_};
    place_ += length;
    return token;
  }

  Token comparison() {
    constexpr std::array<std::string_view, 5> long_ones = {"==", "!=", "<>", "<=", ">="};
    const std::string_view two = filter_.substr(place_, 2);
    if (std::ranges::find(long_ones, two) != long_ones.end())
      return taken(TokenKind::comparison, 2);
    if (two.front() == '!')
      throw FilterError("'!' stands for nothing; expected !=", filter_, place_);
    return taken(TokenKind::comparison, 1);
  }

  // A quote that stands twice is one that belongs to the text.
  Token quoted(TokenKind kind) {
    const std::size_t begin = place_;
    const char quote = filter_[place_++];
    std::string text;
    while (place_ < filter_.size()) {
      const char c = filter_[place_++];
      if (c != quote) {
        text += c;
      } else if (place_ < filter_.size() && filter_[place_] == quote) {
        text += filter_[place_++];
      } else {
        return {kind, std::move(text), begin};
      }
    }
    throw FilterError("a quote does not close", filter_, begin);
  }

  std::string_view filter_;
  std::size_t place_ = 0;
};

}  // namespace

bool Token::is(std::string_view keyword) const {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return kind == TokenKind::word && std::ranges::equal(text, keyword, same);
}

bool Token::is_keyword() const {
  return std::ranges::any_of(keywords, [&](std::string_view keyword) { return is(keyword); });
}

std::vector<Token> tokens_of(std::string_view filter) {
  if (filter.size() > filter_length_limit)
    throw FilterError("it has " + std::to_string(filter.size()) + " bytes; expected at most " +
                          std::to_string(filter_length_limit),
                      filter, filter_length_limit);
  return Cutter(filter).run();
}

}  // namespace navvy::index
