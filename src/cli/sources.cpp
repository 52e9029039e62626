// Adds the options that say where rows come from.
#include "cli/sources.hpp"

#include <charconv>
#include <string_view>
#include <system_error>
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

// "28x28", the width first, as everywhere with pictures.
void parse_size(const std::string& text, PictureOptions& options) {
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, options.width);
  const bool has_times = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height =
      has_times ? std::from_chars(width.ptr + 1, end, options.height) : std::from_chars_result{};
  if (!has_times || height.ec != std::errc() || height.ptr != end || options.width == 0 ||
      options.height == 0)
    throw Error(ErrorCode::usage, "--resize " + text + ": expected a size such as 28x28");
}

}  // namespace

void add_array_options(CLI::App& command, app::ArrayOptions& options) {
  command
      .add_option("--images", options.images,
                  "images: a folder of PNG and JPEG pictures, one of these, or an IDX file")
      ->type_name("PATH");
  add_picture_options(command, options.pictures);
  add_path(command, "--histograms", options.histograms,
           "histograms: a SciPy sparse .npz or a dense .npy, one per row");
  add_path(command, "--coordinates", options.coordinates,
           "their coordinates: a .npy with a row for each column of the histograms");
  add_path(command, "--labels", options.labels, "labels: IDX, .npy, or one per line");
  add_path(command, "--label-names", options.label_names,
           "names of labels that are numbers, one per line: the first line is that of 0");
  add_path(command, "--ids", options.ids, "names of the rows: .npy, or one per line");
  add_path(command, "--fields", options.fields,
           "fields of the rows: CSV, TSV or JSON lines, one record per row");
  command.add_flag("--keep-background,--keep-zeros", options.keep_zeros,
                   "keep pixels or bins of weight zero: they can receive but hold nothing");
  command.add_flag("--normalize-coordinates", options.normalize, "scale coordinates to length 1");
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  command
      .add_option_function<std::string>(
          "--resize", [&options](const std::string& size) { parse_size(size, options); },
          "bring all pictures to this size, whatever their proportions")
      ->type_name("WxH");
  command.add_flag("--invert", options.invert, "dark is what counts in pictures, as ink on paper");
  command.add_flag("--colour,--color", options.colour,
                   "red, green and blue apart, instead of grey");
}

void add_corpus_options(CLI::App& command, CorpusOptions& options) {
  add_parsed(command, "--format", options.format, parse_corpus_format,
             "auto (default), folder, jsonl (or a JSON list), csv, tsv or lines")
      ->group(corpus_group);
  add_parsed(command, "--encoding", options.encoding, parse_encoding, "utf8 (default) or latin1")
      ->group(corpus_group);
  for (const auto& [name, field] :
       {std::pair<std::string, std::string*>{"text", &options.text_field},
        {"label", &options.label_field},
        {"id", &options.id_field},
        {"title", &options.title_field}}) {
    command
        .add_option("--" + name + "-field", *field,
                    "key, path of keys (doc.body), column name or column number")
        ->type_name("NAME")
        ->group(corpus_group);
  }
  add_parsed(command, "--label-depth", options.label_depth, parse_label_depth,
             "which folder is the label of a text: last (default), path (all of them) or the N-th "
             "below the corpus")
      ->type_name("N")
      ->group(corpus_group);
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
                  "texts: a folder, a file (.jsonl, .json, .csv, .tsv, lines) or - for stdin")
      ->type_name("PATH");
  add_path(command, "--vectors", options.vectors,
           "word vectors: word2vec, GloVe, fastText .vec or .bin; plain, gzip or zstd");
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
  arrays.pictures.label_depth = options.label_depth;
  return arrays;
}

