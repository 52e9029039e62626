#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "navvy/error.hpp"
#include "navvy/loaders.hpp"

namespace navvy {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::bad_input, what); }

void check_images(const Images& images) {
  const std::uint64_t size = std::uint64_t{images.height} * images.width;
  const std::string what = std::to_string(images.count) + " images of " +
                           std::to_string(images.height) + "x" + std::to_string(images.width);
  if (images.count == 0 || size == 0 || images.pixels.size() / size != images.count ||
      images.pixels.size() % size != 0) {
    fail(what + " do not fit " + std::to_string(images.pixels.size()) + " pixels");
  }
  if (size > 0xffffffff) fail(what + ", expected images of fewer than 2^32 pixels");
}

// Numbers of the pixels that become coordinates, ascending.
std::vector<std::uint32_t> used_pixels(const Images& images, ZeroBins zero_bins) {
  const std::size_t size = std::size_t{images.height} * images.width;
  std::vector<std::uint8_t> used(size, zero_bins == ZeroBins::keep ? 1 : 0);
  if (zero_bins == ZeroBins::drop) {
    for (std::size_t i = 0; i < images.pixels.size(); i += size) {
      for (std::size_t p = 0; p < size; ++p) used[p] |= images.pixels[i + p];
    }
  }
  std::vector<std::uint32_t> numbers;
  for (std::size_t p = 0; p < size; ++p) {
    if (used[p] != 0) numbers.push_back(static_cast<std::uint32_t>(p));
  }
  return numbers;
}

Histograms image_rows(const Images& images, const std::vector<std::uint32_t>& numbers,
                      ZeroBins zero_bins) {
  const std::size_t size = std::size_t{images.height} * images.width;
  HistogramsBuilder builder(numbers.size(), zero_bins);
  std::vector<std::uint32_t> coordinates;
  std::vector<double> weights;
  for (std::size_t i = 0; i < images.pixels.size(); i += size) {
    coordinates.clear();
    weights.clear();
    for (std::size_t id = 0; id < numbers.size(); ++id) {
      const std::uint8_t value = images.pixels[i + numbers[id]];
      if (value == 0 && zero_bins == ZeroBins::drop) continue;
      coordinates.push_back(static_cast<std::uint32_t>(id));
      weights.push_back(value);
    }
    builder.add(coordinates, weights);
  }
  return builder.build();
}

constexpr std::uint32_t unused = 0xffffffff;

// For every coordinate its new id, or `unused`.
std::vector<std::uint32_t> used_ids(const Histograms& rows) {
  std::vector<std::uint32_t> ids(rows.vocabulary_size(), unused);
  for (const std::uint32_t coordinate : rows.coordinates()) ids[coordinate] = 0;
  std::uint32_t next = 0;
  for (std::uint32_t& id : ids) {
    if (id != unused) id = next++;
  }
  return ids;
}

Vocabulary selected(const Vocabulary& vocabulary, const std::vector<std::uint32_t>& ids) {
  std::vector<float> values;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> words;
  for (std::size_t id = 0; id < ids.size(); ++id) {
    if (ids[id] == unused) continue;
    const auto coordinate = vocabulary.coordinate(id);
    values.insert(values.end(), coordinate.begin(), coordinate.end());
    numbers.push_back(vocabulary.number(id));
    if (vocabulary.has_words()) words.emplace_back(vocabulary.word(id));
  }
  return {vocabulary.dimensions(), Array(std::move(values)), Array(std::move(numbers)),
          Strings(words)};
}

void check_count(const Index& index, std::size_t found, const std::string& what) {
  if (found != index.rows.size()) {
    fail(std::to_string(found) + " " + what + ", expected " + std::to_string(index.rows.size()) +
         ", one per row");
  }
}

}  // namespace

Index index_images(const Images& images, ZeroBins zero_bins) {
  check_images(images);
  std::vector<std::uint32_t> numbers = used_pixels(images, zero_bins);
  std::vector<float> coordinates;
  coordinates.reserve(2 * numbers.size());
  for (const std::uint32_t number : numbers) {
    const auto line = number / images.width;
    coordinates.push_back(static_cast<float>(line));
    coordinates.push_back(static_cast<float>(number % images.width));
  }
  Index index;
  index.kind = DataKind::images;
  index.rows = image_rows(images, numbers, zero_bins);
  index.vocabulary = Vocabulary(2, Array(std::move(coordinates)), Array(std::move(numbers)));
  index.properties = {{"background", zero_bins == ZeroBins::keep ? "kept" : "dropped"},
                      {"height", std::to_string(images.height)},
                      {"width", std::to_string(images.width)}};
  return index;
}

Index index_histograms(const Histograms& rows, const Vocabulary& coordinates) {
  if (rows.vocabulary_size() != coordinates.size()) {
    fail("histograms over " + std::to_string(rows.vocabulary_size()) + " coordinates do not fit " +
         std::to_string(coordinates.size()) + " coordinates");
  }
  Index index;
  const std::vector<std::uint32_t> ids = used_ids(rows);
  if (std::ranges::find(ids, unused) == ids.end()) {
    index.vocabulary = coordinates;
    index.rows = rows;
    return index;
  }
  index.vocabulary = selected(coordinates, ids);
  std::vector<std::uint32_t> renumbered(rows.bins());
  std::ranges::transform(rows.coordinates(), renumbered.begin(),
                         [&](std::uint32_t coordinate) { return ids[coordinate]; });
  index.rows = Histograms(index.vocabulary.size(), rows.offsets(), Array(std::move(renumbered)),
                          rows.weights());
  return index;
}

void set_labels(Index& index, const std::vector<std::string>& labels) {
  check_count(index, labels.size(), "labels");
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
  check_count(index, ids.size(), "ids");
  Index named = index;
  named.ids = Strings(ids);
  validate(named);
  index = std::move(named);
}

}  // namespace navvy
