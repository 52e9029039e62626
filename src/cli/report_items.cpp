// Rows, pictures and moves as reports want them.
#include "cli/report_items.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/describe.hpp"
#include "cli/options.hpp"
#include "cli/plane.hpp"
#include "cli/terminal.hpp"
#include "navvy/files.hpp"
#include "report/page.hpp"
#include "report/plots.hpp"

namespace navvy::cli {

std::optional<report::Bitmap> picture(const Index& index, const Histogram& histogram) {
  const std::optional<Plane> plane = Plane::of(index);
  if (!plane) return {};
  report::Bitmap bitmap{plane->width(), plane->height(), {}};
  bitmap.shades.resize(bitmap.width * bitmap.height);
  // Points that share a cell add up.
  for (std::size_t i = 0; i < histogram.size(); ++i)
    bitmap.shades[plane->cell(histogram.coordinates[i])] += histogram.weights[i];
  const float most = std::ranges::max(bitmap.shades);
  for (float& shade : bitmap.shades) shade = most > 0 ? shade / most : 0;
  return bitmap;
}

report::Item item(const Index& index, std::size_t row) {
  report::Item item;
  const std::string id = index.id(row);
  item.name = id == std::to_string(row) ? fmt::format("row {}", row) : one_line(id, 80);
  item.label = one_line(index.label(row), 60);
  if (!index.titles.empty()) item.title = one_line(index.titles[row], 120);
  item.snippet = one_line(snippet_of(index, row), 300);
  item.picture = picture(index, index.rows[row]);
  return item;
}

report::Item item(const Index& index, const app::Query& query, const Histogram& histogram) {
  if (query.row) return item(index, *query.row);
  report::Item item;
  item.name = one_line(query.name, 300);
  item.label = one_line(query.label, 60);
  item.title = one_line(query.title, 120);
  item.picture = picture(index, histogram);
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
