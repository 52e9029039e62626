// navvy search: the nearest rows of rows, texts, files or lines on stdin.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "app/queries.hpp"
#include "cli/answers.hpp"
#include "cli/commands.hpp"
#include "cli/flow_report.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/report_items.hpp"
#include "cli/sources.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct SearchCommandOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::vector<std::string> rows;
  std::vector<std::string> texts;
  std::filesystem::path queries;
  app::ArrayOptions arrays;
  CorpusOptions corpus;
  Measure measure;
  Direction direction = Direction::symmetric;
  SearchOptions search;  ///< top and when to stop early; the rest is filled in before a search
  bool explain = false;
  app::RowChoice choice;
  std::vector<std::string> filters;
  std::filesystem::path report;
};

std::vector<std::string> labels_of(const std::vector<std::string>& filters) {
  std::vector<std::string> labels;
  for (const std::string& filter : filters) {
    constexpr std::string_view prefix = "label=";
    if (!filter.starts_with(prefix)) {
      throw Error(ErrorCode::usage, fmt::format("filter '{}': expected label=NAME", filter));
    }
    labels.push_back(filter.substr(prefix.size()));
  }
  return labels;
}

// Searches and shows the answers; returns how many queries had nothing to search for.
std::size_t answer(const Index& index, app::Finder& finder, const app::Queries& queries,
                   const SearchCommandOptions& options) {
  SearchOptions search = options.search;
  search.question = {options.measure, options.direction, {}};
  search.run = run_options(options.common);
  Matches matches;
  {
    ProgressDisplay display;
    search.run.progress = display.callback();
    matches = finder.find(queries, search);
  }
  const app::Answers answers{index,           queries,         matches,        search,
                             options.explain, finder.device(), finder.chosen()};
  if (options.common.json) {
    print_json(to_json(answers));
  } else {
    print(answers);
  }
  if (!options.report.empty()) {
    write_page(page_of(search_report(answers, options.common)), options.report);
  }
  std::size_t failed = 0;
  for (const app::Query& query : queries.list) failed += query.error.empty() ? 0 : 1;
  return failed;
}

void require_answers(std::size_t failed, const app::Queries& queries) {
  if (failed == 0) return;
  for (const app::Query& query : queries.list) {
    if (query.error.empty()) continue;
    const std::string more =
        failed > 1 ? fmt::format(" (and {} more queries without an answer)", failed - 1) : "";
    throw Error(ErrorCode::bad_input, query.error + more);
  }
}

// One query per line, each answered before the next is read.
void answer_lines(const Index& index, app::Finder& finder, const SearchCommandOptions& options) {
  const TextEncoder encoder(index);
  const bool prompt = isatty(STDIN_FILENO) != 0;
  std::size_t failed = 0;
  std::string line;
  while (true) {
    if (prompt) fmt::print(stderr, "query> ");
    if (!std::getline(std::cin, line)) break;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const app::Queries queries = app::text_queries(index, encoder, std::vector<std::string>{line});
    failed += answer(index, finder, queries, options);
    const std::string& error = queries.list.front().error;
    if (!error.empty() && !options.common.json) talk(fmt::format("navvy: {}", error));
    std::fflush(stdout);
  }
  if (failed > 0) {
    throw Error(ErrorCode::bad_input, fmt::format("{} queries had no known word", failed));
  }
}

void require_text(const Index& index, const char* what) {
  if (index.kind == DataKind::text) return;
  throw Error(
      ErrorCode::usage,
      fmt::format("{} needs an index of texts; this one can be asked by --row or --queries", what));
}

void run(const SearchCommandOptions& options) {
  const int sources = (options.rows.empty() ? 0 : 1) + (options.texts.empty() ? 0 : 1) +
                      (options.queries.empty() ? 0 : 1);
  if (sources > 1) throw Error(ErrorCode::usage, "give one of --row, --text and --queries");
  if (!options.report.empty()) {
    if (sources == 0) throw Error(ErrorCode::usage, "--report needs --row, --text or --queries");
    check_report(options.report);
  }
  Index index = open_index(options.file);
  app::Queries queries;
  if (!options.rows.empty()) {
    queries = app::row_queries(index, options.rows);
  } else if (!options.texts.empty()) {
    require_text(index, "--text");
    queries = app::text_queries(index, TextEncoder(index), options.texts);
  } else if (!options.queries.empty()) {
    queries = app::file_queries(index, options.queries, options.arrays, options.corpus);
  } else {
    require_text(index, "a query line on stdin");
  }
  app::RowChoice choice = options.choice;
  choice.labels = labels_of(options.filters);
  app::Finder finder(index, app::chosen_rows(choice, index), device_backend(options.common.device));
  if (sources == 0) return answer_lines(index, finder, options);
  require_answers(answer(index, finder, queries, options), queries);
}

void add_query_options(CLI::App& command, SearchCommandOptions& options) {
  command.add_option("--row", options.rows, "a row: number, id or range A:B; may be repeated")
      ->type_name("ROW")
      ->allow_extra_args(false);
  command.add_option("--text", options.texts, "a text; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command
      .add_option("--queries", options.queries,
                  "a file of queries: a corpus, IDX images, or histograms with --coordinates")
      ->type_name("FILE");
  command.add_option("--coordinates", options.arrays.coordinates, "coordinates of such histograms")
      ->type_name("FILE");
  command.add_flag("--keep-zeros", options.arrays.keep_zeros, "keep bins of weight zero in them");
  add_corpus_options(command, options.corpus);
}

}  // namespace

void add_search_command(CLI::App& app) {
  auto options = std::make_shared<SearchCommandOptions>();
  CLI::App* command = app.add_subcommand("search", "Find the nearest rows of one or more queries");
  add_index_argument(*command, options->file);
  add_query_options(*command, *options);
  add_top_option(*command, options->search.top);
  add_measure_option(*command, options->measure);
  add_direction_option(*command, options->direction);
  add_exact_options(*command, options->search.exact);
  command->add_flag("--explain", options->explain,
                    "show what moved where, by its share of the cost");
  command
      ->add_option("--within", options->search.within,
                   "all rows at this distance or nearer, proven; with --top the nearest of them")
      ->type_name("R");
  add_choice_options(*command, options->choice);
  command
      ->add_option("--filter", options->filters,
                   "label=NAME: only rows of this label; may be repeated")
      ->type_name("FILTER")
      ->allow_extra_args(false)
      ->group("Which rows are left");
  add_report_option(*command, options->report,
                    "write a page with what moved where as pictures, for the first rows found");
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy search mnist.navvy --row 17 --top 5",
                          "navvy search mnist.navvy --row 17 --measure emd --deadline 50ms",
                          "navvy search news.navvy --text \"the launch was delayed\" --explain",
                          "navvy search news.navvy --row 17 --explain --report why.html",
                          "navvy search news.navvy --row 17 --where \"label = sci.space\"",
                          "navvy search news.navvy --row 17 --measure emd --within 0.9",
                          "navvy search news.navvy --queries questions.jsonl --json",
                          "navvy search news.navvy --queries questions.jsonl --device gpu",
                          "navvy search news.navvy < one-query-per-line.txt"});
  command->callback([options, command] {
    const bool cut = command->count("--top") > 0 || command->count("--within") == 0;
    if (!cut) options->search.top = uncut;
    run(*options);
  });
}

}  // namespace navvy::cli
