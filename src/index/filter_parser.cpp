// Reads the grammar of filters by descent; include/navvy/filter.hpp has it.
#include "index/filter_parser.hpp"

#include <string>
#include <utility>

#include "navvy/filter.hpp"

namespace navvy::index {
namespace {

Comparison comparison_of(std::string_view sign) {
  if (sign == "<") return Comparison::less;
  if (sign == "<=") return Comparison::at_most;
  if (sign == ">") return Comparison::greater;
  if (sign == ">=") return Comparison::at_least;
  return sign == "!=" || sign == "<>" ? Comparison::not_equal : Comparison::equal;
}

class Parser {
 public:
  explicit Parser(std::string_view filter) : filter_(filter), tokens_(tokens_of(filter)) {}

  ParsedFilter run() {
    if (next().kind == TokenKind::end) fail("it is empty; expected a condition such as label = a");
    filter();
    if (next().kind != TokenKind::end) fail_expecting("'and', 'or' or the end");
    return std::move(parsed_);
  }

 private:
  void filter() {
    all();
    while (take("or")) {
      all();
      parsed_.steps.push_back({Step::Kind::either});
    }
  }

  void all() {
    one();
    while (take("and")) {
      one();
      parsed_.steps.push_back({Step::Kind::both});
    }
  }

  // Depth is limited since every level of it is a call.
  void one() {
    if (depth_ == filter_depth_limit)
      fail("parentheses and 'not' stand more than " + std::to_string(filter_depth_limit) +
           " deep in each other");
    ++depth_;
    if (take("not")) {
      one();
      parsed_.steps.push_back({Step::Kind::negation});
    } else if (take(TokenKind::open)) {
      filter();
      if (!take(TokenKind::close)) fail_expecting("'and', 'or' or ')'");
    } else {
      condition();
    }
    --depth_;
  }

  void condition() {
    const bool named =
        next().kind == TokenKind::name || (next().kind == TokenKind::word && !next().is_keyword());
    if (!named) fail_expecting("a name");
    Condition condition{taken()};
    if (next().kind == TokenKind::comparison) {
      condition.comparison = comparison_of(taken().text);
      condition.values.push_back(value());
    } else if (take("is")) {
      condition.comparison = take("not") ? Comparison::present : Comparison::missing;
      if (!take("missing")) fail_expecting("'missing'");
    } else {
      condition.comparison = take("not") ? Comparison::none_of : Comparison::one_of;
      if (!take("in")) fail_expecting("a comparison, 'in', 'not in' or 'is missing'");
      values(condition.values);
    }
    parsed_.steps.push_back({Step::Kind::condition, parsed_.conditions.size()});
    parsed_.conditions.push_back(std::move(condition));
  }

  void values(std::vector<Token>& values) {
    if (!take(TokenKind::open)) fail_expecting("'('");
    do values.push_back(value());
    while (take(TokenKind::comma));
    if (!take(TokenKind::close)) fail_expecting("',' or ')'");
  }

  Token value() {
    if (next().kind == TokenKind::name) fail("expected a value; texts are in 'single quotes'");
    if (next().is_keyword())
      fail("expected a value; '" + next().text + "' is a keyword unless it is in single quotes");
    if (next().kind != TokenKind::word && next().kind != TokenKind::text) fail_expecting("a value");
    return taken();
  }

  [[nodiscard]] const Token& next() const { return tokens_[at_]; }
  Token taken() { return tokens_[at_++]; }
  bool take(TokenKind kind) {
    if (next().kind != kind) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view keyword) {
    if (!next().is(keyword)) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FilterError(message, filter_, next().place);
  }
  // What was read before it says more than what was found instead, which the picture shows.
  [[noreturn]] void fail_expecting(const std::string& what) const {
    fail("expected " + what + (at_ == 0 ? "" : " after '" + tokens_[at_ - 1].text + "'"));
  }

  std::string_view filter_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  ParsedFilter parsed_;
};

}  // namespace

ParsedFilter parse_filter(std::string_view filter) { return Parser(filter).run(); }

}  // namespace navvy::index
