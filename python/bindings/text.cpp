#include "navvy/text.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "progress.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace {

/// Id, label, title, text.
using DocumentParts = std::tuple<std::string, std::string, std::string, std::string>;
using Source = std::variant<std::filesystem::path, const Vocabulary*>;

std::vector<Document> documents_of(std::vector<DocumentParts>&& parts) {
  std::vector<Document> documents;
  documents.reserve(parts.size());
  for (auto& [id, label, title, text] : parts)
    documents.push_back({std::move(id), std::move(label), std::move(title), std::move(text)});
  return documents;
}

nb::dict to_python(const TextReport& report) {
  nb::dict result, unknown;
  for (const auto& word : report.unknown_words) unknown[word.word.c_str()] = word.count;
  result["documents"] = report.documents;
  result["words"] = report.words;
  result["tokens"] = report.tokens;
  result["stop_tokens"] = report.stop_tokens;
  result["unknown_tokens"] = report.unknown_tokens;
  result["unknown_words"] = unknown;
  result["truncated"] = report.truncated;
  result["mean_bins"] = report.mean_bins;
  result["empty"] = nb::cast(report.empty);
  result["duplicates"] = nb::cast(report.duplicates);
  return result;
}

nb::tuple to_python(TextBuild build) {
  return nb::make_tuple(std::make_unique<Handle>(std::move(build.index)), to_python(build.report));
}

nb::tuple build(std::vector<DocumentParts> parts, const Source& vectors, const TextRecipe& recipe,
                nb::object progress) {
  const ProgressCallback callback = progress_callback(std::move(progress));
  return to_python(unlocked([&] {
    const std::vector<Document> documents = documents_of(std::move(parts));
    const auto* const* words = std::get_if<const Vocabulary*>(&vectors);
    TextBuild made =
        words != nullptr
            ? build_text(documents, **words, recipe, callback)
            : build_text(documents, std::get<std::filesystem::path>(vectors), recipe, callback);
    require_known_words(made.report);
    return made;
  }));
}

// A field without any value has no type of its own, and says nothing.
void give_fields(const std::vector<Field>& fields, std::vector<Document>& documents) {
  for (const Field& field : fields) {
    bool any = false;
    for (std::size_t i = 0; i < documents.size(); ++i) any = any || field.has(i);
    if (!any) continue;
    for (std::size_t i = 0; i < documents.size(); ++i)
      documents[i].fields.push_back({field.name, field.text(i), field.type});
  }
}

// Rows for an index: behind its own where `whole`, else alone. One parameter for each keyword.
// NOLINTNEXTLINE(readability-function-size)
nb::tuple rows(const Handle& index, std::vector<DocumentParts> parts,
               const std::vector<Field>& fields, const std::optional<Source>& vectors,
               bool replacing, bool whole, nb::object progress) {
  RowOptions options{{}, nullptr, progress_callback(std::move(progress)), replacing};
  if (vectors) {
    if (const auto* file = std::get_if<std::filesystem::path>(&*vectors)) options.vectors = *file;
    if (const auto* const* words = std::get_if<const Vocabulary*>(&*vectors))
      options.words = *words;
  }
  return to_python(unlocked([&] {
    std::vector<Document> documents = documents_of(std::move(parts));
    give_fields(fields, documents);
    TextBuild made = text_rows(index.index(), documents, options);
    if (whole) made.index = appended(index.index(), made.index);
    return made;
  }));
}

// Among several the one that has no known word is named.
void require_known_word(const TextQuery& query, std::size_t place, std::size_t count) {
  try {
    navvy::require_known_word(query);
  } catch (const Error& error) {
    if (count == 1) throw;
    throw Error(error.code(), "query " + std::to_string(place) + ": " + error.what());
  }
}

// Texts without a known word have no weight, or are an error where all must be `known`.
std::unique_ptr<Handle> encode_texts(const Handle& handle, const std::vector<std::string>& texts,
                                     bool known) {
  const nb::gil_scoped_release release;
  const Index& index = handle.index();
  const TextEncoder encoder(index);
  std::vector<TextQuery> queries;
  std::vector<std::vector<std::string>> unknown;
  for (const std::string& text : texts) {
    queries.push_back(encoder.encode(text));
    if (known) require_known_word(queries.back(), queries.size() - 1, texts.size());
    unknown.push_back(queries.back().unknown);
  }
  Index encoded;
  encoded.kind = DataKind::text;
  encoded.vocabulary = encoder.words(queries);
  encoded.rows = to_histograms(queries, encoded.vocabulary);
  auto made = std::make_unique<Handle>(std::move(encoded));
  made->unknown = std::move(unknown);
  return made;
}

