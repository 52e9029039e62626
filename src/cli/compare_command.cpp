// navvy compare: two rows under every measure.
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/comparison.hpp"
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
  app::ComparisonRequest request;
  std::filesystem::path report;
};

// A threshold asks for emd-hat beside the measures that are always shown.
void use_threshold(app::ComparisonRequest& request) {
  const double threshold = std::exchange(request.flow_measure.threshold, 0);
  if (threshold != 0 && request.measures == parse_measures(app::all_measures))
    request.measures.push_back({MeasureKind::emd_hat});
  request.measures.push_back(request.flow_measure);
  set_threshold(threshold, request.measures);
  request.flow_measure = request.measures.back();
  request.measures.pop_back();
}

void print_pair(const Index& index, const app::Comparison& pair,
                const app::ComparisonRequest& request) {
  fmt::print("a  {}\nb  {}\n\n", describe_row(index, pair.a), describe_row(index, pair.b));
  print_table(pair.outcomes, pair.upper);
  if (!request.flow) return;
  fmt::print("\n{}\n",
             paint(output_terminal(), Colour::bold,
                   fmt::format("largest moves under {}", to_string(request.flow_measure))));
  print_moves(pair.moves, "a", "b");
}

void run(const CompareOptions& options) {
  if (!options.report.empty()) check_report(options.report);
  limit_memory(options.common);
  const Index index = open_whole(options.file);
  const app::ComparisonRequest& request = options.request;
  const std::size_t a = parse_row(options.a, index);
  const std::size_t b = parse_row(options.b, index);
  const app::Comparison pair = compare_rows(index, a, b, request);
  if (options.common.json) {
    print_json(to_json(index, pair, request));
  } else {
    print_pair(index, pair, request);
  }
  if (options.report.empty()) return;
  const ComparedPair shown{index, pair.a, pair.b, pair.outcomes, request.flow_measure};
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
          [options](const std::string& text) { options->request.measures = parse_measures(text); },
          "measures to show, separated by commas (default: all)")
      ->type_name("LIST");
  command->add_flag("--flow", options->request.flow,
                    "show the moves that cost most: who goes where");
  command->add_option("--moves", options->request.moves, "how many moves to show")
      ->type_name("N")
      ->check(not_negative())
      ->capture_default_str();
  add_measure_option(*command, options->request.flow_measure);
  command->get_option("--measure")->description("the measure whose flow is shown");
  add_report_option(*command, options->report, "write a page with the flows as pictures");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy compare mnist.navvy 0 1",
                          "navvy compare mnist.navvy 0 1 --measures rwmd,act-1,emd --json",
                          "navvy compare news.navvy 17 42 --flow",
                          "navvy compare mnist.navvy 0 1 --report pair.html"});
  command->callback([options] {
    use_threshold(options->request);
    options->request.memory = options->common.memory;
    run(*options);
  });
}

}  // namespace navvy::cli
