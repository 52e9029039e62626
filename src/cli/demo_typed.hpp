// The first part of the tour: texts found by questions that share no word with them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/answers.hpp"
#include "app/json.hpp"
#include "navvy/index.hpp"
#include "navvy/search.hpp"
#include "report/markup.hpp"

namespace navvy::cli {

/// One question of the demo, and the places among all texts of the one that it means.
struct TypedAnswer {
  std::string question;
  std::string title;
  std::size_t rank = 0;                 ///< as typed questions are asked
  std::optional<std::size_t> bow = {};  ///< none: no word is the same
};

/// All of them, and one to look at.
struct TypedPart {
  std::vector<TypedAnswer> answers;
  Index texts;  ///< with the words of the question that is shown
  app::Queries shown;
  Matches shown_matches;
  SearchOptions options;
};

/// Asks every question of the demo.
TypedPart ask_typed(const Index& texts, const RunOptions& run);

app::Json typed_json(const TypedPart& part);
/// One sentence: for how many questions the text that is meant is found.
std::string typed_lead(const TypedPart& part);
/// What a person sees of it, without heading.
void print_typed(const TypedPart& part);
void write_typed(report::Markup& out, const TypedPart& part);

}  // namespace navvy::cli
