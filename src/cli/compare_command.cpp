#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/describe.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
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
};

std::vector<NamedMove> moves_of(const Index& index, const Histogram& a, const Histogram& b,
                                const CompareOptions& options) {
  TransportOptions with_flow;
  with_flow.with_flow = true;
  const Transport result = transport(options.flow_measure, index.vocabulary, a, b, with_flow);
  return largest_moves(index, a, b, result.flow, options.moves);
}

void run(const CompareOptions& options) {
  const Index index = open_index(options.file);
  const std::size_t row_a = parse_row(options.a, index);
  const std::size_t row_b = parse_row(options.b, index);
  const Histogram a = index.rows[row_a];
  const Histogram b = index.rows[row_b];
  const auto outcomes = compare_all(index, a, b, options.measures);
  const double upper = greedy_cost(index.vocabulary, a, b);
  std::vector<NamedMove> moves;
  if (options.flow) moves = moves_of(index, a, b, options);
  if (options.common.json) {
    Json document = json_document();
    document["a"] = row_a;
    document["b"] = row_b;
    document["ids"] = {index.id(row_a), index.id(row_b)};
    document["labels"] = {index.label(row_a), index.label(row_b)};
    for (const Outcome& outcome : outcomes) document["measures"].push_back(to_json(outcome));
    document["upper_bound"] = upper;
    if (options.flow) {
      document["flow"] = {{"measure", to_string(options.flow_measure)},
                          {"moves", moves_json(moves)}};
    }
    print_json(document);
    return;
  }
  fmt::print("a  {}\nb  {}\n\n", describe_row(index, row_a), describe_row(index, row_b));
  print_table(outcomes);
  fmt::print("\nemd is at most {:.6f}, the cost of a greedy plan\n", upper);
  if (!options.flow) return;
  fmt::print("\n{}\n",
             paint(output_terminal(), Colour::bold,
                   fmt::format("largest moves under {}", to_string(options.flow_measure))));
  print_moves(moves, "a", "b");
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
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy compare mnist.navvy 0 1",
                          "navvy compare mnist.navvy 0 1 --measures rwmd,act-1,emd --json",
                          "navvy compare news.navvy 17 42 --flow"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
