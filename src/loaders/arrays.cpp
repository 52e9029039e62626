// Histograms, coordinates and labels out of NumPy files and lists.
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "loaders/histograms.hpp"
#include "loaders/idx.hpp"
#include "navvy/loaders.hpp"

namespace navvy::loaders {
namespace {

void require_matrix(const NpyArray& array) {
  if (array.shape().size() != 2 || array.size() == 0) {
    array.fail("an array of shape " + to_string(array.shape()) +
               ", expected two dimensions, neither of them 0");
  }
  if (!array.is_number()) array.fail("type '" + array.type() + "', expected numbers");
  for (const std::uint64_t side : array.shape()) {
    if (side >= row_limit) {
      array.fail("shape " + to_string(array.shape()) + ", expected fewer than " +
                 std::to_string(row_limit) + " rows and columns");
    }
  }
}

[[noreturn]] void fail_at(const NpyArray& array, std::uint64_t row, std::uint64_t column,
                          double value, const std::string& expected) {
  array.fail("row " + std::to_string(row) + ", column " + std::to_string(column) + ": found " +
             shortest(value) + ", expected " + expected);
}

[[noreturn]] void fail_unknown(InputStream& input, const std::string& expected) {
  const std::span<const std::byte> found = input.peek(6);
  input.fail("byte 0: found " + hex(found) + ", expected " + expected);
}

// Labels and ids are shown on one line and stored as UTF-8.
void check_line(const InputStream& input, const std::string& text, std::uint64_t number) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') {
      input.fail("entry " + std::to_string(number) +
                 ": has control characters, expected plain text");
    }
  }
  if (!is_utf8(text)) input.fail("entry " + std::to_string(number) + ": is not UTF-8");
}

std::vector<std::string> array_labels(InputStream& input) {
  const NpyArray array(input);
  if (array.shape().size() != 1 || !(array.is_integer() || array.is_text())) {
    array.fail("shape " + to_string(array.shape()) + " of type '" + array.type() +
               "', expected one dimension of integers or strings");
  }
  std::vector<std::string> labels;
  labels.reserve(array.size());
  for (std::uint64_t i = 0; i < array.size(); ++i) {
    labels.push_back(array.text(i));
    check_line(input, labels.back(), i);
  }
  return labels;
}

std::vector<std::string> line_labels(InputStream& input) {
  constexpr std::size_t max_label = std::size_t{1} << 16;
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::vector<std::string> labels;
  std::string line;
  while (input.read_line(line, max_label)) {
    if (labels.empty() && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    check_line(input, line, labels.size());
    labels.push_back(line);
  }
  return labels;
}

// Labels that are numbers become the names that these have; an empty line is no name.
void name_labels(const InputStream& input, const std::vector<std::string>& names,
                 const std::string& file, std::vector<std::string>& labels) {
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::string& label = labels[row];
    std::uint64_t number = 0;
    const char* const end = label.data() + label.size();
    const auto [stop, error] = std::from_chars(label.data(), end, number);
    const std::string where = "entry " + std::to_string(row) + ": found '" + label + "', ";
    if (error == std::errc::invalid_argument || stop != end)
      input.fail(where + "expected the number of a name in " + file);
    if (error != std::errc() || number >= names.size() || names[number].empty())
      input.fail(where + "which has no name: " + file + " has " + std::to_string(names.size()) +
                 " lines, the first for number 0");
    label = names[number];
  }
}

std::vector<float> coordinate_values(const NpyArray& array) {
  require_matrix(array);
  const std::uint64_t columns = array.shape()[1];
  std::vector<float> values(array.size());
  for (std::uint64_t row = 0; row < array.shape()[0]; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      const double value = array.number(array.place(row, column));
      // Also refuses what is infinite as a float only, and NaN.
      if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
        fail_at(array, row, column, value, "a finite number in the range of float32");
      }
      values[row * columns + column] = static_cast<float>(value);
    }
  }
  return values;
}

void require_length(const NpyArray& array, std::uint64_t rows, bool is_type,
                    const std::string& what) {
  if (is_type && array.shape() == std::vector<std::uint64_t>{rows}) return;
  array.fail("shape " + to_string(array.shape()) + " of type '" + array.type() + "', expected " +
             std::to_string(rows) + " " + what + ", one per coordinate");
}

