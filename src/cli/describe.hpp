// What users are told about an index, its rows and the moves between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/moves.hpp"
#include "app/summary.hpp"
#include "navvy/index.hpp"
#include "report/page.hpp"

namespace navvy::cli {

using Facts = std::vector<report::Fact>;

/// Names and values on stdout, a line each.
void print_facts(const Facts& facts);

/// The summary of an index for people.
Facts summary_facts(const Index& index, const app::Summary& summary);
/// How its rows were made.
Facts property_facts(const Index& index);
/// Its fields: types, how many rows have a value, and the range of numbers and dates.
Facts field_facts(const Index& index);
/// How many groups of rows are the same; empty where there are none.
Facts duplicate_facts(std::size_t groups);

/// A row as users see it: id, label and title on one line.
std::string describe_row(const Index& index, std::size_t row);

/// The begin of a text; empty where its title has it already.
std::string_view snippet_of(const Index& index, std::size_t row);

/// The fields of a row on one line of at most `width` places: "year: 1990  author: Ann"; empty
/// where it has none.
std::string fields_line(const Index& index, std::size_t row, std::size_t width);

/// A line per move on stdout; `from` and `to` say what moved into what.
void print_moves(std::span<const app::NamedMove> moves, std::string_view from, std::string_view to);

/// " -> ", as an arrow where the terminal can show one.
std::string arrow();

}  // namespace navvy::cli
