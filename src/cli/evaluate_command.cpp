// navvy evaluate: precision against labels, with the time it took.
#include <fmt/core.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/values.hpp"
#include "cli/commands.hpp"
#include "cli/evaluation.hpp"
#include "cli/evaluation_report.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/report_items.hpp"
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
  std::filesystem::path report;
  double threshold = 0;
  app::RowChoice choice;
};

void run(const EvaluateOptions& options) {
  const bool with_report = !options.report.empty();
  if (with_report) check_report(options.report);
  const Index index = open_index(options.file);
  const std::string backend = device_backend(options.common.device);
  Searcher searcher(index, backend);
  const app::ChosenRows chosen = app::chosen_rows(options.choice, index);
  SearchOptions run = search_options(options.common, options.measures.front(), options.direction);
  run.among = chosen.among;
  // More lengths cost nothing: they are parts of the longest list.
  const auto tops = with_report ? curve_tops(options.tops) : options.tops;
  const auto results = evaluate_all(searcher, options.measures, tops, options.queries, run);
  const auto asked = app::selected(results, tops, options.tops);
  if (options.common.json) {
    print_json(app::evaluation_document(index, asked, options.tops, run, backend, chosen));
  } else {
    print_precisions(asked, options.tops);
  }
  if (!with_report) return;
  write_report(evaluation_report({searcher, options.file.stem().string(), results, options.tops,
                                  tops, run, options.common, options.report.extension() != ".svg"}),
               options.report);
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
          "--top", [options](const std::string& text) { options->tops = app::parse_counts(text); },
          "lengths of the lists of neighbours, separated by commas")
      ->type_name("LIST")
      ->default_str("1,16,128");
  command
      ->add_option("--queries", options->queries, "only the first N rows as queries (default: all)")
      ->type_name("N");
  add_report_option(*command, options->report,
                    "write a page with plots and examples; a name in .svg: the plot of accuracy "
                    "against time alone");
  add_direction_option(*command, options->direction);
  add_threshold_option(*command, options->threshold);
  add_choice_options(*command, options->choice);
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy evaluate mnist.navvy --measures bow,rwmd,act-1 --top 1,16,128",
                          "navvy evaluate mnist.navvy --measures act-7 --queries 1000 --json",
                          "navvy evaluate mnist.navvy --queries 1000 --report mnist.html",
                          "navvy evaluate mnist.navvy --where 'label in (3, 5, 8)'",
                          "navvy evaluate mnist.navvy --measures act-1 --device gpu"});
  command->callback([options] {
    set_threshold(options->threshold, options->measures);
    run(*options);
  });
}

}  // namespace navvy::cli
