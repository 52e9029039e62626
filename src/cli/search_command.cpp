// navvy search: the nearest rows of rows, texts, files or lines on stdin.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/queries.hpp"
#include "cli/answer_records.hpp"
#include "cli/answers.hpp"
#include "cli/commands.hpp"
#include "cli/flow_report.hpp"
#include "cli/json.hpp"
#include "cli/line_editor.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/records.hpp"
#include "cli/report_items.hpp"
#include "cli/shard_work.hpp"
#include "cli/sources.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

// Which texts contain the meaning of the query, or which are like it as a whole.
enum class Purpose { contains, similar };

struct SearchCommandOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::vector<std::string> rows;
  std::vector<std::string> texts;
  std::filesystem::path queries;
  std::filesystem::path vectors;
  app::ArrayOptions arrays;
  CorpusOptions corpus;
  Measure measure;
  Direction direction;
  bool measure_given = false;
  bool direction_given = false;
  std::optional<Purpose> purpose;
  std::optional<double> bow_share;
  SearchOptions search;  ///< top, price and when to stop early
  bool explain = false;
  app::RowChoice choice;
  std::vector<std::string> filters;
  std::filesystem::path report;
  std::optional<std::size_t> shard;
  std::filesystem::path lists;
};

Purpose parse_purpose(const std::string& name) {
  if (name == "contains") return Purpose::contains;
  if (name == "similar") return Purpose::similar;
  throw Error(ErrorCode::usage,
              fmt::format("unknown purpose '{}'; expected contains or similar", name));
}

// What is asked: texts that people type are looked for in rows, rows are compared with rows.
Question question_of(const SearchCommandOptions& options, bool typed) {
  const Purpose purpose = options.purpose.value_or(typed ? Purpose::contains : Purpose::similar);
  Question question;
  if (purpose == Purpose::contains)
    question = options.measure_given ? typed_question(options.measure) : typed_question();
  else if (options.measure_given)
    question.measure = options.measure;
  question.measure.threshold = options.measure.threshold;  // a measure that takes none says so
  if (options.direction_given) question.direction = options.direction;
  if (facts(question.measure.kind).symmetric) question.direction = Direction::symmetric;
  if (options.bow_share) question.bow_share = *options.bow_share;
  question.price = options.search.question.price;
  return question;
}

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
                   const SearchCommandOptions& options, bool is_first = true) {
  SearchOptions search = options.search;
  search.question = question_of(options, index.kind == DataKind::text && options.rows.empty());
  search.run = run_options(options.common);
  Matches matches;
  {
    ProgressDisplay display;
    search.run.progress = display.callback();
    matches = finder.find(queries, search);
  }
  Index shown = index;
  app::Queries asked = queries;
  if (options.explain || !options.report.empty()) app::bring_together(shown, asked);
  const app::Answers answers{shown,           asked,           matches,        search,
                             options.explain, finder.device(), finder.chosen()};
  if (options.common.json) {
    print_json(to_json(answers));
  } else if (prints_records(options.common)) {
    print_records(answers, options.common.output, is_first);
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

// Tables name every query; in lines for programs those without an answer have no place.
void require_answers(std::size_t failed, const app::Queries& queries, bool of_texts,
                     bool as_records) {
  if (failed == 0) return;
  if (as_records && failed > 1) {
    for (const app::Query& query : queries.list)
      if (!query.error.empty())
        complain(fmt::format("query '{}': {}", one_line(query.name, 60), query.error));
    throw Error(ErrorCode::bad_input,
                fmt::format("{} of {} queries have no answer", failed, queries.list.size()));
  }
  const auto first = std::ranges::find_if(
      queries.list, [](const app::Query& query) { return !query.error.empty(); });
  const std::string which = of_texts && queries.list.size() > 1
                                ? fmt::format("query '{}': ", one_line(first->name, 60))
                                : "";
  const std::string more =
      failed > 1 ? fmt::format(" (and {} more without an answer)", failed - 1) : "";
  throw Error(ErrorCode::bad_input, which + first->error + more);
}

// A line of stdin: edited where that is a terminal.
std::optional<std::string> next_line(LineEditor& editor) {
  const char* prompt = is_quiet() ? "" : "query> ";
  if (LineEditor::is_possible()) return editor.read(prompt);
  if (isatty(STDIN_FILENO) != 0) fmt::print(stderr, "{}", prompt);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

// Of the first line: the others begin in the middle of a character.
void require_utf8(std::string_view line) {
  if (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff") ||
      line.find('\0') != std::string_view::npos)
    throw Error(ErrorCode::bad_input,
                "queries on stdin are UTF-16 or no text, expected lines of UTF-8: `iconv -f UTF-16 "
                "-t UTF-8` makes it");
}

// One query per line, each answered before the next is read.
void answer_lines(const Index& index, app::Finder& finder, const SearchCommandOptions& options) {
  const TextEncoder encoder(index);
  LineEditor editor;
  std::size_t failed = 0;
  std::size_t asked = 0;
  while (const std::optional<std::string> line = next_line(editor)) {
    if (asked == 0) require_utf8(*line);
    if (line->empty()) continue;
    const app::Queries queries = app::text_queries(encoder, std::vector<std::string>{*line});
    failed += answer(index, finder, queries, options, asked == 0);
    ++asked;
    const std::string& error = queries.list.front().error;
    if (!error.empty() && !options.common.json) complain(error);
    std::fflush(stdout);
  }
  if (failed > 0) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{} of {} queries had no known word", failed, asked));
  }
}

void require_text(const Index& index, const char* what) {
  if (index.kind == DataKind::text) return;
  throw Error(
      ErrorCode::usage,
      fmt::format("{} needs an index of texts; this one can be asked by --row or --query-file",
                  what));
}

// A number is what other verbs take: how many, or which rows.
void require_query_file(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code none;
  if (name.find_first_not_of("0123456789") != std::string::npos ||
      std::filesystem::exists(file, none))
    return;
  throw Error(ErrorCode::usage,
              fmt::format("--query-file {0}: expected a file of queries; --row {0} "
                          "asks with a row, --top {0} for so many answers",
                          name));
}

// Texts or pictures would have to be made ready for every shard again.
void require_encoded(const SearchCommandOptions& options) {
  std::string head(index_magic.size(), '\0');
  std::ifstream file(options.queries, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!file.is_open() || head == index_magic) return;  // what else is wrong is told on opening
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{0}: these are no queries for shards; `navvy encode {1} --query-file {0} "
                  "-o QUERIES.navvy` makes them",
                  printable(options.queries.string()), printable(options.file.string())));
}

