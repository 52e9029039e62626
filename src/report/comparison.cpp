// Pages of pairs: two rows with all that moved between them, and answers with theirs.
#include "report/comparison.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace navvy::report {
namespace {

void write_share(Markup& out, const ComparedMeasure& measure) {
  out.open("td", {{"class", "left bar"}});
  if (measure.share) {
    const double percent = 100 * *measure.share;
    out.element(
        "i", {{"style", fmt::format("width:{}%", number(std::clamp(percent, 0.0, 140.0) * 0.45))}},
        "");
    out.text(fmt::format("{:.1f}\u00a0%", percent));
  }
  out.close();
}

void write_measures(Markup& out, const ComparisonReport& report) {
  out.open("section").element("h2", {}, "Every measure");
  out.element("p", {{"class", "note"}},
              "Bounds move one side into the other and forget part of the constraints; the larger "
              "of both directions counts. Each is shown as a share of the exact distance.");
  out.open("table", {{"class", "measures"}});
  out.open("thead").open("tr").element("th", {}, "measure");
  out.element("th", {{"class", "extra"}}, "a \u2192 b")
      .element("th", {{"class", "extra"}}, "b \u2192 a");
  out.element("th", {}, "distance").element("th", {{"class", "left"}}, "of emd").close().close();
  out.open("tbody");
  const auto value = [](const std::optional<double>& number) {
    return number ? fmt::format("{:.6f}", *number) : std::string();
  };
  for (const ComparedMeasure& measure : report.measures) {
    out.open("tr").element("th", {}, measure.name);
    out.element("td", {{"class", "extra"}}, value(measure.forward));
    out.element("td", {{"class", "extra"}}, value(measure.backward));
    out.element("td", {}, value(measure.distance));
    write_share(out, measure);
    out.close();
  }
  out.close().close().close();
}

void write_row(Markup& out, const FoundRow& row, std::size_t rank) {
  out.open("article", {{"class", "found"}});
  out.open("h3").text(fmt::format("{}. ", rank)).element("bdi", {}, heading_of(row.item)).close();
  out.open("p", {{"class", "note"}});
  out.text(fmt::format("distance {}", row.distance));
  if (!row.item.label.empty()) {
    out.text(" \u00b7 ").element("bdi", {}, row.item.label);
  }
  write_moves(out, row.moves);
  out.close();
  if (row.pair) {
    write_sides(out, *row.pair);
    write(out, *row.pair);
  }
  out.close();
}

// The query and what was found in one row, so that the eye needs no scrolling.
void write_strip(Markup& out, const AnsweredQuery& query) {
  out.open("ul", {{"class", "strip hits"}});
  const auto write_one = [&](const Item& item, const std::string& name, std::string_view below) {
    out.open("li").element("b", {}, name);
    if (item.picture) draw(out, *item.picture, heading_of(item));
    if (!item.label.empty()) out.element("bdi", {}, item.label);
    out.element("span", {{"class", "label"}}, below).close();
  };
  write_one(query.query, "query", "");
  for (std::size_t i = 0; i < query.rows.size(); ++i)
    write_one(query.rows[i].item, fmt::format("{}.", i + 1), query.rows[i].distance);
  out.close();
}

// The same for what has no picture: titles, labels and the beginning of each text.
void write_titles(Markup& out, const AnsweredQuery& query) {
  out.open("ol", {{"class", "hits"}});
  for (const FoundRow& row : query.rows) {
    out.open("li").element("bdi", {}, heading_of(row.item));
    out.text(" ").open("span", {{"class", "label"}}).text(row.distance);
    if (!row.item.label.empty()) out.text(" \u00b7 ").element("bdi", {}, row.item.label);
    out.close();
    if (!row.item.snippet.empty())
      out.open("p", {{"class", "note"}}).element("bdi", {}, row.item.snippet).close();
    out.close();
  }
  out.close();
}

}  // namespace

std::string page_of(const ComparisonReport& report) {
  Markup out;
  begin_page(out, report.head, "");
  write_sides(out, report.pair);
  out.open("section").element("h2", {}, "What moved where");
  write_moves(out, report.moves);
  write(out, report.pair);
  out.close();
  write_measures(out, report);
  end_page(out, report.origin);
  return out.take();
}

void write(Markup& out, const AnsweredQuery& query) {
  out.open("section");
  out.open("h2").element("bdi", {}, heading_of(query.query)).close();
  if (!query.query.label.empty()) {
    out.element("p", {{"class", "note"}}, fmt::format("label {}", query.query.label));
  }
  if (!query.error.empty()) out.element("p", {{"class", "note"}}, query.error);
  if (query.error.empty() && !query.unknown.empty()) {
    out.open("p", {{"class", "note"}}).text("without words that have no vector: ");
    out.element("bdi", {}, query.unknown).close();
  }
  if (query.rows.size() > 0 && query.query.picture) {
    write_strip(out, query);
  } else if (query.rows.size() > 1) {
    write_titles(out, query);
  }
  for (std::size_t i = 0; i < query.rows.size(); ++i) write_row(out, query.rows[i], i + 1);
  out.close();
}

std::string page_of(const SearchReport& report) {
  Markup out;
  begin_page(out, report.head, "");
  for (const AnsweredQuery& query : report.queries) write(out, query);
  end_page(out, report.origin);
  return out.take();
}

}  // namespace navvy::report
