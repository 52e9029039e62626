#pragma once

#include <vector>

#include "cli/describe.hpp"
#include "cli/json.hpp"
#include "cli/queries.hpp"
#include "navvy/index.hpp"
#include "navvy/search.hpp"

/// How the answers of a search are shown. `search` and `demo` share it.
namespace navvy::cli {

struct Answers {
  const Index& index;
  const Queries& queries;
  const Matches& matches;
  const SearchOptions& options;
  bool explain = false;
};

/// The moves from a query to a row that cost most. bow and wcd move nothing; act-1 speaks for them.
std::vector<NamedMove> explanation(const Index& index, const Histogram& query, std::size_t row,
                                   const RunOptions& options, std::size_t count);

/// One line: who moved where, and what stayed.
std::string sentence(const std::vector<NamedMove>& moves);

Json to_json(const Answers& answers);
void print(const Answers& answers);

}  // namespace navvy::cli
