// The tour: texts by questions in other words, a text with what moved where, one exact distance
// with the bounds below it, and digits by precision.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/answers.hpp"
#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/demo_data.hpp"
#include "cli/demo_typed.hpp"
#include "cli/evaluation.hpp"
#include "cli/evaluation_report.hpp"
#include "cli/flow_report.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/pictures.hpp"
#include "cli/report_items.hpp"
#include "cli/terminal.hpp"
#include "cli/text_report.hpp"
#include "navvy/navvy.hpp"
#include "report/style.hpp"

namespace navvy::cli {
namespace {

constexpr std::string_view digit_measures = "bow,wcd,rwmd,omr,act-1,act-7,ict";
constexpr std::size_t digit_tops[] = {1, 16, 128};
constexpr std::uint32_t shown_digit = 5;
constexpr std::uint32_t shown_text = 91;  // shares no word with its nearest text

struct DemoOptions {
  CommonOptions common;
  std::filesystem::path report;
};

/// The parts of the tour, computed before they are shown.
struct Tour {
  Index digits;
  Images images;
  Index texts;
  TextReport found;  ///< in the texts
};

/// What the report shows.
struct Shown {
  TypedPart typed;
  report::EvaluationReport digits;
  report::AnsweredQuery text;
};

TextBuild build_texts() {
  CorpusOptions columns;
  columns.format = CorpusFormat::tsv;
  columns.head_line = false;
  columns.label_field = "1";
  columns.title_field = "2";
  columns.text_field = "3";
  std::vector<Document> documents;
  read_corpus(demo_texts(), columns,
              [&](Document&& document) { documents.push_back(std::move(document)); });
  VectorsReport found;
  const Vocabulary vectors = read_vectors(demo_vectors(), false, std::nullopt, &found);
  TextRecipe recipe;
  recipe.stop_words = english_stop_words();  // in so few texts such words are not light enough
  TextBuild built = build_text(documents, vectors, recipe);
  built.report.vectors = std::move(found);
  return built;
}

Tour open_tour() {
  Tour tour;
  tour.images = read_idx_images(demo_digit_images());
  tour.digits = index_images(tour.images);
  set_labels(tour.digits, read_labels(demo_digit_labels()));
  TextBuild built = build_texts();
  tour.texts = std::move(built.index);
  tour.found = std::move(built.report);
  return tour;
}

void print_heading(std::string_view text) {
  fmt::print("\n{}\n\n", paint(output_terminal(), Colour::bold, text));
}

// The nearest rows of one row.
Matches nearest(Searcher& searcher, std::uint32_t row, const SearchOptions& options) {
  return searcher.search_rows(std::span(&row, 1), options);
}

SearchOptions demo_options(const CommonOptions& common, std::string_view measure, std::size_t top) {
  SearchOptions options = search_options(common, parse_measure(measure));
  options.top = top;
  return options;
}

// Figures at the lengths asked for, and the report with curves through some more.
report::EvaluationReport show_digits(const Tour& tour, Searcher& searcher,
                                     const CommonOptions& common, app::Json& document) {
  const auto compared = parse_measures(digit_measures);
  EvaluateOptions options;
  options.run = run_options(common);
  options.tops = curve_tops(digit_tops);
  const EvaluationAsked asked{compared, options};
  const auto results = evaluate_all(searcher, asked);
  auto report =
      evaluation_report({searcher, "digits", results, digit_tops, asked, nullptr, common});
  document["digits"] = app::evaluation_json(results, digit_tops);
  const Matches matches = nearest(searcher, shown_digit, demo_options(common, "act-1", 3));
  if (common.json) return report;
  print_heading("4  Handwritten digits: 1,797 images, each against all others");
  fmt::print(
      "Images of one size share most of their pixels, and there plain bow is about as good.\n"
      "Share of neighbours with the same digit among the nearest 1, 16 and 128:\n\n");
  PrecisionTable table(compared, digit_tops);
  for (const Evaluation& result : results) table.add(result);
  print_best(results, digit_tops);
  fmt::print("\nA digit and its nearest neighbours under act-1:\n\n");
  std::vector<Picture> pictures{{shown_digit, "query"}};
  for (const Match& match : matches[0]) {
    const auto row = static_cast<std::uint32_t>(match.row);
    pictures.push_back({row, fmt::format("{:.3f}  a {}", match.distance, tour.digits.label(row))});
  }
  print_pictures(tour.images, pictures);
  return report;
}

TypedPart show_typed(const Tour& tour, const CommonOptions& common, app::Json& document) {
  TypedPart part = ask_typed(tour.texts, run_options(common));
  document["typed"] = typed_json(part);
  if (common.json) return part;
  print_heading("1  Questions in other words: 120 short texts, found by meaning");
  print_typed(part);
  return part;
}

report::AnsweredQuery show_text(const Tour& tour, const CommonOptions& common,
                                app::Json& document) {
  Searcher searcher(tour.texts);
  const SearchOptions options = demo_options(common, "emd", 5);
  const app::Queries query = app::row_queries(tour.texts, std::vector{std::to_string(shown_text)});
  const Matches matches = nearest(searcher, shown_text, options);
  const auto moves =
      app::explanation(tour.texts, query.histograms[0], static_cast<std::size_t>(matches[0].row(0)),
                       options.question, 8);
  const app::Answers answers{tour.texts, query, matches, options, true};
  document["text"] = to_json(answers);
  auto answered = answered_query(answers, 0);
  if (common.json) return answered;
  print_heading("2  Texts like a text: the nearest under the exact Earth Mover's Distance");
  fmt::print("query: {}\n\n",
             paint(output_terminal(), Colour::cyan, tour.texts.snippets[shown_text]));
  print(app::Answers{tour.texts, query, matches, options, false});
  fmt::print("\nWhy the first, though no word is the same: what moved where\n\n");
  print_moves(moves, "query", "text");
  return answered;
}

// Where a report goes that was not asked for: here, or where everybody may write.
std::filesystem::path default_report() {
  constexpr const char* name = "navvy-demo.html";
  const bool writable = access(".", W_OK) == 0;
  return writable ? std::filesystem::path(name) : std::filesystem::temp_directory_path() / name;
}

void write_tour(const Tour& tour, const Shown& shown, const std::filesystem::path& path) {
  report::Markup out;
  const report::Head head{"The tour: texts and digits",
                          typed_lead(shown.typed),
                          {{"texts", std::to_string(tour.texts.rows.size())},
                           {"questions", std::to_string(shown.typed.answers.size())},
                           {"digits", std::to_string(tour.digits.rows.size())}}};
  begin_page(out, head, report::measure_colours(names_of(shown.digits)));
  write_typed(out, shown.typed);
  out.open("section").element("h2", {}, "Found by meaning: a text that shares no word");
  out.element("p", {{"class", "note"}},
              "120 short texts under the exact distance: the query, the nearest texts, and what "
              "moved where under a bound and under the exact plan.");
  out.close();
  write(out, shown.text);
  write_facts(out, "The texts", report_facts(tour.found));
  out.open("section").element("h2", {}, "Handwritten digits: where bow does as well");
  out.element(
      "p", {{"class", "note"}},
      "Images of one size share most of their pixels, and there plain bow is about as good. " +
          shown.digits.head.lead);
  out.close();
  write_body(out, shown.digits);
  end_page(out, shown.digits.origin);
  write_file(path, out.take());
}

void show_exact(const Tour& tour, const CommonOptions& common, app::Json& document) {
  constexpr std::string_view chain = "wcd,rwmd,omr,act-1,act-7,ict,emd";
  const auto& texts = tour.texts;
  const auto outcomes = app::compare_all(texts, texts.rows[shown_text], texts.rows[shown_text - 1],
                                         parse_measures(chain));
  for (const app::Outcome& outcome : outcomes) document["bounds"].push_back(to_json(outcome));
  if (common.json) return;
  print_heading("3  The same two texts: the exact Earth Mover's Distance and the bounds below it");
  print_table(outcomes);
}

void run(const DemoOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto path = options.report.empty() ? default_report() : options.report;
  check_report(path);
  const Tour tour = open_tour();
  Searcher searcher(tour.digits);
  app::Json document = app::json_document();
  if (!options.common.json) {
    fmt::print("{} {}, kernels {}\n", paint(output_terminal(), Colour::bold, "navvy"), version(),
               kernels_in_use());
  }
  Shown shown;
  shown.typed = show_typed(tour, options.common, document);
  shown.text = show_text(tour, options.common, document);
  show_exact(tour, options.common, document);
  shown.digits = show_digits(tour, searcher, options.common, document);
  write_tour(tour, shown, path);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  document["seconds"] = seconds;
  document["report"] = path.string();
  if (options.common.json) return print_json(document);
  fmt::print("\nAll this with pictures: {}\n", printable(path.string()));
  fmt::print("{:.1f} s in all. Your own data: navvy build --help\n", seconds);
  fmt::print("{}\n",
             paint(output_terminal(), Colour::dim,
                   "Digits: E. Alpaydin and C. Kaynak, UCI repository, CC BY 4.0. Vectors: GloVe, "
                   "public domain."));
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command =
      app.add_subcommand("demo", "The whole tour on built-in data: no file, no network");
  add_report_option(*command, options->report,
                    "where the page with pictures goes (default: navvy-demo.html)");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy demo", "navvy demo --report tour.html", "navvy demo --json"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
