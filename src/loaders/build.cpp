// From images or histograms to the parts of an index.
#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "core/properties.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"

namespace navvy {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::bad_input, what); }

void check_images(const Images& images) {
  const std::uint64_t size = std::uint64_t{images.height} * images.width;
  const std::string what = std::to_string(images.count) + " images of " +
                           std::to_string(images.height) + "x" + std::to_string(images.width);
  if (images.channels != 1 && images.channels != 3) {
    fail(what + " with " + std::to_string(images.channels) + " channels, expected 1 or 3");
  }
  const std::uint64_t values = images.pixels.size() / images.channels;
  if (images.count == 0 || size == 0 || values / size != images.count || values % size != 0 ||
      images.pixels.size() % images.channels != 0) {
    fail(what + " do not fit " + std::to_string(values) + " pixels");
  }
  if (size > 0xffffffff / images.channels) fail(what + ", expected fewer than 2^32 values each");
}

// Of each image.
std::size_t values_of(const Images& images) {
  return std::size_t{images.height} * images.width * images.channels;
}

// Numbers of the pixels that become coordinates, ascending.
std::vector<std::uint32_t> used_pixels(const Images& images, ZeroBins zero_bins) {
  const std::size_t size = values_of(images);
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
  const std::size_t size = values_of(images);
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

// How the values of an image lie: lines of pixels, and pixels of channels.
struct Grid {
  std::uint32_t width = 0;
  std::uint32_t channels = 1;
  std::uint32_t channel_distance = 0;
};

// Pixels at integer coordinates (line, column), by number; of several channels, also their depth.
Vocabulary places_of(std::vector<std::uint32_t> numbers, const Grid& grid) {
  const std::size_t dimensions = grid.channels == 1 ? 2 : 3;
  std::vector<float> coordinates;
  coordinates.reserve(dimensions * numbers.size());
  for (const std::uint32_t number : numbers) {
    const std::uint32_t pixel = number / grid.channels;
    const std::uint32_t line = pixel / grid.width;
    coordinates.push_back(static_cast<float>(line));
    coordinates.push_back(static_cast<float>(pixel % grid.width));
    if (dimensions == 3)
      coordinates.push_back(static_cast<float>(number % grid.channels * grid.channel_distance));
  }
  return {dimensions, Array(std::move(coordinates)), Array(std::move(numbers))};
}

void call_images(Index& index, std::uint32_t height, std::uint32_t width, ZeroBins zero_bins) {
  index.kind = DataKind::images;
  index.properties[core::property::background] = zero_bins == ZeroBins::keep ? "kept" : "dropped";
  index.properties["height"] = std::to_string(height);
  index.properties["width"] = std::to_string(width);
}

// A property that is a number; files were looked through when they were opened.
std::uint32_t number_of(const Index& index, const char* key) {
  const std::string value = core::property::get(index, key);
  std::uint32_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
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

}  // namespace

Index index_images(const Images& images, ZeroBins zero_bins, std::uint32_t channel_distance) {
  constexpr std::uint32_t farthest = 65535;
  check_images(images);
  if (channel_distance == 0 || channel_distance > farthest)
    fail("channels " + std::to_string(channel_distance) + " pixels apart, expected 1 to 65535");
  std::vector<std::uint32_t> numbers = used_pixels(images, zero_bins);
  Index index;
  index.rows = image_rows(images, numbers, zero_bins);
  index.vocabulary =
      places_of(std::move(numbers), {images.width, images.channels, channel_distance});
  call_images(index, images.height, images.width, zero_bins);
  if (images.channels > 1)
    index.properties[core::property::channel_distance] = std::to_string(channel_distance);
  return index;
}

Index index_pixels(const Histograms& rows, std::uint32_t height, std::uint32_t width,
                   ZeroBins zero_bins) {
  const std::uint64_t size = std::uint64_t{height} * width;
  if (rows.vocabulary_size() != size || size > 0xffffffff) {
    fail("images of " + std::to_string(height) + "x" + std::to_string(width) +
         " do not fit rows over " + std::to_string(rows.vocabulary_size()) + " pixels");
  }
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0U);
  Index index = index_histograms(rows, places_of(std::move(numbers), {width}));
  call_images(index, height, width, zero_bins);
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
                          rows.weights(), rows.masses());
  return index;
}

void normalize_coordinates(Index& index) {
  index.vocabulary = normalized(index.vocabulary);
  index.properties[core::property::normalized] = "yes";
}

RowMaking making_of(const Index& index) {
  using core::property::get;
  RowMaking making;
  if (get(index, core::property::background) == "kept") making.zero_bins = ZeroBins::keep;
  making.normalized = get(index, core::property::normalized) == "yes";
  if (index.kind != DataKind::images) return making;
  making.width = number_of(index, "width");
  making.height = number_of(index, "height");
  making.pictures.invert = get(index, core::property::inverted) == "yes";
  making.pictures.colour = !get(index, core::property::channel_distance).empty();
  if (making.pictures.colour)
    making.pictures.channel_distance = number_of(index, core::property::channel_distance);
  if (get(index, core::property::resized) == "yes") {
    making.pictures.width = making.width;
    making.pictures.height = making.height;
  }
  return making;
}

}  // namespace navvy
