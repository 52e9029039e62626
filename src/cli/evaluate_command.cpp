#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/evaluation.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct EvaluateOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::vector<Measure> measures = parse_measures("bow,wcd,rwmd,omr,act-1");
  std::vector<std::size_t> tops = {1, 16, 128};
  std::size_t queries = 0;
  Direction direction = Direction::symmetric;
};

void run(const EvaluateOptions& options) {
  const Index index = open_index(options.file);
  Searcher searcher(index);
  const auto results =
      evaluate_all(searcher, options.measures, options.tops, options.queries,
                   run_options(options.common, options.measures.front(), options.direction));
  if (!options.common.json) {
    print_precisions(results, options.tops);
    return;
  }
  Json document = json_document();
  add_sizes(document, summarize(index));
  document["queries"] = results.front().evaluation.queries;
  document["threads"] =
      options.common.threads > 0 ? options.common.threads : std::thread::hardware_concurrency();
  document["kernels"] = kernels_in_use();
  document["direction"] = to_string(options.direction);
  document["measures"] = evaluation_json(results, options.tops);
  print_json(document);
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand(
      "evaluate", "Precision of nearest neighbours against labels, with the time it took");
  add_index_argument(*command, options->file);
  command
      ->add_option_function<std::string>(
          "--measures,--measure",
          [options](const std::string& text) { options->measures = parse_measures(text); },
          "measures to run, separated by commas")
      ->type_name("LIST")
      ->default_str("bow,wcd,rwmd,omr,act-1");
  command
      ->add_option_function<std::string>(
          "--top", [options](const std::string& text) { options->tops = parse_counts(text); },
          "lengths of the lists of neighbours, separated by commas")
      ->type_name("LIST")
      ->default_str("1,16,128");
  command
      ->add_option("--queries", options->queries, "only the first N rows as queries (default: all)")
      ->type_name("N");
  add_direction_option(*command, options->direction);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy evaluate mnist.navvy --measures bow,rwmd,act-1 --top 1,16,128",
                          "navvy evaluate mnist.navvy --measures act-7 --queries 1000 --json"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
