// How the answers of a search are shown. `search` and `demo` share it.
#pragma once

#include <string>
#include <vector>

#include "app/answers.hpp"
#include "app/moves.hpp"

namespace navvy::cli {

/// The distance, or where it lies.
std::string distance_text(const Match& match);

/// The words of a query that have no vector, on one line; empty: all have.
std::string unknown_words(const app::Query& query);

/// One line: who moved where, and what stayed.
std::string sentence(const std::vector<app::NamedMove>& moves);

void print(const app::Answers& answers);

}  // namespace navvy::cli
