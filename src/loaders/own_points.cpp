// Gives words without a vector directions and numbers that follow from their letters.
#include "loaders/own_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/tokenizer.hpp"
#include "navvy/error.hpp"

namespace navvy::loaders {
namespace {

// SplitMix64, whose numbers are the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  // From -1 to 1 in steps that a double has.
  double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1p-52 - 1; }

 private:
  std::uint64_t state_;
};

// Near to a normal distribution, so that no direction is likelier than another.
double spread(Numbers& numbers) noexcept {
  return numbers.uniform() + numbers.uniform() + numbers.uniform() + numbers.uniform();
}

// FNV-1a of 64 bits.
std::uint64_t hash_of(std::string_view word) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : word) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3U;
  }
  return hash;
}

}  // namespace

std::uint32_t own_number(std::string_view word) noexcept {
  constexpr std::uint32_t end = 0xfffffffeU;
  return first_own_number + static_cast<std::uint32_t>(hash_of(word) % (end - first_own_number));
}

bool gives_own_points(const TextRecipe& recipe, const VectorsReport& vectors) noexcept {
  constexpr std::uint64_t fewest_words = 1000;
  constexpr std::uint64_t fewest_dimensions = 20;
  const bool suits = vectors.words >= fewest_words && vectors.dimensions >= fewest_dimensions;
  return recipe.own_points.value_or(recipe.normalize && suits);
}

void own_point(std::uint32_t number, std::span<float> out) {
  Numbers numbers(number);
  std::vector<double> values(out.size());
  double squares = 0;
  for (double& value : values) {
    value = spread(numbers);
    squares += value * value;
  }
  const double length = std::sqrt(squares);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = length > 0 ? static_cast<float>(values[i] / length) : 0.0F;
}

std::vector<std::string> without_vector(std::span<const std::string> tokens, bool keep_case,
                                        const Index* base, const WordTable& table) {
  std::vector<std::string> known;
  for (std::size_t id = 0; base != nullptr && id < base->vocabulary.size(); ++id)
    if (base->vocabulary.number(id) >= first_own_number)
      known.emplace_back(base->vocabulary.word(id));
  std::vector<std::string> others;
  for (const std::string& token : tokens) {
    const bool has_vector = any_form(token, keep_case, [&table](std::string_view form) {
      return table.place(form) != WordTable::none;
    });
    if (!has_vector) others.push_back(token);
  }
  std::ranges::sort(others);
  known.insert(known.end(), others.begin(), others.end());
  return known;
}

std::uint32_t first_own_place(const Vocabulary& words) noexcept {
  const auto numbers = words.numbers().span();
  return static_cast<std::uint32_t>(std::ranges::lower_bound(numbers, first_own_number) -
                                    numbers.begin());
}

Vocabulary with_own_points(const Vocabulary& found, const std::vector<std::string>& missing,
                           WordTable& table) {
  struct Own {
    std::uint32_t number = 0;
    std::uint32_t place = 0;
  };
  std::vector<Own> own;
  for (std::uint32_t place = 0; place < missing.size(); ++place)
    own.push_back({own_number(missing[place]), place});
  const auto key = [](const Own& each) { return std::pair(each.number, each.place); };
  std::ranges::sort(own, {}, key);

  if (found.size() > 0 && found.number(found.size() - 1) >= first_own_number)
    throw Error(ErrorCode::limit,
                "vectors of more than 2^31 words; expected fewer where words "
                "without a vector have points of their own");

  const std::size_t dimensions = found.dimensions();
  const auto known = found.coordinates().span();
  std::vector<float> coordinates(known.begin(), known.end());
  std::vector<std::uint32_t> numbers(found.numbers().begin(), found.numbers().end());
  std::vector<float> lengths(found.lengths().begin(), found.lengths().end());
  std::vector<std::string> words;
  for (std::size_t id = 0; id < found.size(); ++id) words.emplace_back(found.word(id));
  for (const Own& each : own) {
    const std::string& word = missing[each.place];
    if (numbers.empty() || numbers.back() != each.number) {
      coordinates.resize(coordinates.size() + dimensions);
      own_point(each.number, std::span(coordinates).last(dimensions));
      numbers.push_back(each.number);
      words.push_back(word);
    }
    table.set_place(word, static_cast<std::uint32_t>(numbers.size() - 1));
  }
  if (!lengths.empty()) lengths.resize(numbers.size(), 1.0F);
  return {dimensions, Array(std::move(coordinates)), Array(std::move(numbers)),
          words.empty() ? Strings() : Strings(words), Array(std::move(lengths))};
}

}  // namespace navvy::loaders
