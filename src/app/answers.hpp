// The answers of a search.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/choice.hpp"
#include "app/json.hpp"
#include "app/moves.hpp"
#include "app/queries.hpp"
#include "navvy/index.hpp"
#include "navvy/search.hpp"

namespace navvy::app {

/// Moves that explain one match.
inline constexpr std::size_t explained_moves = 8;

struct Answers {
  const Index& index;
  const Queries& queries;
  const Matches& matches;
  const SearchOptions& options;
  bool explain = false;
  std::string device = "cpu";  ///< that computed them
  ChosenRows chosen = {};      ///< the rows that could be found
};

/// The moves from a query to a row that cost most. bow and wcd move nothing; act-1 speaks for them.
std::vector<NamedMove> explanation(const Index& index, const Histogram& query, std::size_t row,
                                   const Question& question, std::size_t count);

/// What mass pays that finds no room where that is asked, be it told or that of the index; else 0.
double price_in(const Index& index, const Question& question);

/// Says in a document what was asked: measure, threshold, direction, price and share of bow.
void add_question(Json& document, const Index& index, const Question& question);

/// The same for people: "act-1", "emd, one way: query, price 2", or "rwmd, mix:0.3, with 0.7 of bow
/// (no bound of emd)".
std::string question_text(const Index& index, const Question& question);

/// The share of rows that bounds alone have left out.
double pruned(const Proof& proof);

Json to_json(const Answers& answers);

}  // namespace navvy::app
