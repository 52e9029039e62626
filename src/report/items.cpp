// Rows as a reader sees them: pictures, titles, lists of neighbours.
#include "report/items.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace navvy::report {
namespace {

constexpr std::size_t shades = 6;

std::array<std::string, shades> paths_of(const Bitmap& bitmap) {
  std::array<std::string, shades> paths;
  for (std::size_t y = 0; y < bitmap.height; ++y) {
    const auto level = [&](std::size_t x) {
      const double shade = bitmap.shades[y * bitmap.width + x];
      return static_cast<std::size_t>(std::ceil(std::clamp(shade, 0.0, 1.0) * shades));
    };
    for (std::size_t x = 0; x < bitmap.width;) {
      std::size_t end = x + 1;
      while (end < bitmap.width && level(end) == level(x)) ++end;
      if (level(x) > 0)
        paths[level(x) - 1] += fmt::format("M{} {}h{}v1h-{}z", x, y, end - x, end - x);
      x = end;
    }
  }
  return paths;
}

std::string verdict(const Neighbour& neighbour) {
  const std::string label =
      neighbour.item.label.empty() ? neighbour.item.name : neighbour.item.label;
  return neighbour.wrong ? fmt::format("\u2717 {}", label) : label;
}

void write_picture(Markup& out, const Neighbour& neighbour) {
  out.open("li", {{"class", neighbour.wrong ? "wrong" : "right"},
                  {"title",
                   fmt::format("{}, distance {:.4f}", neighbour.item.name, neighbour.distance)}});
  draw(out, *neighbour.item.picture,
       fmt::format("{}{}", neighbour.wrong ? "wrong: " : "", neighbour.item.label));
  out.text(verdict(neighbour)).close();
}

void write_title(Markup& out, const Neighbour& neighbour) {
  out.open("li");
  out.element("bdi", {}, heading_of(neighbour.item)).text(" ");
  out.element("span", {{"class", neighbour.wrong ? "label wrong" : "label"}}, verdict(neighbour));
  write_moves(out, neighbour.moves);
  out.close();
}

void write_example(Markup& out, const Example& example) {
  out.open("article", {{"class", "card"}});
  out.open("div", {{"class", "query"}});
  if (example.query.picture) draw(out, *example.query.picture, "the query");
  out.open("div");
  out.open("h3").element("bdi", {}, heading_of(example.query)).close();
  if (!example.query.label.empty()) {
    out.element("span", {{"class", "label"}}, fmt::format("label {}", example.query.label));
  }
  out.close().close();
  for (const Answer& answer : example.answers) {
    const bool pictures =
        !answer.neighbours.empty() && answer.neighbours.front().item.picture.has_value();
    out.open("div", {{"class", fmt::format("answer m{}", answer.colour)}});
    out.element("b", {}, answer.measure);
    out.open("ul", {{"class", pictures ? "strip" : "list"}});
    for (const Neighbour& neighbour : answer.neighbours) {
      if (pictures) {
        write_picture(out, neighbour);
      } else {
        write_title(out, neighbour);
      }
    }
    out.close().close();
  }
  out.close();
}

}  // namespace

void draw(Markup& out, const Bitmap& bitmap, const std::string& description) {
  out.open("svg", {{"class", "picture"},
                   {"viewBox", fmt::format("0 0 {} {}", bitmap.width, bitmap.height)},
                   {"shape-rendering", "crispEdges"},
                   {"role", "img"},
                   {"aria-label", description}});
  const auto paths = paths_of(bitmap);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    out.leaf("path", {{"fill", "currentColor"},
                      {"fill-opacity", number(static_cast<double>(i + 1) / shades)},
                      {"d", paths[i]}});
  }
  out.close();
}

std::string heading_of(const Item& item) { return item.title.empty() ? item.name : item.title; }

void write_moves(Markup& out, const std::vector<WordMove>& moves) {
  if (moves.empty()) return;
  out.open("span", {{"class", "moves"}});
  std::string_view between;
  for (const WordMove& move : moves) {
    if (move.stayed) continue;
    out.text(between).element("bdi", {}, move.from).text(" \u2192 ").element("bdi", {}, move.to);
    out.text(fmt::format("\u00a0{:.0f}\u00a0%", 100 * move.share));
    between = ", ";
  }
  between = between.empty() ? "same: " : "; same: ";
  for (const WordMove& move : moves) {
    if (!move.stayed) continue;
    out.text(between).element("bdi", {}, move.from);
    between = ", ";
  }
  out.close();
}

void write(Markup& out, const Gallery& gallery) {
  if (gallery.examples.empty()) return;
  const bool pictures = gallery.examples.front().query.picture.has_value();
  out.open("section").element("h2", {}, gallery.heading);
  out.element("p", {{"class", "note"}}, gallery.note);
  out.open("div", {{"class", pictures ? "cards" : "cards texts"}});
  for (const Example& example : gallery.examples) write_example(out, example);
  out.close().close();
}

}  // namespace navvy::report
