// From a corpus and word vectors to an index: counts the tokens of the corpus, then looks for their
// vectors, then makes histograms of the words that have one.
#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/properties.hpp"
#include "core/weighting.hpp"
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

using Fill = std::function<CorpusReport(const DocumentSink&)>;

// Where vectors come from: a file, words at hand, or neither, for those that an index has.
struct Source {
  const std::filesystem::path* file = nullptr;
  const Vocabulary* words = nullptr;
};

// What all steps of one build share.
struct Build {
  const TextRecipe& recipe;
  const Index* base;  // the index that documents are added to, or null
  Source vectors;
  core::Monitor monitor;
  TextReport report;
  bool replacing = false;  // documents may have ids of the index
};

void want_forms(const TextCollection& collection, const TextRecipe& recipe, WordTable& table) {
  for (const std::string& token : collection.tokens())
    any_form(token, recipe.keep_case, [&](std::string_view form) {
      // Words with "_" are phrases, which no text has as one token.
      if (form.find('_') == std::string_view::npos) table.want(form);
      return false;
    });
}

// Words of the index that others are added to must be the same in the vectors file.
void require_same_words(const Index& base, const WordTable& table, const Vocabulary& found,
                        const std::string& file) {
  const Vocabulary& known = base.vocabulary;
  for (std::size_t id = 0; id < known.size(); ++id) {
    const std::uint32_t place = table.place(known.word(id));
    const std::string what =
        file + ": the word '" + std::string(known.word(id)) + "' of the index ";
    if (place == WordTable::none)
      throw Error(ErrorCode::bad_input, what +
                                            "is missing; expected the vectors that the index was "
                                            "built with");
    const auto a = known.coordinate(id);
    const auto b = found.coordinate(place);
    if (found.number(place) != known.number(id) ||
        !std::equal(a.begin(), a.end(), b.begin(), b.end()))
      throw Error(ErrorCode::bad_input, what +
                                            "has another place or vector here; expected the "
                                            "vectors that the index was built with");
  }
}

// The words that the collection may use, in order of their numbers.
Vocabulary find_words(Build& build, const TextCollection& collection, WordTable& table) {
  want_forms(collection, build.recipe, table);
  VectorsReport& report = build.report.vectors;
  if (build.vectors.file == nullptr && build.vectors.words == nullptr) {
    table.take_from(build.base->vocabulary);
    report.dimensions = build.base->vocabulary.dimensions();
    return table.vocabulary(report.dimensions);
  }
  if (build.base != nullptr)
    for (std::size_t id = 0; id < build.base->vocabulary.size(); ++id)
      table.want(build.base->vocabulary.word(id));
  std::string name = "vectors";
  if (build.vectors.file != nullptr) {
    InputStream stream(*build.vectors.file);
    report = scan_vectors(stream, table, build.monitor);
    name = stream.name();
  } else {
    table.take_from(*build.vectors.words);
    report.words = build.vectors.words->size();
    report.dimensions = build.vectors.words->dimensions();
  }
  report.duplicates = table.duplicates();
  Vocabulary found = table.vocabulary(report.dimensions);
  if (build.recipe.normalize) found = normalized(found);
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

// Drops words that no row uses.
Vocabulary compact(const Vocabulary& found, core::CountRows& rows) {
  std::vector<std::uint32_t> new_ids(found.size(), WordTable::none);
  for (const std::uint32_t coordinate : rows.coordinates) new_ids[coordinate] = 0;
  std::vector<float> coordinates;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> words;
  for (std::size_t id = 0; id < found.size(); ++id) {
    if (new_ids[id] == WordTable::none) continue;
    new_ids[id] = static_cast<std::uint32_t>(numbers.size());
    numbers.push_back(found.number(id));
    words.emplace_back(found.word(id));
    const auto coordinate = found.coordinate(id);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }
  for (std::uint32_t& coordinate : rows.coordinates) coordinate = new_ids[coordinate];
  rows.vocabulary_size = numbers.size();
  return {found.dimensions(), Array(std::move(coordinates)), Array(std::move(numbers)),
          words.empty() ? Strings() : Strings(words)};
}

using Ids = std::unordered_map<std::string_view, std::size_t>;

// The numbers from the first new row on that rows of the index are called; throws where a new
// document is called like one of them.
std::unordered_set<std::uint64_t> taken_numbers(const Index& base, const Ids& ids) {
  std::unordered_set<std::uint64_t> taken;
  for (std::size_t row = 0; row < base.rows.size(); ++row) {
    const std::string number = base.ids.empty() ? std::to_string(row) : std::string();
    const std::string_view id = base.ids.empty() ? std::string_view(number) : base.ids[row];
    if (const auto place = ids.find(id); place != ids.end())
      throw Error(ErrorCode::bad_input, "document " + std::to_string(place->second + 1) +
                                            ": its id '" + std::string(id) +
                                            "' is that of a document of the index");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), value);
    if (error == std::errc() && end == id.data() + id.size() && value >= base.rows.size())
      taken.insert(value);
  }
  return taken;
}

