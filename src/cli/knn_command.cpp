// navvy knn: the nearest rows of every row as a sparse matrix.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "app/answers.hpp"
#include "app/devices.hpp"
#include "cli/commands.hpp"
#include "cli/evaluation.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/rank.hpp"
#include "cli/shard_work.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct KnnOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::filesystem::path output;
  Measure measure;
  Direction direction = Direction::symmetric;
  double price = 0;
  std::size_t top = 16;
  bool resume = false;
  double save_every = Checkpoint().seconds;
  app::RowChoice choice;
  std::string rank;
  bool rank_from_env = false;
};

SearchOptions asked(const KnnOptions& options) {
  SearchOptions search = search_options(options.common, options.measure, options.direction);
  search.question.price = options.price;
  search.top = options.top;
  return search;
}

// The part of one of several processes.
void run_part(const KnnOptions& options) {
  if (!is_sharded(options.file))
    throw Error(ErrorCode::usage,
                fmt::format("{}: processes share the pairs of shards out; expected a folder of "
                            "`navvy split`",
                            printable(options.file.string())));
  const Rank rank = options.rank_from_env ? rank_from_environment() : parse_rank(options.rank);
  knn_of_shards({options.file, options.output, rank}, asked(options), options.common);
}

void run(const KnnOptions& options) {
  if (options.rank_from_env || !options.rank.empty()) return run_part(options);
  check_output(options.output, "PK", "an .npz file");
  const Index index = open_whole(options.file);
  const std::string backend = device_backend(options.common.device);
  const Searcher searcher(index, backend);
  const auto start = std::chrono::steady_clock::now();
  SearchOptions search = asked(options);
  const app::ChosenRows chosen = app::chosen_rows(options.choice, index);
  search.among = chosen.among;
  Matches matches;
  {
    ProgressDisplay display;
    search.run.progress = display.callback();
    const std::filesystem::path parts = options.output.string() + ".parts";
    matches = searcher.knn(search,
                           {options.resume ? parts : std::filesystem::path(), options.save_every});
    write_graph(matches, index.rows.size(), options.output);
    if (options.resume) std::filesystem::remove(parts);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!options.common.json) {
    const std::string of_all = chosen.all() ? "" : fmt::format(" of {}", index.rows.size());
    talk(fmt::format("{}: {}{} rows with {} neighbours each under {}, {:.2f} s",
                     options.output.string(), chosen.left, of_all, options.top,
                     to_string(options.measure), seconds));
    return;
  }
  app::Json document = app::json_document();
  document["file"] = options.output.string();
  app::add_question(document, index, search.question);
  document["rows"] = index.rows.size();
  app::add_choice(document, chosen);
  document["top"] = options.top;
  document["device"] = app::device_name(backend);
  document["seconds"] = seconds;
  document["counters"] = app::counters_json(matches.counters);
  print_json(document);
}

}  // namespace

void add_knn_command(CLI::App& app) {
  auto options = std::make_shared<KnnOptions>();
  CLI::App* command = app.add_subcommand("knn", "Find the nearest rows of every row: a graph");
  add_index_argument(*command, options->file);
  add_top_option(*command, options->top);
  add_measure_option(*command, options->measure);
  add_direction_option(*command, options->direction);
  add_price_option(*command, options->price);
  add_output_option(*command, options->output,
                    "the graph: a CSR matrix of distances that scipy.sparse.load_npz reads");
  command->add_flag("--resume", options->resume,
                    "keep what is done in FILE.parts, and go on from there after an interruption");
  command
      ->add_option("--save-every", options->save_every,
                   "with --resume: seconds of work between two saves; 0: after every part")
      ->check(CLI::Range(0.0, 86400.0).description(""))
      ->capture_default_str()
      ->needs("--resume");
  CLI::Option* rank =
      command
          ->add_option("--rank", options->rank,
                       "of a folder of shards: only part R of N, as files of lists in the folder "
                       "that -o names; what is there is not done again, and pairs of shards begin "
                       "with what is known there of each")
          ->type_name("R/N");
  CLI::Option* rank_from_env =
      command
          ->add_flag("--rank-from-env", options->rank_from_env,
                     "the same with the R and N that MPI, PMI or SLURM give each process")
          ->excludes(rank);
  add_choice_options(*command, options->choice);
  for (CLI::Option* part : {rank, rank_from_env})
    for (const char* name : {"--where", "--ids", "--resume"}) part->excludes(name);
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_examples(*command,
               {"navvy knn mnist.navvy --top 16 --measure act-1 -o graph.npz",
                "navvy knn mnist.navvy --top 16 --resume -o graph.npz",
                "navvy knn news.navvy --where 'year >= 1990' -o graph.npz",
                "navvy knn mnist.shards --top 16 --rank 0/8 -o parts",
                "mpirun navvy knn mnist.shards --top 16 --rank-from-env -o parts",
                "navvy knn mnist.navvy --top 16 --device gpu --device-memory 2G -o graph.npz",
                "python3 -c 'import scipy.sparse as s; print(s.load_npz(\"graph.npz\"))'"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