TextRecipe RecipeOptions::recipe() const {
  const TextRecipe usual = as_in_paper ? paper_recipe() : TextRecipe();
  TextRecipe recipe = others;
  recipe.weighting = weighting.value_or(usual.weighting);
  if (recipe.token_pattern.empty()) recipe.token_pattern = usual.token_pattern;
  if (!recipe.stop_words) recipe.stop_words = usual.stop_words;
  if (!recipe.condition) recipe.condition = usual.condition;
  if (!recipe.own_points) recipe.own_points = usual.own_points;
  recipe.query_words = query_words.value_or(usual.query_words);
  return recipe;
}

namespace {

// Which words of a text count, and how many.
void add_token_options(CLI::App& command, TextRecipe& recipe) {
  command
      .add_option("--token-pattern", recipe.token_pattern,
                  "RE2 pattern of a token, or letters for runs of these (default: runs of letters "
                  "and digits)")
      ->type_name("PATTERN")
      ->group(recipe_group);
  command.add_flag("--keep-case", recipe.keep_case, "look words up as they are written first")
      ->group(recipe_group);
  command
      .add_option_function<std::string>(
          "--stop-words",
          [&recipe](const std::string& text) { recipe.stop_words = parse_stop_words(text); },
          "words to leave out: english, none, the first N of the vectors file, or those of a file "
          "(default: none under bm25, tfidf and sif, else english)")
      ->type_name("NAME|N|FILE")
      ->group(recipe_group);
  command.add_option("--max-bins", recipe.max_bins, "keep the N most frequent words of a text")
      ->type_name("N")
      ->capture_default_str()
      ->group(recipe_group);
}

// Where words stand.
void add_vector_options(CLI::App& command, RecipeOptions& options) {
  TextRecipe& recipe = options.others;
  command
      .add_option("--condition", recipe.condition,
                  "take the mean and the first N components from the word vectors (default: 2, or "
                  "0 where the file has fewer than 1,000 words, or not 20 to 1,024 dimensions)")
      ->type_name("N")
      ->group(recipe_group);
  command
      .add_option_function<std::string>(
          "--query-words",
          [&options](const std::string& text) { options.query_words = parse_query_words(text); },
          "keep vectors for queries of the first N words of the vectors file, or of all, though no "
          "text has them; corpus: of none")
      ->default_str(std::to_string(recipe.query_words))
      ->type_name("N|all|corpus")
      ->group(recipe_group);
  command
      .add_flag_callback(
          "--no-normalize", [&recipe] { recipe.normalize = false; },
          "keep the lengths of word vectors")
      ->group(recipe_group);
  command
      .add_option_function<std::string>(
          "--unknown-words",
          [&recipe](const std::string& text) {
            if (text != "own" && text != "drop")
              throw Error(ErrorCode::usage, "unknown words '" + text + "'; expected own or drop");
            recipe.own_points = text == "own";
          },
          "words without a vector: own, a point of their own for each, so that names and numbers "
          "are "
          "found by themselves, or drop (default: own, but drop where vectors are fewer than "
          "1,000, "
          "of fewer than 20 dimensions, or not scaled)")
      ->type_name("NAME")
      ->group(recipe_group);
}

}  // namespace

void add_recipe_options(CLI::App& command, RecipeOptions& options) {
  add_token_options(command, options.others);
  command
      .add_option_function<std::string>(
          "--weighting",
          [&options](const std::string& text) { options.weighting = parse_weighting(text); },
          "bm25 (default), tfidf, sif, tf, log or norm")
      ->type_name("NAME")
      ->group(recipe_group);
  add_vector_options(command, options);
  command
      .add_flag("--as-in-paper", options.as_in_paper,
                "the paper's setting where nothing else is told: --token-pattern letters "
                "--weighting tf --stop-words 100 --condition 0 --unknown-words drop --query-words "
                "corpus")
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
  if (arrays.labels.empty() && !arrays.label_names.empty()) fail("--label-names needs --labels");
  if (text.corpus.empty() && arrays.fields.empty() && !text.corpus_options.keep_fields.empty()) {
    fail("--keep-field needs --corpus or --fields");
  }
}

}  // namespace navvy::cli
