// Answers as JSON, and why a row was found.
#include "app/answers.hpp"

#include <cmath>
#include <utility>

#include "app/evaluation.hpp"
#include "app/fields.hpp"
#include "navvy/fields.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::app {
namespace {

Json match_json(const Answers& answers, std::size_t query, std::size_t rank) {
  const Match match = answers.matches[query][rank];
  const auto row = static_cast<std::size_t>(match.row);
  const Index& index = answers.index;
  Json entry;
  entry["rank"] = rank + 1;
  entry["row"] = row;
  entry["id"] = index.id(row);
  entry["label"] = index.labels.empty() ? Json() : Json(index.label(row));
  entry["distance"] = match.distance;
  if (answers.matches.has_bounds()) {
    entry["lower"] = match.lower;
    entry["upper"] = match.upper;
    entry["exact"] = match.exact;
  }
  if (!index.titles.empty()) entry["title"] = index.titles[row];
  if (!index.snippets.empty()) entry["snippet"] = index.snippets[row];
  if (!index.fields.empty()) entry["fields"] = fields_json(index, row);
  if (answers.explain) {
    entry["moves"] = moves_json(explanation(index, answers.queries.histograms[query], row,
                                            answers.options.question, explained_moves));
  }
  return entry;
}

Json proof_json(const Proof& proof) {
  return {{"rows", proof.rows},           {"solves", proof.solves},
          {"undecided", proof.undecided}, {"pruned", pruned(proof)},
          {"matches", proof.matches},     {"certain", proof.certain},
          {"seconds", proof.seconds},     {"stages", stages_json(proof.stages)}};
}

// Under emd one way, what found no room, in front of the moves.
void add_unmoved(const Transport& result, const TransportOptions& options,
                 std::vector<NamedMove>& moves) {
  double moved = 0;
  for (const Move& move : result.flow) moved += move.mass * move.distance;
  const double share = result.distance > 0 ? 1 - moved / result.distance : 0;
  for (NamedMove& move : moves) move.share *= 1 - share;
  const bool from_query = options.direction.way == Direction::Way::query_to_database;
  NamedMove rest{"rest", "no room", result.unmoved, (result.distance - moved) / result.unmoved,
                 share};
  if (!from_query) std::swap(rest.from, rest.to);
  moves.insert(moves.begin(), rest);
}

}  // namespace

double price_in(const Index& index, const Question& question) {
  const bool told = question.price > 0 || question.measure.kind != MeasureKind::emd;
  return told || !is_partial(question.measure, question.direction) ? question.price
                                                                   : price_of(index);
}

void add_question(Json& document, const Index& index, const Question& question) {
  document["measure"] = to_string(question.measure);
  if (question.measure.threshold > 0) document["threshold"] = question.measure.threshold;
  document["direction"] = to_string(question.direction);
  if (const double price = price_in(index, question); price > 0) document["price"] = price;
  if (question.bow_share > 0) document["bow_share"] = question.bow_share;
}

std::string question_text(const Index& index, const Question& question) {
  std::string text = to_string(question.measure);
  if (is_partial(question.measure, question.direction))
    text += ", one way: ";
  else if (question.direction != Direction::symmetric)
    text += ", ";
  if (question.direction != Direction::symmetric) text += to_string(question.direction);
  if (const double price = price_in(index, question); price > 0)
    text += ", price " + number_text(price);
  if (question.bow_share > 0)
    text += ", with " + number_text(question.bow_share) + " of bow (no bound of emd)";
  return text;
}

double pruned(const Proof& proof) {
  const std::uint64_t rest = proof.solves + proof.undecided;
  return proof.rows == 0 ? 0 : 1 - static_cast<double>(rest) / static_cast<double>(proof.rows);
}

std::vector<NamedMove> explanation(const Index& index, const Histogram& query, std::size_t row,
                                   const Question& question, std::size_t count) {
  TransportOptions with_flow;
  with_flow.with_flow = true;
  with_flow.direction = question.direction;
  with_flow.sinkhorn = question.sinkhorn;
  with_flow.price = price_in(index, question);
  const bool has_flow = facts(question.measure.kind).moves_mass;
  const Measure measure = has_flow ? question.measure : Measure{MeasureKind::act, 1};
  const Histogram found = index.rows[row];
  const Transport result = transport(measure, index.vocabulary, found, query, with_flow);
  auto moves = largest_moves(index, found, query, result.flow, count);
  // A row of the database is the p of a flow; people read from their query to what was found.
  for (NamedMove& move : moves) std::swap(move.from, move.to);
  if (result.unmoved > 0) add_unmoved(result, with_flow, moves);
  return moves;
}

Json to_json(const Answers& answers) {
  Json document = json_document();
  add_question(document, answers.index, answers.options.question);
  document["device"] = answers.device;
  if (!std::isinf(answers.options.within)) document["within"] = answers.options.within;
  add_choice(document, answers.chosen);
  document["queries"] = Json::array();
  for (std::size_t i = 0; i < answers.queries.list.size(); ++i) {
    const Query& query = answers.queries.list[i];
    Json entry;
    entry["query"] = query.row ? Json(*query.row) : Json(query.name);
    entry["matches"] = Json::array();
    for (std::size_t rank = 0; rank < answers.matches[i].size(); ++rank) {
      entry["matches"].push_back(match_json(answers, i, rank));
    }
    if (answers.index.kind == DataKind::text && !query.row) entry["unknown"] = query.unknown;
    if (!query.error.empty()) entry["error"] = query.error;
    if (!answers.matches.proofs.empty()) entry["proof"] = proof_json(answers.matches.proofs[i]);
    document["queries"].push_back(std::move(entry));
  }
  document["counters"] = counters_json(answers.matches.counters);
  return document;
}

}  // namespace navvy::app
