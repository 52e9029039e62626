// Rows as a reader sees them, alone and beside their neighbours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/markup.hpp"

namespace navvy::report {

/// A small picture: shades from 0 (paper) to 1 (ink), row by row.
struct Bitmap {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> shades;
};

/// One row of an index, or a query, as pages show it. Parts that it does not have are empty.
struct Item {
  std::string name;  ///< "row 17", an id, or the text that was asked for
  std::string label;
  std::string title;
  std::string snippet;
  std::optional<Bitmap> picture;
};

/// The pixels as one path per shade, so that a page with hundreds of pictures stays small.
void draw(Markup& out, const Bitmap& bitmap, const std::string& description);

/// The title, or what comes nearest to one.
std::string heading_of(const Item& item);

/// Part of the mass of one word that went to another.
struct WordMove {
  std::string from;
  std::string to;
  double share = 0;  ///< of the cost
  bool stayed = false;
};

struct Neighbour {
  Item item;
  double distance = 0;
  bool wrong = false;  ///< another label than that of the query
  std::vector<WordMove> moves;
};

/// The neighbours of one query under one measure.
struct Answer {
  std::string measure;
  std::size_t colour = 0;  ///< the class m0, m1, ...
  std::vector<Neighbour> neighbours;
};

struct Example {
  Item query;
  std::vector<Answer> answers;
};

/// Queries with their neighbours under several measures.
struct Gallery {
  std::string heading;
  std::string note;
  std::vector<Example> examples;
};
void write(Markup& out, const Gallery& gallery);

/// "beethoven to chopin 40 %, ...; same: piano", as part of a list.
void write_moves(Markup& out, const std::vector<WordMove>& moves);

}  // namespace navvy::report