std::vector<std::uint32_t> coordinate_numbers(const NpyArray& array, std::uint64_t rows) {
  require_length(array, rows, array.is_integer(), "integers");
  std::vector<std::uint32_t> numbers;
  std::int64_t last = -1;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const std::int64_t number = array.integer(i);
    if (number <= last || number > std::numeric_limits<std::uint32_t>::max()) {
      array.fail("entry " + std::to_string(i) + ": found " + std::to_string(number) +
                 ", expected numbers that ascend, below 2^32");
    }
    numbers.push_back(static_cast<std::uint32_t>(number));
    last = number;
  }
  return numbers;
}

// What `navvy export` writes: with numbers, distances keep their bits, with words, their names.
Vocabulary exported_coordinates(const NpzFile& file) {
  const NpyArray array = file.get("coordinates");
  std::vector<float> values = coordinate_values(array);
  const std::uint64_t rows = array.shape()[0];
  std::vector<std::uint32_t> numbers;
  if (file.has("numbers")) numbers = coordinate_numbers(file.get("numbers"), rows);
  std::vector<std::string> words;
  if (file.has("words")) {
    const NpyArray texts = file.get("words");
    require_length(texts, rows, texts.is_text(), "texts");
    for (std::uint64_t i = 0; i < rows; ++i) words.push_back(texts.text(i));
  }
  return {array.shape()[1], Array(std::move(values)), Array(std::move(numbers)),
          words.empty() ? Strings() : Strings(words)};
}

}  // namespace

Histograms dense_histograms(const NpyArray& array, ZeroBins zero_bins) {
  require_matrix(array);
  const std::uint64_t columns = array.shape()[1];
  HistogramsBuilder builder(columns, zero_bins);
  std::vector<std::uint32_t> coordinates;
  std::vector<double> weights;
  for (std::uint64_t row = 0; row < array.shape()[0]; ++row) {
    coordinates.clear();
    weights.clear();
    for (std::uint64_t column = 0; column < columns; ++column) {
      const double weight = array.number(array.place(row, column));
      if (!std::isfinite(weight) || weight < 0) {
        fail_at(array, row, column, weight, "a finite number of at least 0");
      }
      if (weight == 0 && zero_bins == ZeroBins::drop) continue;
      coordinates.push_back(static_cast<std::uint32_t>(column));
      weights.push_back(weight);
    }
    builder.add(coordinates, weights);
  }
  return builder.build();
}

Histograms read_histograms(InputStream& input, ZeroBins zero_bins) {
  if (input.starts_with(npy_magic)) return dense_histograms(NpyArray(input), zero_bins);
  if (input.starts_with(zip_magic)) return sparse_histograms(NpzFile(input), zero_bins);
  fail_unknown(input, "a SciPy sparse matrix (.npz) or a NumPy array (.npy)");
}

Vocabulary read_coordinates(InputStream& input) {
  if (input.starts_with(zip_magic)) return exported_coordinates(NpzFile(input));
  if (!input.starts_with(npy_magic)) fail_unknown(input, "a NumPy array (.npy)");
  const NpyArray array(input);
  std::vector<float> values = coordinate_values(array);
  return {array.shape()[1], Array(std::move(values))};
}

std::vector<std::string> read_labels(InputStream& input) {
  if (input.starts_with(idx_labels_magic)) return read_idx_labels(input);
  if (input.starts_with(npy_magic)) return array_labels(input);
  if (input.starts_with(zip_magic) || input.starts_with(idx_images_magic)) {
    fail_unknown(input, "labels: an IDX file of one dimension, a .npy or text, one per line");
  }
  require_no_utf16(input);
  return line_labels(input);
}

}  // namespace navvy::loaders

namespace navvy {

std::vector<std::string> read_labels(const std::filesystem::path& path) {
  loaders::InputStream input(path);
  return loaders::read_labels(input);
}

std::vector<std::string> read_labels(const std::filesystem::path& path,
                                     const std::filesystem::path& names) {
  loaders::InputStream input(path);
  loaders::InputStream list(names);
  std::vector<std::string> labels = loaders::read_labels(input);
  loaders::name_labels(input, loaders::line_labels(list), list.name(), labels);
  return labels;
}

std::vector<std::string> read_labels(std::span<const std::byte> file) {
  loaders::InputStream input(loaders::bytes_name, file);
  return loaders::read_labels(input);
}

Vocabulary read_coordinates(const std::filesystem::path& path) {
  loaders::InputStream input(path);
  return loaders::read_coordinates(input);
}

Histograms read_histograms(const std::filesystem::path& path, ZeroBins zero_bins) {
  loaders::InputStream input(path);
  return loaders::read_histograms(input, zero_bins);
}

}  // namespace navvy