std::unique_ptr<Handle> with_words(const Handle& handle, const Source& vectors,
                                   const std::optional<std::vector<std::string>>& texts) {
  const nb::gil_scoped_release release;
  const auto* const* words = std::get_if<const Vocabulary*>(&vectors);
  return std::make_unique<Handle>(
      words != nullptr
          ? with_query_words(handle.index(), **words, texts)
          : with_query_words(handle.index(), std::get<std::filesystem::path>(vectors), texts));
}

// The parts of StopWords.
using ListedStopWords = std::pair<std::uint32_t, std::vector<std::string>>;

// One parameter for each keyword.
// NOLINTNEXTLINE(readability-function-size)
void make_recipe(TextRecipe* recipe, std::string token_pattern, bool keep_case,
                 std::optional<ListedStopWords> stop_words, std::uint32_t max_bins,
                 const std::optional<std::string>& weighting,
                 const std::optional<std::uint32_t>& condition, bool normalize, bool as_in_paper,
                 const std::optional<std::string>& query_words, std::optional<bool> own_points) {
  TextRecipe made = as_in_paper ? paper_recipe() : TextRecipe();
  if (!token_pattern.empty()) made.token_pattern = std::move(token_pattern);
  made.keep_case = keep_case;
  if (stop_words) made.stop_words = StopWords{stop_words->first, std::move(stop_words->second)};
  made.max_bins = max_bins;
  if (weighting) made.weighting = parse_weighting(*weighting);
  if (condition) made.condition = condition;
  made.normalize = normalize;
  if (query_words) made.query_words = parse_query_words(*query_words);
  if (own_points) made.own_points = own_points;
  new (recipe) TextRecipe(std::move(made));
}

ListedStopWords listed(const std::string& text) {
  StopWords words = parse_stop_words(text);
  return {words.first, std::move(words.words)};
}

Vocabulary from_words(const Matrix<float>& vectors, const std::vector<std::string>& words) {
  const nb::gil_scoped_release release;
  return {vectors.shape(1), shared<float>(vectors), {}, Strings(words)};
}

}  // namespace

void bind_text(nb::module_& module) {
  nb::class_<TextRecipe>(module, "Recipe")
      .def("__init__", &make_recipe, nb::arg("token_pattern"), nb::arg("keep_case"),
           nb::arg("stop_words").none(), nb::arg("max_bins"), nb::arg("weighting").none(),
           nb::arg("condition").none(), nb::arg("normalize"), nb::arg("as_in_paper"),
           nb::arg("query_words").none(), nb::arg("own_points").none());
  nb::class_<Vocabulary>(module, "Vocabulary")
      .def_static("from_words", &from_words)
      .def("words", [](const Vocabulary& self) { return self.words().to_vector(); })
      .def("coordinates", [](const Vocabulary& self) {
        return shown(self.coordinates(), {self.size(), self.dimensions()});
      });
  module.def("read_vectors", [](const std::filesystem::path& path, bool normalize,
                                const std::optional<std::vector<std::string>>& words) {
    const nb::gil_scoped_release release;
    return read_vectors(path, normalize, words);
  });
  module.def("parse_stop_words", &listed);
  module.def("build_text", &build, nb::arg("documents"), nb::arg("vectors"), nb::arg("recipe"),
             nb::arg("progress").none());
  module.def("text_rows", &rows, nb::arg("index"), nb::arg("documents"), nb::arg("fields"),
             nb::arg("vectors").none(), nb::arg("replacing"), nb::arg("whole"),
             nb::arg("progress").none());
  auto type = nb::borrow<nb::class_<Handle>>(module.attr("Handle"));
  type.def("encode_texts", &encode_texts, nb::arg("texts"), nb::arg("known"));
  type.def_prop_ro("unknown", [](const Handle& self) { return self.unknown; });
  type.def_prop_ro("query_words", [](const Handle& self) {
    const nb::gil_scoped_release release;
    return self.index().beyond.vocabulary().words().to_vector();
  });
  type.def("with_query_words", &with_words, nb::arg("vectors"), nb::arg("texts").none());
}

}  // namespace navvy::python
