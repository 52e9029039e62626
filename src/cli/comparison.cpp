// The table of a compared pair.
#include "cli/comparison.hpp"

#include <fmt/core.h>

#include <string>

#include "cli/describe.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {
void print_table(std::span<const app::Outcome> outcomes, std::optional<double> upper) {
  using Align = Table::Align;
  Table table({{"measure"},
               {fmt::format("a{}b", arrow()), Align::right},
               {fmt::format("b{}a", arrow()), Align::right},
               {"distance", Align::right},
               {"against emd", Align::right},
               {""}});
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : "";
  };
  const auto percent = [](const std::optional<double>& below) {
    return below ? fmt::format("{:+.2f} %", -*below) : "";
  };
  for (const app::Outcome& outcome : outcomes) {
    table.add({to_string(outcome.measure), number(outcome.forward), number(outcome.backward),
               number(outcome.distance), percent(outcome.gap),
               outcome.converged ? "" : "stopped at its iteration limit"});
    if (upper && outcome.measure.kind == MeasureKind::emd)
      table.add({"upper bound", "", "", number(upper), percent(gap(outcomes, *upper)),
                 "of a greedy plan"});
  }
  table.print();
}

}  // namespace navvy::cli
