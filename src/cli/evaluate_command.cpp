// navvy evaluate: precision against labels, with the time it took.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/answers.hpp"
#include "app/queries.hpp"
#include "app/values.hpp"
#include "cli/commands.hpp"
#include "cli/evaluation.hpp"
#include "cli/evaluation_records.hpp"
#include "cli/evaluation_report.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/records.hpp"
#include "cli/report_items.hpp"
#include "cli/sources.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct EvaluateCommandOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::vector<Measure> measures = parse_measures("bow,wcd,rwmd,omr,act-1");
  std::vector<std::size_t> tops = {1, 16, 128};
  std::size_t queries = 0;
  std::uint64_t seed = usual_seed;
  std::filesystem::path test;
  app::ArrayOptions arrays;  ///< of the test set
  CorpusOptions corpus;      ///< likewise
  bool per_class = false;
  Direction direction = Direction::symmetric;
  double price = 0;
  std::filesystem::path report;
  double threshold = 0;
  app::RowChoice choice;
};

/// A test set and its labels.
struct TestSet {
  app::Queries queries;
  LabelledQueries labelled;
};

std::optional<TestSet> read_test(const EvaluateCommandOptions& options, Index& index) {
  if (options.test.empty()) {
    if (!options.arrays.labels.empty())
      throw Error(ErrorCode::usage, "--test-labels are those of a test set: give --test as well");
    return {};
  }
  TestSet test{app::file_queries(index, options.test, options.arrays, options.corpus), {}};
  app::bring_together(index, test.queries);
  test.labelled = app::labelled(test.queries, options.test);
  return test;
}

EvaluateOptions evaluate_options(const EvaluateCommandOptions& options,
                                 const app::ChosenRows& chosen) {
  EvaluateOptions asked;
  asked.question.direction = options.direction;
  asked.question.price = options.price;
  asked.run = run_options(options.common);
  // More lengths cost nothing: they are parts of the longest list.
  asked.tops = options.report.empty() ? options.tops : curve_tops(options.tops);
  asked.queries = options.queries;
  asked.seed = options.seed;
  asked.among = chosen.among;
  return asked;
}

// Before the first of them takes its time: what none of them has, and what one of them lacks.
void check_questions(const Index& index, std::span<const Measure> measures,
                     const Question& question) {
  bool pays = question.price == 0;
  for (const Measure& measure : measures) {
    const Question asked = app::under(question, measure);
    validate(asked);
    static_cast<void>(app::price_in(index, asked));
    pays = pays || asked.price == question.price;
  }
  if (pays) return;
  Question first = question;
  first.measure = measures.front();
  validate(first);
}

// "1,000 of 60,000 rows asked, chosen by chance (seed 1); 3 without a label and 1 without weight
// could not".
void print_askers(const app::EvaluationRun& run) {
  const Evaluation& first = run.results.front();
  const bool sampled = first.queries < first.candidates;
  std::string text =
      fmt::format("{} {} asked", first.queries, run.test.empty() ? "rows" : "queries");
  if (sampled)
    text = fmt::format("{} of {} {} asked, chosen by chance (--seed {})", first.queries,
                       first.candidates, run.test.empty() ? "rows" : "queries", run.options.seed);
  if (first.unlabelled > 0) text += fmt::format("; {} without a label did not", first.unlabelled);
  if (first.empty > 0) text += fmt::format("; {} without weight could not", first.empty);
  const std::string margin = output_terminal().unicode ? "\u00b1" : "+-";
  fmt::print("{}; {} is a 95 % interval of the mean\n", text, margin);
  if (first.unknown_labels == 0) return;
  std::vector<std::string> names = app::unknown_labels(run.index, first);
  constexpr std::size_t shown = 5;
  const std::size_t more = names.size() > shown ? names.size() - shown : 0;
  names.resize(names.size() - more);
  for (std::string& name : names) name = one_line(name, word_width);
  fmt::print("{} of them have labels that no row has, so nothing is right for them: {}{}\n",
             first.unknown_labels, fmt::join(names, ", "),
             more > 0 ? fmt::format(" and {} more", more) : "");
}

