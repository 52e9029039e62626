// Index files made by a generator that damages every field and corrects the checksums: what is
// refused is refused with a line, and on what is accepted every verb of the library works.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <random>

#include "core/weighting.hpp"
#include "index/examples.hpp"
#include "index/parts.hpp"
#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"
#include "navvy/search.hpp"
#include "navvy/text.hpp"
#include "support/effort.hpp"

namespace navvy {
namespace {

using test::FileParts;
using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end) {
  return random() % std::max<std::size_t>(end, 1);
}

template <class T>
void put_value(std::string& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof(value));
}

// Texts under tfidf with a whole recipe, images, and plain histograms.
std::vector<std::string> sound_files() {
  Index text = test::full_index();
  text.properties = {{"weighting", "tfidf"}, {"tokens", "letters"},  {"case", "lower"},
                     {"stop_words", "the"},  {"max_bins", "500"},    {"normalized_vectors", "no"},
                     {"encoding", "utf8"},   {"build_report", "[]"}, {"vectors_words", "3"}};
  core::CountRows counts;
  counts.vocabulary_size = 3;
  counts.offsets = {0, 2, 3, 3, 6};
  counts.coordinates = {0, 1, 2, 0, 1, 2};
  counts.counts = {1, 3, 5, 1, 1, 1};
  text.rows = core::weigh(Weighting::tfidf, counts);
  Images pictures;
  pictures.count = 4;
  pictures.height = 2;
  pictures.width = 3;
  pictures.pixels = {0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 1, 1};
  Index plain = test::full_index();
  plain.kind = DataKind::histograms;
  plain.properties = {};
  return {test::image_of(text), test::image_of(index_images(pictures, ZeroBins::drop)),
          test::image_of(index_images(pictures, ZeroBins::keep)), test::image_of(plain)};
}

