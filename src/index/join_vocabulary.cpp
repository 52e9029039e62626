// Finds the coordinates that rows use in the segments that brought them.
#include "index/join_vocabulary.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/own_numbers.hpp"
#include "core/sort_unique.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

// One coordinate of one segment.
struct Place {
  std::uint32_t number;
  std::uint32_t segment;
  std::uint32_t id;
};

std::vector<Place> all_places(std::span<const Segment> segments) {
  std::vector<Place> places;
  for (std::uint32_t segment = 0; segment < segments.size(); ++segment) {
    const auto numbers = segments[segment].part.vocabulary.numbers().span();
    for (std::uint32_t id = 0; id < numbers.size(); ++id)
      places.push_back({numbers[id], segment, id});
  }
  // Sorted already where one segment brought all.
  const auto before = [](const Place& a, const Place& b) {
    return std::pair(a.number, a.segment) < std::pair(b.number, b.segment);
  };
  if (!std::ranges::is_sorted(places, before)) std::ranges::sort(places, before);
  return places;
}

void require_same(const Vocabulary& a, std::uint32_t a_id, const Vocabulary& b,
                  std::uint32_t b_id) {
  const auto x = a.coordinate(a_id);
  const auto y = b.coordinate(b_id);
  const std::string place = "coordinate number " + std::to_string(a.number(a_id));
  // Words without a vector that share a number share their point, whoever names it.
  if (a.number(a_id) < core::first_own_number && a.word(a_id) != b.word(b_id))
    throw Error(ErrorCode::bad_input, place + " is '" + std::string(a.word(a_id)) +
                                          "' in one index and '" + std::string(b.word(b_id)) +
                                          "' in the other; expected the same vectors in both");
  if (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size_bytes()) != 0)
    throw Error(ErrorCode::bad_input,
                place + (a.has_words() ? " ('" + std::string(a.word(a_id)) + "')" : "") +
                    " has other values in one index than in the other; "
                    "expected the same vectors in both");
  const auto length = [](const Vocabulary& vocabulary, std::uint32_t id) {
    return vocabulary.lengths().empty() ? -1 : vocabulary.lengths()[id];
  };
  if (length(a, a_id) != length(b, b_id))
    throw Error(ErrorCode::bad_input, place +
                                          " has another length in one index than in the other; "
                                          "expected the same vectors in both");
}

// The first place of each number, all places of one number being the same.
std::vector<Place> chosen_places(std::span<const Segment> segments,
                                 std::span<const std::uint32_t> numbers) {
  const std::vector<Place> places = all_places(segments);
  std::vector<Place> chosen;
  chosen.reserve(numbers.size());
  auto place = places.begin();
  for (const std::uint32_t number : numbers) {
    while (place != places.end() && place->number < number) ++place;
    if (place == places.end() || place->number != number)
      throw Error(ErrorCode::bad_input, "coordinate number " + std::to_string(number) +
                                            " is used by rows, but stands in no segment");
    chosen.push_back(*place);
    for (++place; place != places.end() && place->number == number; ++place)
      require_same(segments[chosen.back().segment].part.vocabulary, chosen.back().id,
                   segments[place->segment].part.vocabulary, place->id);
  }
  return chosen;
}

void mark_used(const Segment& segment, std::vector<std::uint8_t>& used) {
  const auto offsets = segment.part.rows.offsets().span();
  const auto coordinates = segment.part.rows.coordinates().span();
  for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
    for (std::uint64_t bin = offsets[begin]; bin < offsets[end]; ++bin) used[coordinates[bin]] = 1;
  });
}

}  // namespace

std::vector<std::uint32_t> used_numbers(std::span<const Segment> segments) {
  std::vector<std::uint32_t> numbers;
  for (const Segment& segment : segments) {
    std::vector<std::uint8_t> used(segment.references.size());
    mark_used(segment, used);
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i] != 0) numbers.push_back(segment.references[i]);
  }
  core::sort_unique(numbers);
  return numbers;
}

std::vector<std::uint32_t> own_numbers(std::span<const Segment> segments) {
  std::vector<std::uint32_t> numbers;
  for (const Segment& segment : segments) {
    const auto own = segment.part.vocabulary.numbers().span();
    numbers.insert(numbers.end(), own.begin(), own.end());
  }
  core::sort_unique(numbers);
  return numbers;
}

Renumbering renumbering(std::span<const std::uint32_t> references,
                        std::span<const std::uint32_t> numbers) {
  Renumbering places(references.size());
  std::size_t place = 0;
  for (std::size_t i = 0; i < references.size(); ++i) {
    // In growing steps: few references of many segments must not cost all numbers each time.
    std::size_t step = 1;
    while (place + step < numbers.size() && numbers[place + step] < references[i]) step *= 2;
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(place);
    const auto to =
        numbers.begin() + static_cast<std::ptrdiff_t>(std::min(place + step, numbers.size()));
    place = static_cast<std::size_t>(std::lower_bound(from, to, references[i]) - numbers.begin());
    places[i] = static_cast<std::uint32_t>(place);
  }
  return places;
}

void require_same_numbers(std::span<const Segment> segments) {
  chosen_places(segments, own_numbers(segments));
}

void require_distinct(const Strings& words) {
  std::unordered_set<std::string_view> seen;
  seen.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!seen.insert(words[i]).second)
      throw Error(ErrorCode::bad_input, "word '" + std::string(words[i]) +
                                            "' has one number in one index and another in the "
                                            "other; expected the same vectors in both");
}

Vocabulary join_vocabulary(std::span<const Segment> segments,
                           std::span<const std::uint32_t> numbers) {
  // Nothing to copy where the first segment has exactly these: edits rarely bring new words.
  const Vocabulary& first = segments.front().part.vocabulary;
  const std::vector<Place> places = chosen_places(segments, numbers);
  if (std::ranges::equal(first.numbers(), numbers)) return first;
  std::vector<float> coordinates;
  coordinates.reserve(numbers.size() * first.dimensions());
  std::vector<std::string> words;
  std::vector<float> lengths;
  bool with_words = false;
  for (const Place& place : places) {
    const Vocabulary& vocabulary = segments[place.segment].part.vocabulary;
    if (!vocabulary.lengths().empty()) lengths.push_back(vocabulary.lengths()[place.id]);
    const auto coordinate = vocabulary.coordinate(place.id);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
    with_words = with_words || vocabulary.has_words();
    words.emplace_back(vocabulary.word(place.id));
  }
  Strings names = with_words ? Strings(words) : Strings();
  require_distinct(names);
  return {first.dimensions(), Array(std::move(coordinates)),
          Array(std::vector(numbers.begin(), numbers.end())), std::move(names),
          Array(std::move(lengths))};
}

}  // namespace navvy::index
