// Costs one pair under several measures, and says how far below emd each lies.
#include "app/comparison.hpp"

#include <algorithm>

#include "navvy/pairwise.hpp"

namespace navvy::app {
namespace {

Outcome compare(const Index& index, const Histogram& a, const Histogram& b, const Measure& measure,
                std::uint64_t memory) {
  const auto cost = [&](Direction direction) {
    TransportOptions options;
    options.direction = direction;
    options.memory = memory;
    return transport(measure, index.vocabulary, a, b, options);
  };
  Outcome outcome{.measure = measure};
  // Rows are compared with rows: under emd as histograms of mass 1.
  if (facts(measure.kind).symmetric || facts(measure.kind).partial) {
    const Transport both = cost(Direction::symmetric);
    outcome.distance = both.distance;
    outcome.converged = both.converged;
    return outcome;
  }
  outcome.forward = cost(Direction::database_to_query).distance;
  outcome.backward = cost(Direction::query_to_database).distance;
  outcome.distance = std::max(*outcome.forward, *outcome.backward);
  return outcome;
}

}  // namespace

std::vector<Outcome> compare_all(const Index& index, const Histogram& a, const Histogram& b,
                                 std::span<const Measure> measures, std::uint64_t memory) {
  std::vector<Outcome> outcomes(measures.size());
  // What may be refused comes first: large pairs take long under the others.
  for (const bool whole_plan : {true, false})
    for (std::size_t i = 0; i < measures.size(); ++i)
      if (facts(measures[i].kind).whole_plan == whole_plan)
        outcomes[i] = compare(index, a, b, measures[i], memory);
  for (Outcome& outcome : outcomes) {
    // What asks for no ground distance is no transport cost: its distance to emd says nothing.
    const MeasureKind kind = outcome.measure.kind;
    const bool comparable = facts(kind).ground != GroundUse::identity && kind != MeasureKind::emd;
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

Comparison compare_rows(const Index& index, std::size_t a, std::size_t b,
                        const ComparisonRequest& request) {
  const Histogram from = index.rows[a];
  const Histogram to = index.rows[b];
  Comparison pair{a,
                  b,
                  compare_all(index, from, to, request.measures, request.memory),
                  greedy_cost(index.vocabulary, from, to),
                  {}};
  if (!request.flow) return pair;
  TransportOptions with_flow;
  with_flow.with_flow = true;
  with_flow.memory = request.memory;
  const auto flow = transport(request.flow_measure, index.vocabulary, from, to, with_flow).flow;
  pair.moves = largest_moves(index, from, to, flow, request.moves);
  return pair;
}

Json to_json(const Index& index, const Comparison& pair, const ComparisonRequest& request) {
  Json document = json_document();
  document["a"] = pair.a;
  document["b"] = pair.b;
  document["ids"] = {index.id(pair.a), index.id(pair.b)};
  document["labels"] = {index.label(pair.a), index.label(pair.b)};
  for (const Outcome& outcome : pair.outcomes) document["measures"].push_back(to_json(outcome));
  document["upper_bound"] = pair.upper;
  if (const auto below = gap(pair.outcomes, pair.upper))
    document["upper_bound_gap_percent"] = *below;
  if (request.flow) {
    document["flow"] = {{"measure", to_string(request.flow_measure)},
                        {"moves", moves_json(pair.moves)}};
  }
  return document;
}

}  // namespace navvy::app