// Boundary values of the type that a section says it has, or of another.
void change_element(FileParts::Part& part, Random& random) {
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
void scale_elements(FileParts::Part& part, Random& random) {
  if (part.section.element != static_cast<std::uint32_t>(index::Element::f32)) return;
  constexpr std::array<float, 8> factors = {0, -1, 1e-20F, 1e-14F, 1e10F, 1e18F, 4e18F, 1e20F};
  const float factor = factors[below(random, factors.size())];
  for (std::size_t i = 0; i + 4 <= part.bytes.size(); i += 4) {
    float value = 0;
    std::memcpy(&value, part.bytes.data() + i, 4);
    put_value(part.bytes, i, value * factor);
  }
}

void swap_elements(FileParts::Part& part, Random& random) {
  const std::size_t width = FileParts::width(part.section.element);
  const std::size_t count = part.bytes.size() / width;
  if (count < 2) return;
  char* a = part.bytes.data() + below(random, count) * width;
  char* b = part.bytes.data() + below(random, count) * width;
  std::swap_ranges(a, a + (a == b ? 0 : width), b);
}

void change_section(FileParts& parts, Random& random) {
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
      part.section.element = 1 + static_cast<std::uint32_t>(below(random, 5));
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

std::vector<std::string> property_lines(FileParts& parts) {
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
void change_properties(FileParts& parts, Random& random) {
  static const std::vector<std::string> keys = {
      "weighting",    "tokens", "case",  "stop_words", "max_bins", "normalized_vectors",
      "background",   "height", "width", "encoding",   "vectors",  "vectors_words",
      "build_report", "other",  ""};
  static const std::vector<std::string> values = {"tfidf",
                                                  "tf",
                                                  "log",
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

void change_head(FileParts& parts, Random& random) {
  constexpr std::array<std::uint64_t, 8> values = {0, 1, 2, 3, 4, 6, 65536, ~std::uint64_t{0}};
  const std::uint64_t value = values[below(random, values.size())];
  if (below(random, 2) == 0)
    parts.head.data_kind = static_cast<std::uint32_t>(value);
  else
    parts.head.dimensions = value;
}

// A field of head or table that does not follow from the others any more.
void change_structure(std::string& image, Random& random) {
  constexpr std::array<std::uint64_t, 9> values = {
      0, 1, 2, 64, 0x7fffffff, 0xffffffff, 0x7f800000, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  index::Head head{};
  std::memcpy(&head, image.data(), sizeof(head));
  const std::size_t end = sizeof(head) + head.sections * sizeof(index::Section);
  const std::size_t width = below(random, 2) == 0 ? 4 : 8;
  const std::uint64_t value = values[below(random, values.size())];
  std::memcpy(image.data() + below(random, end / width) * width, &value, width);
  test::correct_checksums(std::as_writable_bytes(std::span(image)));
}

std::string damaged(const std::string& sound, Random& random) {
  FileParts parts(sound);
  const std::size_t changes = 1 + below(random, 3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t choice = below(random, 6);
    if (choice == 0)
      change_head(parts, random);
    else if (choice <= 2)
      change_properties(parts, random);
    else
      change_section(parts, random);
  }
  std::string image = parts.image();
  if (below(random, 8) == 0) change_structure(image, random);
  return image;
}

void expect_searches(const Index& index, const Measure& measure) {
  const Searcher searcher(index, "cpu");
  const std::size_t rows = index.rows.size();
  SearchOptions options;
  options.question.measure = measure;
  options.run.threads = 1;
  options.top = rows;
  std::vector<float> matrix(rows * rows);
  searcher.distances({0, rows, 0, rows}, options.question, options.run,
                     [&](std::size_t first, std::size_t, std::span<const float> values) {
                       std::ranges::copy(
                           values, matrix.begin() + static_cast<std::ptrdiff_t>(first * rows));
                     });
  const Matches all = searcher.knn(options);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (is_empty(index.rows[row])) continue;
    const Matches one = searcher.search_rows(std::span(&row, 1), options);
    ASSERT_EQ(one[0].size(), all[row].size());
    for (std::size_t rank = 0; rank < one[0].size(); ++rank) {
      const double found = one[0][rank].distance;
      const auto other = static_cast<std::size_t>(one[0].row(rank));
      ASSERT_TRUE(std::isfinite(found));
      ASSERT_EQ(found, all[row][rank].distance);
      ASSERT_EQ(static_cast<float>(found), matrix[row * rows + other]) << to_string(measure);
    }
  }
}

// A verb may refuse, with a line.
template <class Verb>
void attempt(const Verb& verb) {
  try {
    verb();
  } catch (const Error& error) {
    ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

void expect_edits(const Index& index) {
  attempt([&] { verify(index); });
  attempt([&] { (void)duplicate_rows(index); });
  attempt([&] { (void)merged(index, index); });
  attempt([&] {
    Index copy = index;
    (void)extend(copy, index.vocabulary);
  });
  attempt([&] { (void)open_index(Array(to_bytes(index))); });
  if (index.rows.size() > 0) {
    attempt([&] {
      const std::string id = index.id(0);
      const Index rest = removed(index, std::span(&id, 1));
      const Index again = open_index(Array(to_bytes(rest)));
      ASSERT_EQ(again.rows.size() + 1, index.rows.size());
      (void)merged(rest, rest);
    });
  }
  if (index.kind == DataKind::text)
    attempt([&] { (void)TextEncoder(index).encode("earth moves the navvy"); });
}

void use(const Index& index, Random& random) {
  static const std::vector<Measure> measures = {
      {MeasureKind::rwmd}, {MeasureKind::omr}, {MeasureKind::act, 2}, {MeasureKind::ict},
      {MeasureKind::bow},  {MeasureKind::wcd}, {MeasureKind::emd}};
  expect_edits(index);
  if (index.rows.size() == 0) return;
  expect_searches(index, measures[below(random, measures.size())]);
}

TEST(HostileIndex, WhatIsAcceptedServesEveryVerb) {
  const std::vector<std::string> sound = sound_files();
  Random random(17);
  for (const std::string& image : sound) use(test::read_image(image), random);
  const std::size_t trials = test::thorough() ? 1000000 : test::sanitized ? 4000 : 10000;
  std::size_t accepted = 0;
  std::size_t used = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::string image = damaged(sound[trial % sound.size()], random);
    Index index;
    try {
      index = test::read_image(image);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::damaged_index) << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      continue;
    }
    // Verbs take far longer than opening: of a million files a fifth of those accepted is enough.
    if (accepted++ % (test::thorough() ? 5 : 1) != 0) continue;
    ++used;
    use(index, random);
    if (HasFailure()) return;
  }
  RecordProperty("opened", static_cast<int>(trials));
  RecordProperty("accepted", static_cast<int>(accepted));
  std::cout << trials << " damaged files opened, " << accepted << " accepted, verbs run on " << used
            << "\n";
  EXPECT_GT(accepted, trials / 50);
}

}  // namespace
}  // namespace navvy
