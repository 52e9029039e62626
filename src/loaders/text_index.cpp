// From a corpus and word vectors to an index: counts the tokens of the corpus, then looks for their
// vectors, then makes histograms of the words that have one.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/properties.hpp"
#include "core/weighting.hpp"
#include "loaders/conditioner.hpp"
#include "loaders/document_ids.hpp"
#include "loaders/own_points.hpp"
#include "loaders/query_words.hpp"
#include "loaders/recipe.hpp"
#include "loaders/text_collection.hpp"
#include "loaders/text_report.hpp"
#include "loaders/word_table.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"
#include "navvy/text.hpp"

namespace navvy {
namespace loaders {
namespace {

constexpr const char* all_kept = "all";  // of property::vectors_kept
constexpr std::string_view fasttext = "fastText binary";

using Fill = std::function<CorpusReport(const DocumentSink&)>;

// Where vectors come from: a file, words at hand, or neither, for those that an index has.
struct Source {
  const std::filesystem::path* file = nullptr;
  const Vocabulary* words = nullptr;
};

// What all steps of one build share.
struct Build {
  TextRecipe recipe;  // what it leaves open is told by the vectors
  const Index* base;  // the index that documents are added to, or null
  Source vectors;
  core::Monitor monitor;
  TextReport report;
  bool replacing = false;       // documents may have ids of the index
  Conditioning conditioning{};  // that of the index, or what the vectors file gives
};

void want_forms(const TextCollection& collection, const TextRecipe& recipe, WordTable& table) {
  for (const std::string& token : collection.tokens())
    any_form(token, recipe.keep_case, [&](std::string_view form) {
      // Words with "_" are phrases, which no text has as one token.
      if (form.find('_') == std::string_view::npos) table.want(form);
      return false;
    });
}

// Words of an index, of whose vectors it knows the lengths if anyone asks for them.
Vocabulary with_lengths_of(const Vocabulary& known, const Vocabulary& words) {
  if (known.lengths().empty()) return words;
  std::vector<float> lengths;
  auto place = known.numbers().begin();
  for (const std::uint32_t number : words.numbers()) {
    place = std::lower_bound(place, known.numbers().end(), number);
    lengths.push_back(known.lengths()[static_cast<std::size_t>(place - known.numbers().begin())]);
  }
  return {words.dimensions(), words.coordinates(), words.numbers(), words.words(),
          Array(std::move(lengths))};
}

// The words of an index that the collection may use. Where it knows all of its vectors file, what
// has no vector in it has none, and gets a point of its own.
Vocabulary find_known_words(const Build& build, const TextCollection& collection,
                            WordTable& table) {
  const Index& base = *build.base;
  const std::size_t dimensions = base.vocabulary.dimensions();
  const Vocabulary known = base.beyond.kept()
                               ? joined_words(base.vocabulary, base.beyond.vocabulary())
                               : base.vocabulary;
  if (!build.recipe.own_points.value_or(false) ||
      core::property::get(base, core::property::vectors_kept) != all_kept) {
    visit(known, table);
    return with_lengths_of(known, table.vocabulary(dimensions));
  }
  std::vector<std::uint32_t> with_vector(first_own_place(known));
  std::iota(with_vector.begin(), with_vector.end(), 0U);
  visit(chosen_words(known, with_vector), table);
  const Vocabulary found = with_lengths_of(known, table.vocabulary(dimensions));
  return with_own_points(
      found, without_vector(collection.tokens(), build.recipe.keep_case, &base, table), table);
}

// The words that the collection may use, in order of their numbers.
Vocabulary find_words(Build& build, const TextCollection& collection, WordTable& table) {
  want_forms(collection, build.recipe, table);
  VectorsReport& report = build.report.vectors;
  if (build.vectors.file == nullptr && build.vectors.words == nullptr) {
    report.dimensions = build.base->vocabulary.dimensions();
    return find_known_words(build, collection, table);
  }
  const Vocabulary* known = build.base == nullptr ? nullptr : &build.base->vocabulary;
  for (std::size_t id = 0; known != nullptr && id < known->size(); ++id)
    table.want(known->word(id));
  table.make_of_parts(collection.tokens(), build.recipe.keep_case, known);
  std::string name = "vectors";
  Conditioner conditioner(table, build.recipe);
  const bool is_new = build.base == nullptr && build.recipe.condition != 0U;
  VectorsVisitor& visitor = is_new ? static_cast<VectorsVisitor&>(conditioner) : table;
  if (build.vectors.file != nullptr) {
    InputStream stream(*build.vectors.file);
    report = scan_vectors(stream, visitor, build.monitor);
    name = stream.name();
  } else {
    visit(*build.vectors.words, visitor);
    report.words = build.vectors.words->size();
    report.dimensions = build.vectors.words->dimensions();
  }
  report.duplicates = table.duplicates();
  if (is_new) build.conditioning = conditioner.conditioning();
  Vocabulary found = made_by(build.recipe, build.conditioning, table.vocabulary(report.dimensions));
  build.recipe.own_points = gives_own_points(build.recipe, report);
  if (*build.recipe.own_points)
    found = with_own_points(
        found, without_vector(collection.tokens(), build.recipe.keep_case, build.base, table),
        table);
  if (build.base != nullptr) require_same_words(*build.base, table, found, name);
  return found;
}

// What becomes of each token of the collection.
std::vector<std::uint32_t> resolve_tokens(const TextCollection& collection, const WordTable& table,
                                          std::span<const std::string> stop_words, bool keep_case) {
  const std::unordered_set<std::string_view> stops(stop_words.begin(), stop_words.end());
  std::vector<std::uint32_t> words;
  words.reserve(collection.tokens().size());
  for (const std::string& token : collection.tokens()) {
    std::uint32_t word = unknown_token;
    if (any_form(token, keep_case, [&](std::string_view form) { return stops.contains(form); }))
      word = stop_token;
    else
      any_form(token, keep_case, [&](std::string_view form) {
        const std::uint32_t place = table.place(form);
        if (place != WordTable::none) word = place;
        return place != WordTable::none;
      });
    words.push_back(word);
  }
  return words;
}

// The words of one document, ascending; several tokens may stand for one word.
std::vector<WordCount> words_of(std::span<const WordCount> tokens,
                                std::span<const std::uint32_t> words) {
  std::vector<WordCount> found;
  for (const WordCount& token : tokens)
    if (words[token.word] < stop_token) found.push_back({words[token.word], token.count});
  std::sort(found.begin(), found.end(),
            [](const WordCount& a, const WordCount& b) { return a.word < b.word; });
  std::size_t kept = 0;
  for (const WordCount& word : found) {
    if (kept > 0 && found[kept - 1].word == word.word)
      found[kept - 1].count += word.count;
    else
      found[kept++] = word;
  }
  found.resize(kept);
  return found;
}

core::CountRows count_rows(const TextCollection& collection, std::span<const std::uint32_t> words,
                           Build& build) {
  core::CountRows rows;
  std::uint64_t distinct = 0;
  for (std::size_t i = 0; i < collection.size(); ++i) {
    std::vector<WordCount> row = words_of(collection.document(i), words);
    distinct += row.size();
    if (keep_most_frequent(row, build.recipe.max_bins)) ++build.report.truncated;
    for (const WordCount& word : row) {
      rows.coordinates.push_back(word.word);
      rows.counts.push_back(word.count);
    }
    rows.offsets.push_back(rows.coordinates.size());
    if (i % 1024 == 0) build.monitor.throw_if_stopped();
  }
  if (collection.size() > 0)
    build.report.mean_words =
        static_cast<double>(distinct) / static_cast<double>(collection.size());
  return rows;
}

// The vocabulary is what rows use; others among the first words are kept for queries.
void share_out(const Vocabulary& found, std::uint32_t query_words, core::CountRows& rows,
               Index& index) {
  std::vector<std::uint32_t> new_ids(found.size(), WordTable::none);
  for (const std::uint32_t coordinate : rows.coordinates) new_ids[coordinate] = 0;
  std::vector<std::uint32_t> used;
  std::vector<std::uint32_t> beyond;
  for (std::uint32_t id = 0; id < found.size(); ++id) {
    if (new_ids[id] != WordTable::none) {
      new_ids[id] = static_cast<std::uint32_t>(used.size());
      used.push_back(id);
    } else if (found.number(id) < query_words) {
      beyond.push_back(id);
    }
  }
  for (std::uint32_t& coordinate : rows.coordinates) coordinate = new_ids[coordinate];
  rows.vocabulary_size = used.size();
  index.vocabulary = chosen_words(found, used);
  if (query_words > 0) index.beyond = WordsBeyond(chosen_words(found, beyond));
}

void tell_source(Build& build, const CorpusOptions& options, Index& index) {
  namespace property = core::property;
  index.properties[property::encoding] = to_string(options.encoding);
  if (build.vectors.file == nullptr) return;
  index.properties[property::vectors] = core::display_name(build.vectors.file->filename());
  const VectorsReport& vectors = build.report.vectors;
  index.properties[property::vectors_words] = std::to_string(vectors.words);
  // fastText makes vectors of parts of words, for more words than any index knows.
  const bool is_whole = build.recipe.query_words >= vectors.words && vectors.format != fasttext;
  if (build.base == nullptr && build.recipe.own_points.value_or(false) && is_whole)
    index.properties[property::vectors_kept] = all_kept;
}

Index make_index(Build& build, TextCollection& collection, const CorpusOptions& options) {
  const StopWords left_out = left_out_by(build.recipe);
  WordTable table(left_out.first);
  // Rows for an index join its words beyond the corpus.
  const std::uint32_t query_words = build.base == nullptr ? build.recipe.query_words : 0;
  if (query_words > 0) table.want_first(query_words, is_token(build.recipe));
  const Vocabulary found = find_words(build, collection, table);
  std::vector<std::string> stop_words = table.first_words();
  stop_words.insert(stop_words.end(), left_out.words.begin(), left_out.words.end());
  const auto words = resolve_tokens(collection, table, stop_words, build.recipe.keep_case);
  count_tokens(collection, words, first_own_place(found), build.report);

  Index index;
  index.kind = DataKind::text;
  index.conditioning = build.conditioning;
  core::CountRows rows = count_rows(collection, words, build);
  share_out(found, query_words, rows, index);
  build.report.query_words = index.beyond.vocabulary().size();
  index.rows = core::weigh(build.recipe.weighting, rows, index.vocabulary.lengths().span());
  store_recipe(build.recipe, stop_words, index);
  if (core::knows_collection(index)) {
    index.counts = Array(std::move(rows.counts));
    core::complete_frequencies(index);
  }
  tell_source(build, options, index);
  index.ids = Strings(complete_ids(std::move(collection.ids), build.base, build.replacing));
  index.titles = Strings(collection.titles);
  index.snippets = Strings(collection.snippets);
  index.fields = collection.fields.typed(build.base);
  const auto& labels = collection.labels;
  if (std::any_of(labels.begin(), labels.end(), [](const auto& label) { return !label.empty(); }))
    set_labels(index, labels);
  return index;
}

TextBuild run(Build build, const CorpusOptions& options, const Fill& fill) {
  check_recipe(build.recipe);
  if (build.base != nullptr) build.conditioning = build.base->conditioning;
  TextCollection collection(build.recipe);
  build.monitor.begin("documents", 0);
  const CorpusReport corpus = fill([&](Document&& document) {
    collection.add(std::move(document));
    build.monitor.add(1);
    build.monitor.throw_if_stopped();
  });
  build.report.broken_bytes = corpus.broken_bytes;
  build.report.broken_links = corpus.broken_links;
  build.report.documents = collection.size();
  Index index = make_index(build, collection, options);
  describe_rows(index, build.report);
  describe_whole(index, build.report);
  return {std::move(index), std::move(build.report)};
}

// The index with the rows that were made for it.
TextBuild appended_to(const Index& base, TextBuild rows) {
  rows.index = appended(base, rows.index);
  describe_whole(rows.index, rows.report);
  return rows;
}

Fill from_span(std::span<const Document> documents) {
  return [documents](const DocumentSink& sink) {
    for (const Document& document : documents) sink(Document(document));
    return CorpusReport{documents.size(), 0, {}};
  };
}

Fill from_path(const std::filesystem::path& corpus, const CorpusOptions& options) {
  return [&](const DocumentSink& sink) { return read_corpus(corpus, options, sink); };
}

}  // namespace
}  // namespace loaders

TextBuild build_text(const std::filesystem::path& corpus, const CorpusOptions& options,
                     const std::filesystem::path& vectors, const TextRecipe& recipe,
                     const ProgressCallback& progress) {
  return loaders::run({recipe, nullptr, {&vectors, nullptr}, core::Monitor(progress), {}}, options,
                      loaders::from_path(corpus, options));
}

TextBuild build_text(std::span<const Document> documents, const std::filesystem::path& vectors,
                     const TextRecipe& recipe, const ProgressCallback& progress) {
  return loaders::run({recipe, nullptr, {&vectors, nullptr}, core::Monitor(progress), {}}, {},
                      loaders::from_span(documents));
}

TextBuild build_text(std::span<const Document> documents, const Vocabulary& vectors,
                     const TextRecipe& recipe, const ProgressCallback& progress) {
  loaders::require_words(vectors);
  return loaders::run({recipe, nullptr, {nullptr, &vectors}, core::Monitor(progress), {}}, {},
                      loaders::from_span(documents));
}

TextBuild text_rows(const Index& index, const std::filesystem::path& corpus,
                    const CorpusOptions& options, const RowOptions& rows) {
  const TextRecipe recipe = recipe_of(index);
  const CorpusOptions reading = keeping(options, index.fields);
  return loaders::run({recipe,
                       &index,
                       {rows.vectors ? &*rows.vectors : nullptr, nullptr},
                       core::Monitor(rows.progress),
                       {},
                       rows.replacing},
                      reading, loaders::from_path(corpus, reading));
}

TextBuild text_rows(const Index& index, std::span<const Document> documents,
                    const RowOptions& rows) {
  const TextRecipe recipe = recipe_of(index);
  if (rows.words != nullptr) loaders::require_words(*rows.words);
  return loaders::run({recipe,
                       &index,
                       {rows.vectors ? &*rows.vectors : nullptr, rows.words},
                       core::Monitor(rows.progress),
                       {},
                       rows.replacing},
                      {}, loaders::from_span(documents));
}

TextBuild add_text(const Index& index, const std::filesystem::path& corpus,
                   const CorpusOptions& options,
                   const std::optional<std::filesystem::path>& vectors,
                   const ProgressCallback& progress) {
  return loaders::appended_to(index,
                              text_rows(index, corpus, options, {vectors, nullptr, progress}));
}

TextBuild add_text(const Index& index, std::span<const Document> documents,
                   const std::optional<std::filesystem::path>& vectors,
                   const ProgressCallback& progress) {
  return loaders::appended_to(index, text_rows(index, documents, {vectors, nullptr, progress}));
}

TextBuild add_text(const Index& index, std::span<const Document> documents,
                   const Vocabulary& vectors, const ProgressCallback& progress) {
  return loaders::appended_to(index, text_rows(index, documents, {{}, &vectors, progress}));
}

}  // namespace navvy
