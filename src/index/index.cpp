// What an index is made of: checks, labels, ids.

#include "navvy/index.hpp"

#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/coordinate_range.hpp"
#include "core/files.hpp"
#include "core/properties.hpp"
#include "core/weighting.hpp"
#include "index/format.hpp"
#include "index/segment.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

constexpr std::size_t max_dimensions = 65536;

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::bad_input, what); }

void check_count(std::size_t found, std::size_t rows, const std::string& what) {
  if (found != 0 && found != rows) {
    fail(std::to_string(found) + " " + what + " for " + std::to_string(rows) + " rows");
  }
}

void require_count(std::size_t found, std::size_t rows, const std::string& what) {
  if (found != rows) {
    fail(std::to_string(found) + " " + what + ", expected " + std::to_string(rows) +
         ", one per row");
  }
}

// Sorted by hash first, which is much faster than by text; equal texts end up side by side.
void check_unique(const Strings& strings, const std::string& what) {
  struct Entry {
    std::uint64_t hash;
    std::string_view text;
  };
  std::vector<Entry> entries(strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view text = strings[i];
    entries[i] = {XXH3_64bits(text.data(), text.size()), text};
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.text < b.text;
  });
  const auto twin = std::ranges::adjacent_find(
      entries, [](const Entry& a, const Entry& b) { return a.hash == b.hash && a.text == b.text; });
  if (twin != entries.end()) {
    fail(what + " '" + core::display_name(twin->text) + "' stands there twice, expected it once");
  }
}

void check_labels(const Index& index) {
  check_count(index.labels.size(), index.rows.size(), "labels");
  const auto names = static_cast<std::int64_t>(index.label_names.size());
  for (std::size_t row = 0; row < index.labels.size(); ++row) {
    if (index.labels[row] < -1 || index.labels[row] >= names) {
      fail("row " + std::to_string(row) + " has label " + std::to_string(index.labels[row]) +
           ", but there are " + std::to_string(names) + " names of labels");
    }
  }
  check_unique(index.label_names, "label");
}

// The contract of Histogram: weights sum to 1 or are all zero. The tolerance is far above what
// rounding a long row to float can do, far below what would change an answer.
void check_sums(const Histograms& rows) {
  constexpr double tolerance = 1e-3;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double sum = 0;
    for (const float weight : rows[row].weights) sum += static_cast<double>(weight);
    if (std::abs(sum - 1) > tolerance && sum != 0) {
      fail("row " + std::to_string(row) + ": weights sum to " + std::to_string(sum) +
           ", expected 1");
    }
  }
}

void check_properties(const Index& index) {
  for (const auto& [key, value] : index.properties) {
    if (key.empty() || key.find_first_of("=\n\r") != std::string::npos ||
        value.find_first_of("\n\r") != std::string::npos) {
      fail("property '" + core::display_name(key) +
           "': expected a key without '=' and a value, each on one line");
    }
  }
}

void check_fields(const Index& index) {
  if (index.fields.size() > index::most_fields) {
    fail(std::to_string(index.fields.size()) + " fields, expected at most " +
         std::to_string(index::most_fields));
  }
  std::vector<std::string> names;
  for (const Field& field : index.fields) {
    const std::string what = "field '" + core::display_name(field.name) + "'";
    if (field.name.empty() || field.name.find_first_of("\n\r") != std::string::npos) {
      fail(what + ": expected a name on one line");
    }
    // Texts that are all empty take no room, like other lists of strings.
    const bool none = field.type == FieldType::text && field.texts.empty();
    if (!none && field.size() != index.rows.size()) {
      fail(std::to_string(field.size()) + " values of " + what + " for " +
           std::to_string(index.rows.size()) + " rows");
    }
    names.push_back(field.name);
  }
  check_unique(Strings(names), "field");
}

// Whoever shows images reads line and column of every coordinate, and clients make queries of the
// size that the properties tell.
void check_images(const Index& index) {
  const std::size_t dimensions = index.vocabulary.dimensions();
  if (dimensions != 2 && dimensions != 3) {
    fail("images over coordinates of " + std::to_string(dimensions) +
         " dimensions, expected 2 (line and column) or 3 (and channel)");
  }
  std::vector<const char*> sizes = {"height", "width"};
  if (dimensions == 3) sizes.push_back(core::property::channel_distance);
  for (const char* key : sizes) {
    const std::string value = core::property::get(index, key);
    std::uint32_t size = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
    if (error != std::errc() || end != value.data() + value.size() || size == 0) {
      fail("images with property " + std::string(key) + " '" + core::display_name(value) +
           "', expected a positive number");
    }
  }
}

// The lengths of vectors say what words weigh under norm, and serve nobody else.
void check_lengths(const Index& index) {
  const bool needed = core::weighting_of(index) == Weighting::norm;
  if (needed && index.vocabulary.size() > 0 && index.vocabulary.lengths().empty()) {
    fail("weights by norm without the lengths of the vectors of words");
  }
}

