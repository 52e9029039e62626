// Rows, pictures and moves as reports want them.
#include "cli/report_items.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "navvy/files.hpp"
#include "report/page.hpp"
#include "report/plots.hpp"

namespace navvy::cli {

std::optional<report::Bitmap> picture(const Index& index, const Histogram& histogram) {
  if (index.kind != DataKind::images || index.vocabulary.dimensions() != 2) return {};
  constexpr std::size_t largest = 512;  // a page should stay a page
  report::Bitmap bitmap;
  // Clamped first: what a file says need not fit a size.
  const auto place = [&](std::uint32_t coordinate, std::size_t axis) {
    const float value = index.vocabulary.coordinate(coordinate)[axis];
    return static_cast<std::size_t>(std::clamp(value, 0.0F, static_cast<float>(largest)));
  };
  for (std::uint32_t i = 0; i < index.vocabulary.size(); ++i) {
    bitmap.height = std::max(bitmap.height, place(i, 0) + 1);
    bitmap.width = std::max(bitmap.width, place(i, 1) + 1);
  }
  if (bitmap.height > largest || bitmap.width > largest) return {};
  bitmap.shades.resize(bitmap.width * bitmap.height);
  float most = 0;
  for (const float weight : histogram.weights) most = std::max(most, weight);
  for (std::size_t i = 0; i < histogram.size() && most > 0; ++i) {
    const std::uint32_t pixel = histogram.coordinates[i];
    bitmap.shades[place(pixel, 0) * bitmap.width + place(pixel, 1)] = histogram.weights[i] / most;
  }
  return bitmap;
}

report::Item item(const Index& index, std::size_t row) {
  report::Item item;
  const std::string id = index.id(row);
  item.name = id == std::to_string(row) ? fmt::format("row {}", row) : one_line(id, 80);
  item.label = one_line(index.label(row), 60);
  if (!index.titles.empty()) item.title = one_line(index.titles[row], 120);
  if (!index.snippets.empty()) item.snippet = one_line(index.snippets[row], 300);
  item.picture = picture(index, index.rows[row]);
  return item;
}

std::vector<report::WordMove> word_moves(const std::vector<app::NamedMove>& moves) {
  std::vector<report::WordMove> words;
  words.reserve(moves.size());
  for (const app::NamedMove& move : moves) {
    words.push_back({one_line(move.from, word_width), one_line(move.to, word_width), move.share,
                     move.distance == 0});
  }
  return words;
}

void check_report(const std::filesystem::path& path) {
  if (path.extension() == ".svg") {
    check_output(path, report::picture_magic, "a picture made by navvy");
  } else {
    check_output(path, report::page_magic, "a report made by navvy");
  }
}

void write_page(const std::string& page, const std::filesystem::path& path) {
  write_file(path, page);
  talk(fmt::format("wrote {}", path.string()));
}

}  // namespace navvy::cli
