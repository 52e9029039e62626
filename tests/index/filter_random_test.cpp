// Random filters over random indexes against an evaluator that reads one row after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "navvy/filter.hpp"
#include "support/random_histograms.hpp"

namespace navvy {
namespace {

using test::chance;
using test::random_size;
using test::Rng;

// A filter as text, and what it means for a row.
struct Random {
  std::string text;
  std::function<bool(std::size_t row)> holds;
};

const std::vector<std::string> words = {"a", "b", "it's", "B", "\xc3\xa4", "a b", "10", "9", "or"};

std::string any_case(Rng& rng, std::string keyword) {
  if (chance(rng, 0.3))
    for (char& c : keyword)
      if (chance(rng, 0.5)) c = static_cast<char>(c - 'a' + 'A');
  return keyword;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string space(Rng& rng) { return chance(rng, 0.8) ? " " : "\t  "; }

Index random_index(Rng& rng) {
  const std::size_t n = random_size(rng, 1, 40);
  Index index;
  index.rows = Histograms(0, Array(std::vector<std::uint64_t>(n + 1)), {}, {});
  std::vector<std::int32_t> labels;
  std::vector<std::string> ids, texts;
  std::vector<double> numbers;
  std::vector<std::int64_t> dates;
  for (std::size_t row = 0; row < n; ++row) {
    labels.push_back(static_cast<std::int32_t>(random_size(rng, 0, words.size())) - 1);
    ids.push_back(words[row % words.size()] + std::to_string(row));
    texts.push_back(chance(rng, 0.3) ? "" : words[random_size(rng, 0, words.size() - 1)]);
    numbers.push_back(chance(rng, 0.3) ? std::numeric_limits<double>::quiet_NaN()
                                       : static_cast<double>(random_size(rng, 0, 6)) / 2 - 1);
    dates.push_back(chance(rng, 0.3) ? no_date
                                     : 43200 * static_cast<std::int64_t>(random_size(rng, 0, 6)));
  }
  if (chance(rng, 0.8)) {
    index.labels = Array(std::move(labels));
    index.label_names = Strings(words);
  }
  if (chance(rng, 0.7)) index.ids = Strings(ids);
  if (chance(rng, 0.7)) index.titles = Strings(texts);
  index.fields.push_back({"author", FieldType::text, Strings(texts), {}, {}});
  index.fields.push_back({"the year", FieldType::number, {}, Array(std::move(numbers)), {}});
  index.fields.push_back({"day", FieldType::date, {}, {}, Array(std::move(dates))});
  return index;
}

template <class T>
bool compared(const std::string& sign, const T& a, const T& b) {
  if (sign == "=" || sign == "==") return a == b;
  if (sign == "!=" || sign == "<>") return !(a == b);
  if (sign == "<") return a < b;
  if (sign == "<=") return !(b < a);
  if (sign == ">") return b < a;
  return !(a < b);
}

// A condition on a column: `value` gives nothing where it is missing, `literal` writes a value.
template <class T>
Random condition(Rng& rng, const std::string& name,
                 const std::function<std::optional<T>(std::size_t)>& value,
                 const std::function<std::pair<std::string, T>()>& literal) {
  const std::size_t kind = random_size(rng, 0, 5);
  if (kind == 0) {
    const bool missing = chance(rng, 0.5);
    return {name + space(rng) + any_case(rng, "is") + " " +
                (missing ? "" : any_case(rng, "not") + " ") + any_case(rng, "missing"),
            [=](std::size_t row) { return value(row).has_value() != missing; }};
  }
  if (kind == 1) {
    const bool in = chance(rng, 0.5);
    std::string text =
        name + space(rng) + (in ? "" : any_case(rng, "not") + " ") + any_case(rng, "in") + "(";
    std::vector<T> values;
    for (std::size_t i = random_size(rng, 1, 4); i > 0; --i) {
      auto [written, meant] = literal();
      text += written + (i > 1 ? "," : ")");
      values.push_back(std::move(meant));
    }
    return {text, [=](std::size_t row) {
              const auto found = value(row);
              return found &&
                     (std::find(values.begin(), values.end(), *found) != values.end()) == in;
            }};
  }
  const std::string sign =
      test::pick<const char*>(rng, {"=", "==", "!=", "<>", "<", "<=", ">", ">="});
  const auto [written, meant] = literal();
  const T wanted = meant;
  return {name + space(rng) + sign + written, [=](std::size_t row) {
            const auto found = value(row);
            return found && compared(sign, *found, wanted);
          }};
}

Random text_condition(Rng& rng, const std::string& name,
                      const std::function<std::string(std::size_t)>& value) {
  return condition<std::string>(
      rng, name,
      [=](std::size_t row) {
        const std::string found = value(row);
        return found.empty() ? std::nullopt : std::optional(found);
      },
      [&] {
        const std::string word = words[random_size(rng, 0, words.size() - 1)];
        const bool bare = chance(rng, 0.5) && word.find_first_of(" '") == word.npos && word != "or";
        return std::pair(bare ? word : quoted(word), word);
      });
}

Random random_condition(Rng& rng, const Index& index) {
  const auto number = [&] {
    const double value = static_cast<double>(random_size(rng, 0, 12)) / 2 - 2;
    return std::pair(chance(rng, 0.7) ? number_text(value) : quoted(number_text(value)), value);
  };
  const auto date = [&] {
    const auto value = 43200 * static_cast<std::int64_t>(random_size(rng, 0, 6));
    return std::pair(chance(rng, 0.7) ? date_text(value) : quoted(date_text(value)), value);
  };
  switch (random_size(rng, 0, 6)) {
    case 0:
      return text_condition(rng, "label", [&](std::size_t row) { return index.label(row); });
    case 1:
      return text_condition(rng, "id", [&](std::size_t row) { return index.id(row); });
    case 2:
      return text_condition(rng, "title", [&](std::size_t row) {
        return index.titles.empty() ? std::string() : std::string(index.titles[row]);
      });
    case 3:
      return text_condition(rng, "author",
                            [&](std::size_t row) { return index.fields[0].text(row); });
    case 4:
      return condition<double>(
          rng, "\"the year\"",
          [&](std::size_t row) {
            const double value = index.fields[1].numbers[row];
            return std::isnan(value) ? std::nullopt : std::optional(value);
          },
          number);
    case 5:
      return condition<std::int64_t>(
          rng, "day",
          [&](std::size_t row) {
            const std::int64_t value = index.fields[2].dates[row];
            return value == no_date ? std::nullopt : std::optional(value);
          },
          date);
    default:
      return condition<double>(
          rng, "row", [](std::size_t row) { return std::optional(static_cast<double>(row)); },
          number);
  }
}

// Levels: 0 is an `or`, 1 an `and`, 2 what they join; a lower one needs parentheses within a
// higher.
Random random_filter(Rng& rng, const Index& index, int level, int depth) {
  if (level < 2) {
    Random made = random_filter(rng, index, level + 1, depth);
    while (depth > 0 && chance(rng, 0.3)) {
      const Random more = random_filter(rng, index, level + 1, depth - 1);
      made = {made.text + space(rng) + any_case(rng, level == 0 ? "or" : "and") + " " + more.text,
              [=, first = made.holds, second = more.holds](std::size_t row) {
                return level == 0 ? first(row) || second(row) : first(row) && second(row);
              }};
    }
    return made;
  }
  if (depth > 0 && chance(rng, 0.2)) {
    const Random inner = random_filter(rng, index, 2, depth - 1);
    return {any_case(rng, "not") + " " + inner.text,
            [holds = inner.holds](std::size_t row) { return !holds(row); }};
  }
  if (depth > 0 && chance(rng, 0.3)) {
    const Random inner = random_filter(rng, index, 0, depth - 1);
    return {"(" + inner.text + ")", inner.holds};
  }
  return random_condition(rng, index);
}

TEST(Filter, LetsThroughWhatAPlainEvaluatorDoes) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Rng rng(seed);
    const Index index = random_index(rng);
    const Random filter = random_filter(rng, index, 0, 5);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t row = 0; row < index.rows.size(); ++row)
      if (filter.holds(row)) expected.push_back(row);
    ASSERT_EQ(rows_where(filter.text, index), expected) << seed << ": " << filter.text;
  }
}

}  // namespace
}  // namespace navvy