// Words of a test set that the index does not know.
void tell_unknown(const app::Queries& queries) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> words;
  std::unordered_set<std::string_view> seen;
  for (const app::Query& query : queries.list)
    for (const std::string& word : query.unknown)
      if (seen.insert(word).second && seen.size() <= shown)
        words.push_back(one_line(word, word_width));
  if (seen.empty()) return;
  const std::string more =
      seen.size() > shown ? fmt::format(" and {} more", seen.size() - shown) : "";
  talk(fmt::format("navvy: words of the test set without a vector are left out: {}{}",
                   fmt::join(words, ", "), more));
}

void run(const EvaluateCommandOptions& options) {
  const bool with_report = !options.report.empty();
  if (with_report) check_report(options.report);
  Index index = open_whole(options.file);
  const std::optional<TestSet> test = read_test(options, index);
  const std::string backend = device_backend(options.common.device);
  Searcher searcher(index, backend);
  const app::ChosenRows chosen = app::chosen_rows(options.choice, index);
  const EvaluationAsked asked{options.measures, evaluate_options(options, chosen),
                              test ? &test->labelled : nullptr};
  check_questions(index, options.measures, asked.options.question);
  if (test) tell_unknown(test->queries);
  PrecisionTable table(options.measures, options.tops);
  const auto results = evaluate_all(searcher, asked, [&](const Evaluation& evaluation) {
    if (options.common.output == Output::text && !options.common.json) table.add(evaluation);
  });
  const app::EvaluationRun done{index,   results, options.tops, asked.options,
                                backend, chosen,  options.test};
  if (options.common.json) {
    print_json(app::evaluation_document(done));
  } else if (prints_records(options.common)) {
    print_records(results, options.tops, options.common.output, options.per_class);
  } else {
    print_best(results, options.tops);
    print_askers(done);
    if (options.per_class) print_classes(results, options.tops);
  }
  if (!with_report) return;
  write_report(evaluation_report({searcher, options.file.stem().string(), results, options.tops,
                                  asked, test ? &test->queries : nullptr, options.common,
                                  options.report.extension() != ".svg"}),
               options.report);
}

void add_asking_options(CLI::App& command, EvaluateCommandOptions& options) {
  command
      .add_option("--queries", options.queries,
                  "only N of the rows, or of the test set, ask: chosen by chance (default: all)")
      ->type_name("N")
      ->check(not_negative());
  command.add_option("--seed", options.seed, "another seed, other queries; the same everywhere")
      ->type_name("N")
      ->check(not_negative())
      ->capture_default_str();
  constexpr const char* group = "A test set";
  command
      .add_option("--test", options.test,
                  "labelled queries instead of rows: a corpus, IDX images, or histograms; labels "
                  "are compared by name")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--test-labels", options.arrays.labels,
                  "labels of such images or histograms: IDX, .npy, or one per line")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--coordinates", options.arrays.coordinates, "coordinates of such histograms")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("--keep-zeros", options.arrays.keep_zeros, "keep bins of weight zero in them")
      ->group(group);
  add_corpus_options(command, options.corpus);
}

void add_output_options(CLI::App& command, EvaluateCommandOptions& options) {
  command.add_flag("--per-class", options.per_class, "the precision of each label as well");
  add_report_option(command, options.report,
                    "write a page with plots and examples; a name in .svg: the plot of accuracy "
                    "against time alone");
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto options = std::make_shared<EvaluateCommandOptions>();
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
  add_asking_options(*command, *options);
  add_output_options(*command, *options);
  add_direction_option(*command, options->direction);
  add_threshold_option(*command, options->threshold);
  add_price_option(*command, options->price);
  add_choice_options(*command, options->choice);
  add_device_options(*command, options->common);
  add_common_options(*command, options->common);
  add_print_option(*command, options->common);
  add_examples(*command, {"navvy evaluate mnist.navvy --measures bow,rwmd,act-1 --top 1,16,128",
                          "navvy evaluate mnist.navvy --measures act-7 --queries 1000 --json",
                          "navvy evaluate mnist.navvy --queries 1000 --report mnist.html",
                          "navvy evaluate mnist.navvy --test t10k-images --test-labels t10k-labels",
                          "navvy evaluate news.navvy --test later-posts --per-class",
                          "navvy evaluate mnist.navvy --where 'label in (3, 5, 8)'",
                          "navvy evaluate mnist.navvy --measures act-1 --device gpu"});
  command->callback([options] {
    set_threshold(options->threshold, options->measures);
    run(*options);
  });
}

}  // namespace navvy::cli