void run_shard(const SearchCommandOptions& options) {
  if (options.queries.empty() || options.lists.empty())
    throw Error(ErrorCode::usage,
                "--shard needs --query-file, which `navvy encode` made, and --lists");
  if (!is_sharded(options.file))
    throw Error(ErrorCode::usage, fmt::format("{}: this is no folder of shards, which --shard "
                                              "needs and `navvy split` makes",
                                              printable(options.file.string())));
  require_encoded(options);
  SearchOptions search = options.search;
  const Index queries = open_index(options.queries);
  search.question = question_of(options, queries.kind == DataKind::text);
  search.run = run_options(options.common);
  search_shard({options.file, *options.shard, options.queries, options.lists}, search,
               options.common);
}

void run(const SearchCommandOptions& options) {
  if (options.shard) return run_shard(options);
  if (!options.lists.empty()) throw Error(ErrorCode::usage, "--lists needs --shard");
  const int sources = (options.rows.empty() ? 0 : 1) + (options.texts.empty() ? 0 : 1) +
                      (options.queries.empty() ? 0 : 1);
  if (sources > 1) throw Error(ErrorCode::usage, "give one of --row, --text and --query-file");
  if (!options.report.empty()) {
    if (sources == 0) throw Error(ErrorCode::usage, "--report needs --row, --text or --query-file");
    check_report(options.report);
  }
  Index index = open_whole(options.file);
  if (!options.vectors.empty()) {
    require_text(index, "--vectors");
    const std::optional texts{options.texts};
    index = with_query_words(index, options.vectors, options.texts.empty() ? std::nullopt : texts);
  }
  app::Queries queries;
  if (!options.rows.empty()) {
    queries = app::row_queries(index, options.rows);
  } else if (!options.texts.empty()) {
    require_text(index, "--text");
    queries = app::text_queries(TextEncoder(index), options.texts);
  } else if (!options.queries.empty()) {
    require_query_file(options.queries);
    queries = app::file_queries(index, options.queries, options.arrays, options.corpus);
  } else {
    require_text(index, "a query line on stdin");
  }
  app::RowChoice choice = options.choice;
  choice.labels = labels_of(options.filters);
  app::Finder finder(index, app::chosen_rows(choice, index), device_backend(options.common.device));
  if (sources == 0) return answer_lines(index, finder, options);
  const bool of_texts = index.kind == DataKind::text && options.rows.empty();
  require_answers(answer(index, finder, queries, options), queries, of_texts,
                  prints_records(options.common));
}