// Documents without id get the number of their row, or the next that is free. With `replacing`,
// ids of the index are welcome.
std::vector<std::string> complete_ids(std::vector<std::string> ids, const Index* base,
                                      bool replacing) {
  Ids known;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) continue;
    const auto [place, added] = known.emplace(ids[i], i);
    if (!added)
      throw Error(ErrorCode::bad_input, "document " + std::to_string(i + 1) + ": its id '" +
                                            ids[i] + "' is that of document " +
                                            std::to_string(place->second + 1));
  }
  const std::size_t first_row = base == nullptr ? 0 : base->rows.size();
  std::unordered_set<std::uint64_t> taken;
  if (base != nullptr) taken = taken_numbers(*base, replacing ? Ids() : known);
  std::vector<std::string> complete = ids;
  std::size_t next = first_row;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // From the row's own number on, so that rows added later get the ids of a build at once.
    next = std::max(next, first_row + i);
    while (complete[i].empty()) {
      const std::string number = std::to_string(next);
      if (!taken.contains(next) && !known.contains(number)) complete[i] = number;
      ++next;
    }
  }
  return complete;
}

void tell_source(Build& build, const CorpusOptions& options, Index& index) {
  namespace property = core::property;
  index.properties[property::encoding] = to_string(options.encoding);
  if (build.vectors.file == nullptr) return;
  index.properties[property::vectors] = core::display_name(build.vectors.file->filename());
  index.properties[property::vectors_words] = std::to_string(build.report.vectors.words);
}

Index make_index(Build& build, TextCollection& collection, const CorpusOptions& options) {
  const bool has_list = build.recipe.stop_words.has_value();
  WordTable table(has_list ? 0 : build.recipe.stop_word_count);
  const Vocabulary found = find_words(build, collection, table);
  const std::vector<std::string>& stop_words =
      has_list ? *build.recipe.stop_words : table.first_words();
  const auto words = resolve_tokens(collection, table, stop_words, build.recipe.keep_case);
  count_tokens(collection, words, build.report);

  Index index;
  index.kind = DataKind::text;
  core::CountRows rows = count_rows(collection, words, build);
  index.vocabulary = compact(found, rows);
  index.rows = core::weigh(build.recipe.weighting, rows);
  if (build.recipe.weighting == Weighting::tfidf) {
    index.frequencies = Array(core::document_frequencies(rows.vocabulary_size, rows.coordinates));
    index.documents = collection.size();
    index.counts = Array(std::move(rows.counts));
  }
  store_recipe(build.recipe, stop_words, index);
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

void require_words(const Vocabulary& vectors) {
  if (!vectors.has_words())
    throw Error(ErrorCode::usage, "vectors without words; expected a word for each vector");
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
