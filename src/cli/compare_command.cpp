#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/describe.hpp"
#include "cli/flow_report.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/report_items.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct CompareOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::string a;
  std::string b;
  std::vector<Measure> measures = parse_measures(all_measures);
  Measure flow_measure{MeasureKind::emd};
  bool flow = false;
  std::size_t moves = 10;
  std::filesystem::path report;
};

std::vector<NamedMove> moves_of(const Index& index, const Histogram& a, const Histogram& b,
                                const CompareOptions& options) {
  TransportOptions with_flow;
  with_flow.with_flow = true;
  const Transport result = transport(options.flow_measure, index.vocabulary, a, b, with_flow);
  return largest_moves(index, a, b, result.flow, options.moves);
}

// A threshold asks for emd-hat beside the measures that are always shown.
void use_threshold(CompareOptions& options) {
  const double threshold = std::exchange(options.flow_measure.threshold, 0);
  if (threshold != 0 && options.measures == parse_measures(all_measures))
    options.measures.push_back({MeasureKind::emd_hat});
  options.measures.push_back(options.flow_measure);
  set_threshold(threshold, options.measures);
  options.flow_measure = options.measures.back();
  options.measures.pop_back();
}

struct Compared {
  std::size_t a;
  std::size_t b;
  std::vector<Outcome> outcomes;
  double upper;
  std::vector<NamedMove> moves;
};

void print_document(const Index& index, const Compared& pair, const CompareOptions& options) {
  Json document = json_document();
  document["a"] = pair.a;
  document["b"] = pair.b;
  document["ids"] = {index.id(pair.a), index.id(pair.b)};
  document["labels"] = {index.label(pair.a), index.label(pair.b)};
  for (const Outcome& outcome : pair.outcomes) document["measures"].push_back(to_json(outcome));
  document["upper_bound"] = pair.upper;
  if (const auto below = gap(pair.outcomes, pair.upper))
    document["upper_bound_gap_percent"] = *below;
  if (options.flow) {
    document["flow"] = {{"measure", to_string(options.flow_measure)},
                        {"moves", moves_json(pair.moves)}};
  }
  print_json(document);
}

void print_pair(const Index& index, const Compared& pair, const CompareOptions& options) {
  fmt::print("a  {}\nb  {}\n\n", describe_row(index, pair.a), describe_row(index, pair.b));
  print_table(pair.outcomes, pair.upper);
  if (!options.flow) return;
  fmt::print("\n{}\n",
             paint(output_terminal(), Colour::bold,
                   fmt::format("largest moves under {}", to_string(options.flow_measure))));
  print_moves(pair.moves, "a", "b");
}

void run(const CompareOptions& options) {
  if (!options.report.empty()) check_report(options.report);
  limit_memory(options.common);
  const Index index = open_index(options.file);
  Compared pair{parse_row(options.a, index), parse_row(options.b, index), {}, 0, {}};
  const Histogram a = index.rows[pair.a];
  const Histogram b = index.rows[pair.b];
  pair.outcomes = compare_all(index, a, b, options.measures);
  pair.upper = greedy_cost(index.vocabulary, a, b);
  if (options.flow) pair.moves = moves_of(index, a, b, options);
  if (options.common.json) {
    print_document(index, pair, options);
  } else {
    print_pair(index, pair, options);
  }
  if (options.report.empty()) return;
  const ComparedPair shown{index, pair.a, pair.b, pair.outcomes, options.flow_measure};
  write_page(page_of(comparison_report(shown, options.common)), options.report);
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "One pair of rows under every measure");
  add_index_argument(*command, options->file);
  command->add_option("A", options->a, "a row: its number or its id")->required()->type_name("");
  command->add_option("B", options->b, "the other row")->required()->type_name("");
  command
      ->add_option_function<std::string>(
          "--measures",
          [options](const std::string& text) { options->measures = parse_measures(text); },
          "measures to show, separated by commas (default: all)")
      ->type_name("LIST");
  command->add_flag("--flow", options->flow, "show the moves that cost most: who goes where");
  command->add_option("--moves", options->moves, "how many moves to show")
      ->type_name("N")
      ->capture_default_str();
  add_measure_option(*command, options->flow_measure);
  command->get_option("--measure")->description("the measure whose flow is shown");
  add_report_option(*command, options->report, "write a page with the flows as pictures");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy compare mnist.navvy 0 1",
                          "navvy compare mnist.navvy 0 1 --measures rwmd,act-1,emd --json",
                          "navvy compare news.navvy 17 42 --flow",
                          "navvy compare mnist.navvy 0 1 --report pair.html"});
  command->callback([options] {
    use_threshold(*options);
    run(*options);
  });
}

}  // namespace navvy::cli
