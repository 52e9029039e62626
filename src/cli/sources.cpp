// Adds the options that say where rows come from.
#include "cli/sources.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/loaders.hpp"

namespace navvy::cli {
namespace {

constexpr const char* corpus_group = "Options for a corpus";
constexpr const char* recipe_group = "From a text to a histogram";

CLI::Option* add_path(CLI::App& command, const std::string& name, std::filesystem::path& path,
                      const std::string& description) {
  return command.add_option(name, path, description)->type_name("FILE");
}

// An option whose value the library reads; a value it does not know throws Error(usage).
template <class Value>
CLI::Option* add_parsed(CLI::App& command, const std::string& name, Value& value,
                        Value (*parse)(std::string_view), const std::string& description) {
  return command
      .add_option_function<std::string>(
          name, [&value, parse](const std::string& text) { value = parse(text); }, description)
      ->type_name("NAME");
}

}  // namespace

void add_array_options(CLI::App& command, app::ArrayOptions& options) {
  add_path(command, "--images", options.images, "images: an IDX file, plain or gzipped");
  add_path(command, "--histograms", options.histograms,
           "histograms: a SciPy sparse .npz or a dense .npy, one per row");
  add_path(command, "--coordinates", options.coordinates,
           "their coordinates: a .npy with a row for each column of the histograms");
  add_path(command, "--labels", options.labels, "labels: IDX, .npy, or one per line");
  add_path(command, "--ids", options.ids, "names of the rows: .npy, or one per line");
  add_path(command, "--fields", options.fields,
           "fields of the rows: CSV, TSV or JSON lines, one record per row");
  command.add_flag("--keep-background,--keep-zeros", options.keep_zeros,
                   "keep pixels or bins of weight zero: they can receive but hold nothing");
  command.add_flag("--normalize-coordinates", options.normalize, "scale coordinates to length 1");
}

void add_corpus_options(CLI::App& command, CorpusOptions& options) {
  add_parsed(command, "--format", options.format, parse_corpus_format,
             "auto (default), folder, jsonl, csv, tsv or lines")
      ->group(corpus_group);
  add_parsed(command, "--encoding", options.encoding, parse_encoding, "utf8 (default) or latin1")
      ->group(corpus_group);
  for (const auto& [name, field] :
       {std::pair<std::string, std::string*>{"text", &options.text_field},
        {"label", &options.label_field},
        {"id", &options.id_field},
        {"title", &options.title_field}}) {
    command.add_option("--" + name + "-field", *field, "key, column name or column number")
        ->type_name("NAME")
        ->group(corpus_group);
  }
  const auto head_line = [&](const std::string& name, bool value, const std::string& description) {
    command
        .add_flag_callback(
            name, [&options, value] { options.head_line = value; }, description)
        ->group(corpus_group);
  };
  head_line("--head-line", true, "the first line names the columns");
  head_line("--no-head-line", false, "the first line is a document");
}

void add_text_source_options(CLI::App& command, TextSourceOptions& options) {
  command
      .add_option("--corpus", options.corpus,
                  "texts: a folder, a file (.jsonl, .csv, .tsv, lines) or - for stdin")
      ->type_name("PATH");
  add_path(command, "--vectors", options.vectors,
           "word vectors: word2vec, GloVe or fastText .vec; plain, gzip or zstd");
  add_corpus_options(command, options.corpus_options);
  std::vector<KeptField>& kept = options.corpus_options.keep_fields;
  command
      .add_option_function<std::vector<std::string>>(
          "--keep-field",
          [&kept](const std::vector<std::string>& fields) {
            for (const std::string& field : fields) kept.push_back(parse_kept_field(field));
          },
          "keep this key or column with each row (of --fields: default all); TYPE is text, number "
          "or date; may be repeated")
      ->type_name("NAME[:TYPE]")
      ->allow_extra_args(false)
      ->group(corpus_group);
}

app::ArrayOptions with_field_options(app::ArrayOptions arrays, const CorpusOptions& options,
                                     const Index& joined) {
  arrays.field_options = keeping(options, joined.fields);
  return arrays;
}

void add_recipe_options(CLI::App& command, TextRecipe& recipe) {
  command
      .add_option("--token-pattern", recipe.token_pattern,
                  "RE2 pattern of a token (default: runs of letters)")
      ->type_name("PATTERN")
      ->group(recipe_group);
  command.add_flag("--keep-case", recipe.keep_case, "look words up as they are written first")
      ->group(recipe_group);
  command
      .add_option("--stop-words", recipe.stop_word_count,
                  "leave out the first N words of the vectors file")
      ->type_name("N")
      ->capture_default_str()
      ->group(recipe_group);
  command
      .add_option_function<std::string>(
          "--stop-words-file",
          [&recipe](const std::string& path) { recipe.stop_words = read_stop_words(path); },
          "leave out the words of this file instead")
      ->type_name("FILE")
      ->group(recipe_group);
  command.add_option("--max-bins", recipe.max_bins, "keep the N most frequent words of a text")
      ->type_name("N")
      ->capture_default_str()
      ->group(recipe_group);
  add_parsed(command, "--weighting", recipe.weighting, parse_weighting,
             "tf (default), log or tfidf")
      ->group(recipe_group);
  command
      .add_flag_callback(
          "--no-normalize", [&recipe] { recipe.normalize = false; },
          "keep the lengths of word vectors")
      ->group(recipe_group);
}

void require_one_source(const app::ArrayOptions& arrays, const TextSourceOptions& text) {
  const auto fail = [](const char* message) { throw Error(ErrorCode::usage, message); };
  const int sources = (arrays.images.empty() ? 0 : 1) + (arrays.histograms.empty() ? 0 : 1) +
                      (text.corpus.empty() ? 0 : 1);
  if (sources != 1) {
    fail("where do the rows come from? give one of --images, --histograms or --corpus");
  }
  if (arrays.histograms.empty() != arrays.coordinates.empty()) {
    fail("--histograms and --coordinates belong together");
  }
  if (text.corpus.empty() && !text.vectors.empty()) fail("--vectors needs --corpus");
  if (!text.corpus.empty() && !(arrays.labels.empty() && arrays.ids.empty())) {
    fail("a corpus brings its own labels and ids: see --label-field and --id-field");
  }
  if (!text.corpus.empty() && !arrays.fields.empty()) {
    fail("a corpus brings its own fields: see --keep-field");
  }
  if (text.corpus.empty() && arrays.fields.empty() && !text.corpus_options.keep_fields.empty()) {
    fail("--keep-field needs --corpus or --fields");
  }
}

}  // namespace navvy::cli
