#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "navvy/index.hpp"
#include "navvy/pairwise.hpp"
#include "report/page.hpp"

/// What users are told about an index, its rows and the moves between them.
namespace navvy::cli {

/// The sizes of an index, in the letters of the paper.
struct Summary {
  std::size_t n = 0;           ///< rows
  std::size_t v = 0;           ///< coordinates of the vocabulary
  std::size_t m = 0;           ///< dimensions
  double h = 0;                ///< bins per row, on average
  std::size_t largest = 0;     ///< bins of the largest row
  std::size_t empty = 0;       ///< rows without weight
  std::size_t unlabelled = 0;  ///< rows without label, where there are labels
  std::vector<std::size_t> label_counts;
};

Summary summarize(const Index& index);

std::string to_string(DataKind kind);

/// The sizes under their letters, for JSON.
void add_sizes(Json& document, const Summary& summary);

using Facts = std::vector<report::Fact>;

/// Names and values on stdout, a line each.
void print_facts(const Facts& facts);

/// The summary of an index for people.
Facts summary_facts(const Index& index, const Summary& summary);
/// How its rows were made.
Facts property_facts(const Index& index);
/// How many groups of rows are the same; empty where there are none.
Facts duplicate_facts(std::size_t groups);
Json summary_json(const Index& index, const Summary& summary);

/// A coordinate as users see it: its word, the row and column of its pixel, or its number.
std::string coordinate_name(const Index& index, std::uint32_t coordinate);

/// A row as users see it: id, label and title on one line.
std::string describe_row(const Index& index, std::size_t row);

/// One move of a flow between two histograms, by name.
struct NamedMove {
  std::string from;
  std::string to;
  double mass = 0;
  double distance = 0;
  double share = 0;  ///< of the whole cost
};

/// The `count` moves that cost most, dearest first, then those that cost nothing, largest first.
std::vector<NamedMove> largest_moves(const Index& index, const Histogram& p, const Histogram& q,
                                     std::span<const Move> flow, std::size_t count);

/// A line per move on stdout; `from` and `to` say what moved into what.
void print_moves(std::span<const NamedMove> moves, std::string_view from, std::string_view to);
Json moves_json(std::span<const NamedMove> moves);

/// " -> ", as an arrow where the terminal can show one.
std::string arrow();

}  // namespace navvy::cli