void add_query_options(CLI::App& command, SearchCommandOptions& options) {
  command.add_option("--row", options.rows, "a row: number, id or range A:B; may be repeated")
      ->type_name("ROW")
      ->allow_extra_args(false);
  command.add_option("--text", options.texts, "a text; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command
      .add_option("--query-file", options.queries,
                  "queries: a corpus, pictures, IDX images, or histograms with --coordinates")
      ->type_name("PATH");
  add_old_name(command, "--queries", options.queries);
  command
      .add_option("--vectors", options.vectors,
                  "the word vectors of the index, for words of queries that it has not kept")
      ->type_name("FILE");
  command.add_option("--coordinates", options.arrays.coordinates, "coordinates of such histograms")
      ->type_name("FILE");
  command.add_flag("--keep-zeros", options.arrays.keep_zeros, "keep bins of weight zero in them");
  add_picture_options(command, options.arrays.pictures);
  add_corpus_options(command, options.corpus);
}

void add_question_options(CLI::App& command, SearchCommandOptions& options) {
  const Question typed = typed_question();
  add_measure_option(command, options.measure)
      ->default_str(
          fmt::format("{}, of texts {}", to_string(options.measure), to_string(typed.measure)));
  add_direction_option(command, options.direction)
      ->default_str(
          fmt::format("{}, of texts {}", to_string(options.direction), to_string(typed.direction)));
  add_price_option(command, options.search.question.price);
  command
      .add_option_function<std::string>(
          "--for", [&options](const std::string& name) { options.purpose = parse_purpose(name); },
          "contains (rows in which a query is found: default of a text) or similar (rows like it "
          "as a whole: default of a row); sets measure and direction")
      ->type_name("NAME");
  command
      .add_option("--mix-bow", options.bow_share,
                  "this share of bow in the ranking, such as 0.2, for rare names; no bound then")
      ->type_name("A")
      ->default_str(fmt::format("0, of texts {} unless --measure is given", typed.bow_share));
}

// What is there besides must have been added: most of it is not asked of one shard.
void add_shard_options(CLI::App& command, SearchCommandOptions& options) {
  CLI::Option* shard =
      command
          .add_option("--shard", options.shard,
                      "of a folder of shards: only this one, with queries of `navvy encode`")
          ->check(CLI::Range(0, static_cast<int>(most_shards) - 1).description(""))
          ->type_name("K");
  command
      .add_option("--lists", options.lists,
                  "with --shard: the file for what is found, for `navvy merge-lists`")
      ->type_name("FILE")
      ->needs(shard);
  // Lists of one shard are merged with those of others, for queries that are encoded once.
  for (const char* name :
       {"--row", "--text", "--vectors", "--where", "--ids", "--filter", "--explain", "--report"})
    shard->excludes(name);
}

}  // namespace

void add_search_command(CLI::App& app) {
  auto options = std::make_shared<SearchCommandOptions>();
  CLI::App* command = app.add_subcommand("search", "Find the nearest rows of one or more queries");
  add_index_argument(*command, options->file);
  add_query_options(*command, *options);
  add_top_option(*command, options->search.top);
  add_question_options(*command, *options);
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
  add_shard_options(*command, *options);
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_print_option(*command, options->common);
  add_examples(*command, {"navvy search mnist.navvy --row 17 --top 5",
                          "navvy search mnist.navvy --row 17 --measure emd --deadline 50ms",
                          "navvy search news.navvy --text \"the launch was delayed\" --explain",
                          "navvy search news.navvy --text \"the launch was delayed\" --for similar",
                          "navvy search news.navvy --row 17 --explain --report why.html",
                          "navvy search news.navvy --row 17 --where \"label = sci.space\"",
                          "navvy search news.navvy --row 17 --measure emd --within 0.9",
                          "navvy search news.navvy --text \"space shuttle launch\" --measure emd",
                          "navvy search news.navvy --query-file questions.jsonl --json",
                          "navvy search news.navvy --query-file questions.jsonl --device gpu",
                          "navvy search news.shards --shard 2 --query-file q.navvy --lists 2.lists",
                          "navvy search news.navvy --row 17 --print csv > nearest.csv",
                          "navvy search news.navvy < one-query-per-line.txt"});
  command->callback([options, command] {
    const bool cut = command->count("--top") > 0 || command->count("--within") == 0;
    if (!cut) options->search.top = uncut;
    options->measure_given = command->count("--measure") > 0;
    options->direction_given = command->count("--direction") > 0;
    run(*options);
  });
}

}  // namespace navvy::cli
