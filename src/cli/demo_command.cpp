#include <fmt/core.h>

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answers.hpp"
#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/demo_data.hpp"
#include "cli/evaluation.hpp"
#include "cli/json.hpp"
#include "cli/memory_file.hpp"
#include "cli/options.hpp"
#include "cli/pictures.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

/// The tour: digits by precision, one digit with its neighbours, a text with what moved where, and
/// one exact distance with the bounds below it.
namespace navvy::cli {
namespace {

constexpr std::string_view digit_measures = "bow,wcd,rwmd,omr,act-1,act-7,ict";
constexpr std::size_t digit_tops[] = {1, 16, 128};
constexpr std::uint32_t shown_digit = 5;
constexpr std::uint32_t shown_text = 91;  // shares no word with its nearest text

struct DemoOptions {
  CommonOptions common;
};

/// The parts of the tour, computed before they are shown.
struct Tour {
  Index digits;
  Images images;
  Index texts;
};

Tour open_tour() {
  const MemoryFile images(demo_digit_images());
  const MemoryFile labels(demo_digit_labels());
  const MemoryFile texts(demo_texts());
  const MemoryFile vectors(demo_vectors());
  Tour tour;
  tour.images = read_idx_images(images.path());
  tour.digits = index_images(tour.images);
  set_labels(tour.digits, read_labels(labels.path()));
  CorpusOptions columns;
  columns.format = CorpusFormat::tsv;
  columns.head_line = false;
  columns.label_field = "1";
  columns.title_field = "2";
  columns.text_field = "3";
  tour.texts = build_text(texts.path(), columns, vectors.path(), TextRecipe{}).index;
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
  SearchOptions options;
  static_cast<RunOptions&>(options) = run_options(common, parse_measure(measure));
  options.top = top;
  return options;
}

void show_digits(const Tour& tour, Searcher& searcher, const CommonOptions& common,
                 Json& document) {
  const auto measures = parse_measures(digit_measures);
  const auto results =
      evaluate_all(searcher, measures, digit_tops, 0, run_options(common, measures.front()));
  document["digits"] = evaluation_json(results, digit_tops);
  const Matches matches = nearest(searcher, shown_digit, demo_options(common, "act-1", 3));
  if (common.json) return;
  print_heading("1  Handwritten digits: 1,797 images, each against all others");
  fmt::print("Share of neighbours with the same digit among the nearest 1, 16 and 128:\n\n");
  print_precisions(results, digit_tops);
  fmt::print("\nA digit and its nearest neighbours under act-1:\n\n");
  std::vector<Picture> pictures{{shown_digit, "query"}};
  for (std::size_t i = 0; i < matches.rows.size(); ++i) {
    const std::uint32_t row = matches.rows[i];
    pictures.push_back(
        {row, fmt::format("{:.3f}  a {}", matches.distances[i], tour.digits.label(row))});
  }
  print_pictures(tour.images, pictures);
}

void show_text(const Tour& tour, const CommonOptions& common, Json& document) {
  Searcher searcher(tour.texts);
  const SearchOptions options = demo_options(common, "emd", 5);
  const Queries query = row_queries(tour.texts, std::vector{std::to_string(shown_text)});
  const Matches matches = nearest(searcher, shown_text, options);
  const auto moves = explanation(tour.texts, query.histograms[0], matches.rows.front(), options, 8);
  document["text"] = to_json(Answers{tour.texts, query, matches, options, true});
  if (common.json) return;
  print_heading("2  Texts: 120 short ones, found by meaning under the exact distance");
  fmt::print("query: {}\n\n",
             paint(output_terminal(), Colour::cyan, tour.texts.snippets[shown_text]));
  print(Answers{tour.texts, query, matches, options, false});
  fmt::print("\nWhy the first, though no word is the same: what moved where\n\n");
  print_moves(moves, "query", "text");
}

void show_exact(const Tour& tour, const CommonOptions& common, Json& document) {
  constexpr std::string_view chain = "wcd,rwmd,omr,act-1,act-7,ict,emd";
  const auto& texts = tour.texts;
  const auto outcomes =
      compare_all(texts, texts.rows[shown_text], texts.rows[shown_text - 1], parse_measures(chain));
  for (const Outcome& outcome : outcomes) document["bounds"].push_back(to_json(outcome));
  if (common.json) return;
  print_heading("3  The same two texts: the exact Earth Mover's Distance and the bounds below it");
  print_table(outcomes);
}

void run(const DemoOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Tour tour = open_tour();
  Searcher searcher(tour.digits);
  Json document = json_document();
  if (!options.common.json) {
    fmt::print("{} {}, kernels {}\n", paint(output_terminal(), Colour::bold, "navvy"), version(),
               kernels_in_use());
  }
  show_digits(tour, searcher, options.common, document);
  show_text(tour, options.common, document);
  show_exact(tour, options.common, document);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  document["seconds"] = seconds;
  if (options.common.json) return print_json(document);
  fmt::print("\n{:.1f} s in all. Your own data: navvy build --help\n", seconds);
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
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy demo", "navvy demo --json"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