// Whoever adds words to an index takes from their vectors what was taken from those that it has.
void check_conditioning(const Index& index) {
  if (index.kind != DataKind::text && index.conditioning.empty()) return;
  const std::size_t components = index.conditioning.components();
  const std::string told = core::property::get(index, core::property::condition);
  if (told != (components == 0 ? "" : std::to_string(components))) {
    fail("property condition is '" + core::display_name(told) + "', but " +
         std::to_string(components) + " components were taken from the vectors of words");
  }
  if (components > 0 && index.conditioning.dimensions() != index.vocabulary.dimensions()) {
    fail("a conditioning of " + std::to_string(index.conditioning.dimensions()) +
         " dimensions for coordinates of " + std::to_string(index.vocabulary.dimensions()));
  }
}

}  // namespace

void index::check_frequencies(const Index& index) {
  if (index.frequencies.empty()) return;
  if (index.frequencies.size() != index.vocabulary.size()) {
    fail(std::to_string(index.frequencies.size()) + " frequencies for " +
         std::to_string(index.vocabulary.size()) + " coordinates");
  }
  if (index.documents >= row_limit) {
    fail("weighed against " + std::to_string(index.documents) + " documents, expected fewer than " +
         std::to_string(row_limit));
  }
  const auto most = std::ranges::max_element(index.frequencies);
  const bool is_sif = core::weighting_of(index) == Weighting::sif;
  if (is_sif ? *most > index.tokens : *most > index.documents) {
    fail("a word in " + std::to_string(*most) + " of " +
         (is_sif ? std::to_string(index.tokens) + " tokens"
                 : std::to_string(index.documents) + " documents"));
  }
}

void index::check_making(const Index& index) {
  if (index.vocabulary.dimensions() > max_dimensions) {
    fail("coordinates have " + std::to_string(index.vocabulary.dimensions()) +
         " dimensions, expected at most " + std::to_string(max_dimensions));
  }
  check_frequencies(index);
  check_conditioning(index);
  check_lengths(index);
  check_properties(index);
}

void index::check_outline(const Index& index) {
  check_making(index);
  core::check_range(index.vocabulary);
  if (index.kind == DataKind::images) check_images(index);
}

void index::check_counts(const Index& index) {
  const std::size_t bins = index.rows.bins();
  const bool needed = core::knows_collection(index);
  if ((needed || !index.counts.empty()) && index.counts.size() != bins) {
    fail(std::to_string(index.counts.size()) + " counts for " + std::to_string(bins) +
         " bins, expected one for each");
  }
  if (!needed) return;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    if (index.counts[bin] == 0) {
      fail("bin " + std::to_string(bin) + " has count 0 under " +
           core::property::get(index, core::property::weighting) + ", expected at least 1");
    }
  }
}

std::string Index::id(std::size_t row) const {
  return ids.empty() ? std::to_string(row) : std::string(ids[row]);
}

std::string Index::label(std::size_t row) const {
  if (labels.empty() || labels[row] < 0) return {};
  return std::string(label_names[static_cast<std::size_t>(labels[row])]);
}

std::string to_string(DataKind kind) {
  switch (kind) {
    case DataKind::histograms:
      return "histograms";
    case DataKind::images:
      return "images";
    case DataKind::text:
      return "text";
  }
  return "unknown";
}

void index::check_parts(const Index& index, std::size_t coordinates) {
  const std::size_t rows = index.rows.size();
  if (rows >= row_limit) {
    fail(std::to_string(rows) + " rows, expected fewer than " + std::to_string(row_limit));
  }
  check_making(index);
  if (index.rows.vocabulary_size() != coordinates) {
    fail("rows refer to " + std::to_string(index.rows.vocabulary_size()) +
         " coordinates, but the vocabulary has " + std::to_string(coordinates));
  }
  index::check_counts(index);
  check_sums(index.rows);
  check_labels(index);
  check_count(index.ids.size(), rows, "ids");
  check_count(index.titles.size(), rows, "titles");
  check_count(index.snippets.size(), rows, "snippets");
  check_fields(index);
}

void validate(const Index& index) {
  index::check_parts(index, index.vocabulary.size());
  index::check_outline(index);
  check_unique(index.ids, "id");
}

void set_labels(Index& index, const std::vector<std::string>& labels) {
  require_count(labels.size(), index.rows.size(), "labels");
  std::unordered_map<std::string_view, std::int32_t> places;
  std::vector<std::string> names;
  std::vector<std::int32_t> numbers;
  numbers.reserve(labels.size());
  for (const std::string& label : labels) {
    if (label.empty()) {
      numbers.push_back(-1);
      continue;
    }
    const auto [place, added] = places.emplace(label, static_cast<std::int32_t>(names.size()));
    if (added) names.push_back(label);
    numbers.push_back(place->second);
  }
  Index labelled = index;
  labelled.label_names = Strings(names);
  labelled.labels = Array(std::move(numbers));
  validate(labelled);
  index = std::move(labelled);
}

void set_ids(Index& index, const std::vector<std::string>& ids) {
  require_count(ids.size(), index.rows.size(), "ids");
  Index named = index;
  named.ids = Strings(ids);
  validate(named);
  index = std::move(named);
}

void set_fields(Index& index, std::vector<Field> fields) {
  Index described = index;
  described.fields = std::move(fields);
  validate(described);
  index = std::move(described);
}

}  // namespace navvy
