#include "cli/comparison.hpp"

#include <fmt/core.h>

#include <string>

#include "cli/describe.hpp"
#include "cli/terminal.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::cli {
namespace {

Outcome compare(const Index& index, const Histogram& a, const Histogram& b,
                const Measure& measure) {
  const auto cost = [&](Direction direction) {
    TransportOptions options;
    options.direction = direction;
    return transport(measure, index.vocabulary, a, b, options);
  };
  Outcome outcome{.measure = measure};
  const Transport both = cost(Direction::symmetric);
  outcome.distance = both.distance;
  outcome.converged = both.converged;
  if (is_relaxation(measure)) {
    outcome.forward = cost(Direction::database_to_query).distance;
    outcome.backward = cost(Direction::query_to_database).distance;
  }
  return outcome;
}

}  // namespace

std::vector<Outcome> compare_all(const Index& index, const Histogram& a, const Histogram& b,
                                 std::span<const Measure> measures) {
  std::vector<Outcome> outcomes;
  for (const Measure& measure : measures) outcomes.push_back(compare(index, a, b, measure));
  for (Outcome& outcome : outcomes) {
    // bow is no transport cost: its distance to emd says nothing.
    const bool comparable =
        outcome.measure.kind != MeasureKind::bow && outcome.measure.kind != MeasureKind::emd;
    if (comparable) outcome.gap = gap(outcomes, outcome.distance);
  }
  return outcomes;
}

std::optional<double> gap(std::span<const Outcome> outcomes, double distance) {
  for (const Outcome& outcome : outcomes) {
    if (outcome.measure.kind == MeasureKind::emd && outcome.distance > 0)
      return 100 * (outcome.distance - distance) / outcome.distance;
  }
  return {};
}

Json to_json(const Outcome& outcome) {
  Json entry;
  entry["name"] = to_string(outcome.measure);
  entry["distance"] = outcome.distance;
  if (outcome.forward) entry["a_to_b"] = *outcome.forward;
  if (outcome.backward) entry["b_to_a"] = *outcome.backward;
  if (outcome.gap) entry["gap_percent"] = *outcome.gap;
  if (outcome.measure.kind == MeasureKind::sinkhorn) entry["converged"] = outcome.converged;
  return entry;
}

void print_table(std::span<const Outcome> outcomes, std::optional<double> upper) {
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
  for (const Outcome& outcome : outcomes) {
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
