// A filter as conditions and how they are joined.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "index/filter_tokens.hpp"

namespace navvy::index {

enum class Comparison {
  equal,
  not_equal,
  less,
  at_most,
  greater,
  at_least,
  one_of,
  none_of,
  missing,
  present,
};

/// A name, a comparison and values: one, several for one_of and none_of, none for missing and
/// present.
struct Condition {
  Token name;
  Comparison comparison = Comparison::equal;
  std::vector<Token> values = {};
};

/// What is done next with a stack of answers: a condition puts one on it, `negation` turns the last
/// around, `both` and `either` make one of the last two.
struct Step {
  enum class Kind { condition, negation, both, either };
  Kind kind;
  std::size_t condition = 0;
};

struct ParsedFilter {
  std::vector<Condition> conditions;
  std::vector<Step> steps;
};

/// Throws FilterError.
ParsedFilter parse_filter(std::string_view filter);

}  // namespace navvy::index
