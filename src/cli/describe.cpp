#include "cli/describe.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

// "7 (10, 1 to 1135 rows each)": labels may be many, so only their extent is told.
std::string labels_text(const Summary& summary) {
  const auto [least, most] =
      std::minmax_element(summary.label_counts.begin(), summary.label_counts.end());
  std::string text =
      fmt::format("{} ({} to {} rows each", summary.label_counts.size(), *least, *most);
  if (summary.unlabelled > 0) text += fmt::format("; {} rows without", summary.unlabelled);
  return text + ")";
}

}  // namespace

Summary summarize(const Index& index) {
  Summary summary;
  summary.n = index.rows.size();
  summary.v = index.vocabulary.size();
  summary.m = index.vocabulary.dimensions();
  if (summary.n > 0) {
    summary.h = static_cast<double>(index.rows.bins()) / static_cast<double>(summary.n);
  }
  for (std::size_t row = 0; row < summary.n; ++row) {
    summary.largest = std::max(summary.largest, index.rows[row].size());
    summary.empty += is_empty(index.rows[row]) ? 1 : 0;
  }
  summary.label_counts.resize(index.label_names.size());
  for (const std::int32_t label : index.labels) {
    if (label < 0) {
      ++summary.unlabelled;
    } else {
      ++summary.label_counts[static_cast<std::size_t>(label)];
    }
  }
  return summary;
}

std::string to_string(DataKind kind) {
  switch (kind) {
    case DataKind::histograms:
      return "histograms";
    case DataKind::images:
      return "images";
    case DataKind::text:
      return "text";
  }
  return "unknown";
}

void add_sizes(Json& document, const Summary& summary) {
  document["n"] = summary.n;
  document["v"] = summary.v;
  document["h"] = summary.h;
  document["m"] = summary.m;
}

void print_facts(const Facts& facts) {
  for (const report::Fact& fact : facts) {
    fmt::print("{}{}\n", paint(output_terminal(), Colour::dim, fmt::format("{:<17} ", fact.name)),
               fact.value);
  }
}

Facts summary_facts(const Index& index, const Summary& summary) {
  Facts facts{
      {"kind", to_string(index.kind)},
      {"rows", fmt::format("{}", summary.n)},
      {"vocabulary", fmt::format("{} coordinates of {} dimensions", summary.v, summary.m)},
      {"bins per row", fmt::format("{:.1f} on average, {} at most", summary.h, summary.largest)}};
  if (!summary.label_counts.empty()) facts.push_back({"labels", labels_text(summary)});
  if (summary.empty > 0) {
    facts.push_back({"empty rows", fmt::format("{} (never found)", summary.empty)});
  }
  return facts;
}

Facts property_facts(const Index& index) {
  Facts facts;
  for (const auto& [key, value] : index.properties) {
    if (key != build_report_property) facts.push_back({key, one_line(value, 100)});
  }
  return facts;
}

Facts duplicate_facts(std::size_t groups) {
  if (groups == 0) return {};
  return {{"same histograms", fmt::format("{} groups of rows", groups)}};
}

Json summary_json(const Index& index, const Summary& summary) {
  Json document = json_document();
  document["kind"] = to_string(index.kind);
  add_sizes(document, summary);
  document["largest"] = summary.largest;
  document["empty"] = summary.empty;
  Json labels = Json::object();
  for (std::size_t i = 0; i < summary.label_counts.size(); ++i) {
    labels[std::string(index.label_names[i])] = summary.label_counts[i];
  }
  document["labels"] = std::move(labels);
  document["properties"] = index.properties;
  return document;
}

std::string coordinate_name(const Index& index, std::uint32_t coordinate) {
  if (index.vocabulary.has_words()) return one_line(index.vocabulary.word(coordinate), 40);
  if (index.kind == DataKind::images) {
    const auto place = index.vocabulary.coordinate(coordinate);
    return fmt::format("({:.0f},{:.0f})", place[0], place[1]);
  }
  return fmt::format("#{}", index.vocabulary.number(coordinate));
}

std::string describe_row(const Index& index, std::size_t row) {
  std::string text = fmt::format("row {}", row);
  if (const std::string id = index.id(row); id != std::to_string(row)) {
    text += fmt::format("  {}", one_line(id, 40));
  }
  if (const std::string label = index.label(row); !label.empty()) {
    text += fmt::format("  [{}]", one_line(label, 40));
  }
  if (!index.titles.empty()) text += fmt::format("  {}", one_line(index.titles[row], 60));
  return text;
}

std::vector<NamedMove> largest_moves(const Index& index, const Histogram& p, const Histogram& q,
                                     std::span<const Move> flow, std::size_t count) {
  std::vector<Move> moves(flow.begin(), flow.end());
  double total = 0;
  for (const Move& move : moves) total += move.mass * move.distance;
  count = std::min(count, moves.size());
  // Ties by position, so that the answer is always the same.
  const auto dearer = [](const Move& a, const Move& b) {
    const double cost_a = a.mass * a.distance;
    const double cost_b = b.mass * b.distance;
    if (cost_a != cost_b) return cost_a > cost_b;
    if (a.mass != b.mass) return a.mass > b.mass;
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  };
  std::partial_sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count), moves.end(),
                    dearer);
  moves.resize(count);
  std::vector<NamedMove> named;
  named.reserve(moves.size());
  for (const Move& move : moves) {
    named.push_back({coordinate_name(index, p.coordinates[move.from]),
                     coordinate_name(index, q.coordinates[move.to]), move.mass, move.distance,
                     total > 0 ? move.mass * move.distance / total : 0});
  }
  return named;
}

void print_moves(std::span<const NamedMove> moves, std::string_view from, std::string_view to) {
  using Align = Table::Align;
  Table table({{fmt::format("from {}", from)},
               {fmt::format("to {}", to)},
               {"mass", Align::right},
               {"distance", Align::right},
               {"of the cost", Align::right}});
  for (const NamedMove& move : moves) {
    table.add({move.from, move.to, fmt::format("{:.5f}", move.mass),
               fmt::format("{:.5f}", move.distance), fmt::format("{:.1f} %", 100 * move.share)});
  }
  table.print();
}

Json moves_json(std::span<const NamedMove> moves) {
  Json list = Json::array();
  for (const NamedMove& move : moves) {
    list.push_back({{"from", move.from},
                    {"to", move.to},
                    {"mass", move.mass},
                    {"distance", move.distance},
                    {"share", move.share}});
  }
  return list;
}

std::string arrow() { return output_terminal().unicode ? " \u2192 " : " -> "; }

}  // namespace navvy::cli
