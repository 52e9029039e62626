// navvy build: from files to an index.
#include <fmt/core.h>

#include <filesystem>

#include "app/text_report.hpp"
#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sources.hpp"
#include "cli/terminal.hpp"
#include "cli/text_report.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct BuildOptions {
  CommonOptions common;
  std::filesystem::path output;
  app::ArrayOptions arrays;
  TextSourceOptions text;
  RecipeOptions recipe;
};

// Texts are looked at as they are read: their words say why they are empty.
void require_a_bin(const Index& index, const app::ArrayOptions& arrays) {
  if (index.rows.size() == 0 || index.rows.bins() > 0) return;
  const bool is_images = index.kind == DataKind::images;
  const std::filesystem::path& file = is_images ? arrays.images : arrays.histograms;
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: all {} {} and would never be found; expected one at least that is "
                          "not",
                          file.string(), index.rows.size(),
                          is_images ? "images are blank" : "histograms have no weight"));
}

// Labels were asked for by a depth that no file has.
void warn_of_depth(const BuildOptions& options, const app::Summary& summary) {
  const std::size_t depth = options.text.corpus_options.label_depth;
  const bool is_counted = depth != last_folder && depth != whole_path;
  const auto& source = options.text.corpus.empty() ? options.arrays.images : options.text.corpus;
  if (!is_counted || !summary.label_counts.empty() || !std::filesystem::is_directory(source))
    return;
  talk(
      fmt::format("navvy: no file lies {} folders deep, so none has a label; is it the right "
                  "--label-depth?",
                  depth));
}

TextBuild build(const BuildOptions& options) {
  if (options.text.corpus.empty()) {
    TextBuild built{
        app::read_arrays(with_field_options(options.arrays, options.text.corpus_options)), {}};
    require_a_bin(built.index, options.arrays);
    return built;
  }
  if (options.text.vectors.empty()) throw Error(ErrorCode::usage, "--corpus needs --vectors");
  ProgressDisplay display;
  TextBuild built = build_text(options.text.corpus, options.text.corpus_options,
                               options.text.vectors, options.recipe.recipe(), display.callback());
  require_known_words(built.report);
  return built;
}

void run(const BuildOptions& options) {
  require_one_source(options.arrays, options.text);
  check_output(options.output, index_magic, "a navvy index");
  limit_memory(options.common);
  TextBuild built = build(options);
  const bool is_text = built.index.kind == DataKind::text;
  if (is_text) keep_report(built.index, built.report);
  const app::Summary summary = app::summarize(built.index);
  if (is_text || std::filesystem::is_directory(options.arrays.images)) warn_of_labels(summary);
  warn_of_depth(options, summary);
  save(built.index, options.output);
  const auto duplicates = duplicate_rows(built.index);
  if (options.common.json) {
    app::Json document = app::summary_json(built.index, summary);
    document["file"] = options.output.string();
    document["duplicates"] = duplicates.size();
    if (is_text) document["report"] = app::report_json(built.report);
    print_json(document);
    return;
  }
  if (is_text) {
    print_facts(report_facts(built.report));
  } else {
    print_facts(summary_facts(built.index, summary));
    print_facts(duplicate_facts(duplicates.size()));
  }
  print_facts(field_facts(built.index));
  talk(fmt::format("wrote {}", options.output.string()));
}

}  // namespace

void add_build_command(CLI::App& app) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand("build", "Make an index from images, histograms or texts");
  add_output_option(*command, options->output, "the index, by custom named .navvy");
  add_array_options(*command, options->arrays);
  add_text_source_options(*command, options->text);
  add_recipe_options(*command, options->recipe);
  add_common_options(*command, options->common);
  add_examples(
      *command,
      {"navvy build --images train-images.gz --labels train-labels.gz -o mnist.navvy",
       "navvy build --images scans/ --resize 28x28 --invert -o scans.navvy",
       "navvy build --histograms X.npz --coordinates V.npy --labels y.npy -o x.navvy",
       "navvy build --corpus posts/ --vectors glove.bin.gz --encoding latin1 -o news.navvy",
       "navvy build --corpus papers.jsonl --vectors glove.bin.gz --keep-field year -o p.navvy",
       "navvy build --histograms X.npz --coordinates V.npy --fields rows.csv -o x.navvy"});
  command->callback([options] { run(*options); });
}

}  // namespace navvy::cli
