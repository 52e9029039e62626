// Facts about an index and moves between rows, line by line.
#include "cli/describe.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/fields.hpp"
#include "cli/terminal.hpp"
#include "navvy/printable.hpp"

namespace navvy::cli {
namespace {

// "7 (10, 1 to 1135 rows each)": labels may be many, so only their extent is told.
std::string labels_text(const app::Summary& summary) {
  const auto [least, most] =
      std::minmax_element(summary.label_counts.begin(), summary.label_counts.end());
  std::string text =
      fmt::format("{} ({} to {} rows each", summary.label_counts.size(), *least, *most);
  if (summary.unlabelled > 0) text += fmt::format("; {} rows without", summary.unlabelled);
  return text + ")";
}

}  // namespace

void print_facts(const Facts& facts) {
  for (const report::Fact& fact : facts) {
    const std::string name = fmt::format("{:<17} ", printable(fact.name));
    fmt::print("{}{}\n", paint(output_terminal(), Colour::dim, name), printable(fact.value));
  }
}

Facts summary_facts(const Index& index, const app::Summary& summary) {
  Facts facts{
      {"kind", to_string(index.kind)},
      {"rows", fmt::format("{}", summary.n)},
      {"vocabulary", fmt::format("{} coordinates of {} dimensions", summary.v, summary.m)},
      {"bins per row", fmt::format("{:.1f} on average, {} at most", summary.h, summary.largest)}};
  if (index.beyond.kept()) {
    facts.push_back({"words for queries",
                     fmt::format("{} beyond the corpus", index.beyond.vocabulary().size())});
  }
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

Facts field_facts(const Index& index) {
  Facts facts;
  const std::vector<app::FieldSummary> summaries = app::summarize_fields(index);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const app::FieldSummary& field = summaries[i];
    std::string text =
        fmt::format("{}, {} of {} rows", to_string(field.type), field.values, index.rows.size());
    if (field.values > 0 && field.type != FieldType::text) {
      text += fmt::format(", {} to {}", index.fields[i].text(field.least),
                          index.fields[i].text(field.most));
    }
    facts.push_back({fmt::format("field {}", one_line(field.name, 60)), std::move(text)});
  }
  return facts;
}

Facts duplicate_facts(std::size_t groups) {
  if (groups == 0) return {};
  return {{"same histograms", fmt::format("{} groups of rows", groups)}};
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

std::string_view snippet_of(const Index& index, std::size_t row) {
  if (index.snippets.empty()) return {};
  const std::string_view snippet = index.snippets[row];
  return index.titles.empty() || index.titles[row] != snippet ? snippet : std::string_view();
}

std::string fields_line(const Index& index, std::size_t row, std::size_t width) {
  constexpr std::size_t widest = 60;  // one long value must not hide those after it
  std::string line;
  for (const Field& field : index.fields) {
    if (!field.has(row)) continue;
    line += fmt::format("{}{}: {}", line.empty() ? "" : "  ", one_line(field.name, widest),
                        one_line(field.text(row), widest));
  }
  return one_line(line, width);
}

void print_moves(std::span<const app::NamedMove> moves, std::string_view from,
                 std::string_view to) {
  using Align = Table::Align;
  Table table({{fmt::format("from {}", from)},
               {fmt::format("to {}", to)},
               {"mass", Align::right},
               {"distance", Align::right},
               {"of the cost", Align::right}});
  for (const app::NamedMove& move : moves) {
    table.add({one_line(move.from, word_width), one_line(move.to, word_width),
               fmt::format("{:.5f}", move.mass), fmt::format("{:.5f}", move.distance),
               fmt::format("{:.1f} %", 100 * move.share)});
  }
  table.print();
}

std::string arrow() { return output_terminal().unicode ? " \u2192 " : " -> "; }

}  // namespace navvy::cli
