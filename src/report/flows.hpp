// What moves from one row to another, and pictures of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "navvy/pairwise.hpp"
#include "report/items.hpp"

namespace navvy::report {

/// One bin of a histogram: a word, or a pixel or point with its column and row.
struct Bin {
  std::string name;
  double weight = 0;
  double x = 0;
  double y = 0;
};

/// Who sends how much to whom under one measure.
struct Flow {
  std::string measure;
  double distance = 0;
  bool exact = false;
  std::vector<Move> moves;  ///< from bins of a to bins of b, by position
};

struct Grid {
  std::size_t width = 0;
  std::size_t height = 0;
  bool points = false;  ///< bins are points anywhere on it, not pixels
};

/// Two histograms and the flows between them, relaxed ones before the exact one.
struct FlowComparison {
  Item a;
  Item b;
  std::vector<Bin> bins_a;
  std::vector<Bin> bins_b;
  std::vector<Flow> flows;
  std::optional<Grid> grid;  ///< of pixels or points; without it bins are words
};

/// What each bin of one side has to do with a flow.
std::vector<double> sent(const FlowComparison& pair, const Flow& flow);
std::vector<double> received(const FlowComparison& pair, const Flow& flow);

/// The part of all mass that a flow puts where there is no room, on either side. 0 for a plan.
double forgotten(const FlowComparison& pair, const Flow& flow);

/// The largest distance that any of the flows crosses: the end of the scale of colours.
double longest(const FlowComparison& pair);

/// Words of both sides joined by bands as thick as the mass and coloured by distance. What
/// exceeds the weight of a word is red.
void draw_bands(Markup& out, const FlowComparison& pair, const Flow& flow);

/// Both pictures over each other, with an arrow for every move. Pixels that get more than they may
/// have a red ring, those that get less a dashed one.
void draw_arrows(Markup& out, const FlowComparison& pair, const Flow& flow);

/// All flows side by side, each with what its bound forgets, and the scale of colours.
void write(Markup& out, const FlowComparison& pair);

/// Both sides with what is known of them.
void write_sides(Markup& out, const FlowComparison& pair);

}  // namespace navvy::report
