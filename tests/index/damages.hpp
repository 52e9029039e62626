#pragma once

#include <array>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "index/parts.hpp"

/// Damage to a file that was taken apart: every function changes one thing at random.
namespace navvy::test {

using Random = std::mt19937;

inline std::size_t below(Random& random, std::size_t end) {
  return random() % std::max<std::size_t>(end, 1);
}

template <class T>
void put_value(std::string& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof(value));
}

// Boundary values of the type that a section says it has, or of another.
inline void change_element(FileParts::Part& part, Random& random) {
  constexpr std::array<std::uint64_t, 12> integers = {0,
                                                      1,
                                                      2,
                                                      3,
                                                      6,
                                                      0x7fffffff,
                                                      0x80000000,
                                                      0xfffffffe,
                                                      0xffffffff,
                                                      0x7fffffffffffffff,
                                                      0xfffffffffffffff8,
                                                      0xffffffffffffffff};
  using Limits = std::numeric_limits<float>;
  constexpr std::array<float, 18> floats = {0.0F,
                                            -0.0F,
                                            1.0F,
                                            -1.0F,
                                            0.5F,
                                            1e-45F,
                                            Limits::min(),
                                            1e-22F,
                                            1e-15F,
                                            1e15F,
                                            1e18F,
                                            4.6e18F,
                                            6.5e18F,
                                            1e19F,
                                            3e38F,
                                            -3e38F,
                                            Limits::infinity(),
                                            Limits::quiet_NaN()};
  const std::size_t width = FileParts::width(part.section.element);
  if (part.bytes.size() < width) return;
  const std::size_t count = part.bytes.size() / width;
  const std::size_t place = below(random, count) * width;
  const std::uint64_t integer = integers[below(random, integers.size())];
  if (part.section.element == static_cast<std::uint32_t>(index::Element::f32))
    put_value(part.bytes, place, floats[below(random, floats.size())]);
  else
    std::memcpy(part.bytes.data() + place, &integer, width);
}

// Scales all coordinates, so that extremes stand beside each other.
inline void scale_elements(FileParts::Part& part, Random& random) {
  if (part.section.element != static_cast<std::uint32_t>(index::Element::f32)) return;
  constexpr std::array<float, 8> factors = {0, -1, 1e-20F, 1e-14F, 1e10F, 1e18F, 4e18F, 1e20F};
  const float factor = factors[below(random, factors.size())];
  for (std::size_t i = 0; i + 4 <= part.bytes.size(); i += 4) {
    float value = 0;
    std::memcpy(&value, part.bytes.data() + i, 4);
    put_value(part.bytes, i, value * factor);
  }
}

inline void swap_elements(FileParts::Part& part, Random& random) {
  const std::size_t width = FileParts::width(part.section.element);
  const std::size_t count = part.bytes.size() / width;
  if (count < 2) return;
  char* a = part.bytes.data() + below(random, count) * width;
  char* b = part.bytes.data() + below(random, count) * width;
  std::swap_ranges(a, a + (a == b ? 0 : width), b);
}

inline void change_section(FileParts& parts, Random& random) {
  if (parts.parts.empty()) return;
  const std::size_t place = below(random, parts.parts.size());
  FileParts::Part& part = parts.parts[place];
  const std::size_t width = FileParts::width(part.section.element);
  switch (below(random, 12)) {
    case 0:
      parts.parts.erase(parts.parts.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 1:
      part.bytes.clear();
      break;
    case 2:
      part.bytes.resize(part.bytes.size() - std::min(width, part.bytes.size()));
      break;
    case 3:
      part.bytes.append(width, '\0');
      break;
    case 4:
      part.bytes += part.bytes;
      break;
    case 5:
      std::swap(part.bytes, parts.parts[below(random, parts.parts.size())].bytes);
      break;
    case 6:
      parts.parts.insert(parts.parts.begin() + static_cast<std::ptrdiff_t>(place),
                         FileParts::Part(part));
      break;
    case 7:
      part.section.element = 1 + static_cast<std::uint32_t>(below(random, 7));
      break;
    case 8:
      swap_elements(part, random);
      break;
    case 9:
      scale_elements(part, random);
      break;
    default:
      change_element(part, random);
      break;
  }
}

inline std::vector<std::string> property_lines(FileParts& parts) {
  const auto* offsets = parts.find(index::Kind::property_offsets);
  const auto* bytes = parts.find(index::Kind::property_bytes);
  std::vector<std::string> lines;
  if (offsets == nullptr || bytes == nullptr) return lines;
  for (std::size_t i = 0; i + 16 <= offsets->bytes.size(); i += 8) {
    std::uint64_t ends[2];
    std::memcpy(ends, offsets->bytes.data() + i, sizeof(ends));
    if (ends[0] > ends[1] || ends[1] > bytes->bytes.size()) return lines;
    lines.push_back(bytes->bytes.substr(ends[0], ends[1] - ends[0]));
  }
  return lines;
}

// Adds, removes, changes or repeats a property.
inline void change_properties(FileParts& parts, Random& random) {
  static const std::vector<std::string> keys = {"weighting",    "tokens",
                                                "case",         "stop_words",
                                                "max_bins",     "normalized_vectors",
                                                "background",   "height",
                                                "width",        "encoding",
                                                "vectors",      "vectors_words",
                                                "build_report", "other",
                                                "condition",    ""};
  static const std::vector<std::string> values = {"tfidf",
                                                  "tf",
                                                  "log",
                                                  "bm25",
                                                  "sif",
                                                  "norm",
                                                  "",
                                                  "0",
                                                  "1",
                                                  "-1",
                                                  "4294967295",
                                                  "99999999999999999999",
                                                  "yes",
                                                  "no",
                                                  "kept",
                                                  "dropped",
                                                  "letters",
                                                  "(",
                                                  "lower",
                                                  "keep",
                                                  "\t\t",
                                                  "a=b",
                                                  "[[\"a\",\"b\"]]"};
  std::vector<std::string> lines = property_lines(parts);
  const std::string made =
      keys[below(random, keys.size())] + "=" + values[below(random, values.size())];
  const std::size_t place = below(random, lines.size());
  if (lines.empty() || below(random, 3) == 0)
    lines.push_back(made);
  else if (below(random, 2) == 0)
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place));
  else
    lines[place] = lines[place].substr(0, lines[place].find('=')) + made.substr(made.find('='));
  parts.put_properties(lines);
}

inline void change_head(FileParts& parts, Random& random) {
  constexpr std::array<std::uint64_t, 8> values = {0, 1, 2, 3, 4, 6, 65536, ~std::uint64_t{0}};
  const std::uint64_t value = values[below(random, values.size())];
  if (below(random, 2) == 0)
    parts.head.data_kind = static_cast<std::uint32_t>(value);
  else
    parts.head.dimensions = value;
}

// A field of head or table that does not follow from the others any more.
inline void change_structure(std::string& image, Random& random) {
  constexpr std::array<std::uint64_t, 9> values = {
      0, 1, 2, 64, 0x7fffffff, 0xffffffff, 0x7f800000, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  index::Head head{};
  std::memcpy(&head, image.data(), sizeof(head));
  const std::size_t end = sizeof(head) + head.sections * sizeof(index::Section);
  const std::size_t width = below(random, 2) == 0 ? 4 : 8;
  const std::uint64_t value = values[below(random, values.size())];
  std::memcpy(image.data() + below(random, end / width) * width, &value, width);
  correct_checksums(std::as_writable_bytes(std::span(image)));
}

}  // namespace navvy::test
