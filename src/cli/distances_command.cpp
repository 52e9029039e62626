// navvy distances: a matrix of distances as a file.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "app/answers.hpp"
#include "app/devices.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct DistancesOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::filesystem::path output;
  Measure measure;
  Direction direction = Direction::symmetric;
  double price = 0;
  std::string rows;
  std::string queries;
};

void run(const DistancesOptions& options) {
  check_output(options.output, "\x93NUMPY", "a .npy file");
  const Index index = open_whole(options.file);
  const RowRange rows = parse_range(options.rows, index.rows.size());
  const RowRange queries = parse_range(options.queries, index.rows.size());
  const MatrixRange range{queries.begin, queries.end, rows.begin, rows.end};
  const std::string backend = device_backend(options.common.device);
  const Question question{options.measure, options.direction, {}, 0, options.price};
  const auto start = std::chrono::steady_clock::now();
  {
    ProgressDisplay display;
    RunOptions run = run_options(options.common);
    run.progress = display.callback();
    Searcher(index, backend).write_distances(range, question, run, options.output);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::size_t query_count = queries.size();
  const std::size_t row_count = rows.size();
  if (!options.common.json) {
    talk(fmt::format("{}: {} queries x {} rows under {}, {:.2f} s", options.output.string(),
                     query_count, row_count, to_string(options.measure), seconds));
    return;
  }
  app::Json document = app::json_document();
  document["file"] = options.output.string();
  app::add_question(document, index, question);
  document["queries"] = query_count;
  document["rows"] = row_count;
  document["distances"] = query_count * row_count;
  document["device"] = app::device_name(backend);
  document["seconds"] = seconds;
  print_json(document);
}

}  // namespace

void add_distances_command(CLI::App& app) {
  auto options = std::make_shared<DistancesOptions>();
  CLI::App* command =
      app.add_subcommand("distances", "Write the full matrix of distances between rows");
  add_index_argument(*command, options->file);
  command
      ->add_option("--rows", options->rows, "columns of the matrix: rows A to B-1 (default: all)")
      ->type_name("A:B");
  command->add_option("--query-rows", options->queries, "its lines: rows C to D-1 (default: all)")
      ->type_name("C:D");
  add_old_name(*command, "--queries", options->queries);
  add_measure_option(*command, options->measure);
  add_direction_option(*command, options->direction);
  add_price_option(*command, options->price);
  add_output_option(*command, options->output, "the matrix, as float32 .npy, a line per query");
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_examples(
      *command,
      {"navvy distances mnist.navvy --rows 0:200 --query-rows 0:200 --measure act-1 -o D.npy",
       "navvy distances mnist.navvy --query-rows 0:200 --device opencl:0 -o D.npy",
       "python3 -c 'import numpy; print(numpy.load(\"D.npy\").shape)'"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
