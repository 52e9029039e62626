// Puts rows of several indexes into one, as if they had been built at once.
#include "index/assemble.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/properties.hpp"
#include "core/weighting.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

// Where each coordinate of a source goes in the new vocabulary; meaningful for used ones only.
using Renumbering = std::vector<std::uint32_t>;

std::vector<bool> used_coordinates(const Selection& selection) {
  std::vector<bool> used(selection.source->vocabulary.size());
  for (const std::uint32_t row : selection.rows)
    for (const std::uint32_t coordinate : selection.source->rows[row].coordinates)
      used[coordinate] = true;
  return used;
}

// One used coordinate of one source.
struct Entry {
  std::uint32_t number;
  std::uint32_t source;
  std::uint32_t id;
};

std::vector<Entry> used_entries(std::span<const Selection> selections) {
  std::vector<Entry> entries;
  for (std::uint32_t source = 0; source < selections.size(); ++source) {
    const Vocabulary& vocabulary = selections[source].source->vocabulary;
    const std::vector<bool> used = used_coordinates(selections[source]);
    for (std::uint32_t id = 0; id < used.size(); ++id)
      if (used[id]) entries.push_back({vocabulary.number(id), source, id});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.number, a.source) < std::pair(b.number, b.source);
  });
  return entries;
}

void require_same(const Vocabulary& a, std::uint32_t a_id, const Vocabulary& b,
                  std::uint32_t b_id) {
  const auto x = a.coordinate(a_id);
  const auto y = b.coordinate(b_id);
  const std::string place = "coordinate number " + std::to_string(a.number(a_id));
  if (a.word(a_id) != b.word(b_id))
    throw Error(ErrorCode::bad_input, place + " is '" + std::string(a.word(a_id)) +
                                          "' in one index and '" + std::string(b.word(b_id)) +
                                          "' in the other; expected the same vectors in both");
  if (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size_bytes()) != 0)
    throw Error(ErrorCode::bad_input,
                place + (a.has_words() ? " ('" + std::string(a.word(a_id)) + "')" : "") +
                    " has other values in one index than in the other; "
                    "expected the same vectors in both");
}

// The same word under two numbers would be two coordinates.
void require_distinct(std::span<const std::string> words) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& word : words)
    if (!seen.insert(word).second)
      throw Error(ErrorCode::bad_input, "word '" + word +
                                            "' has one number in one index and another in the "
                                            "other; expected the same vectors in both");
}

struct JoinedVocabulary {
  Vocabulary vocabulary;
  std::vector<Renumbering> renumberings;
};

JoinedVocabulary join_vocabularies(std::span<const Selection> selections) {
  JoinedVocabulary joined;
  for (const Selection& selection : selections)
    joined.renumberings.emplace_back(selection.source->vocabulary.size());
  std::vector<float> coordinates;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> words;
  const Entry* last = nullptr;
  const std::vector<Entry> entries = used_entries(selections);
  for (const Entry& entry : entries) {
    const Vocabulary& vocabulary = selections[entry.source].source->vocabulary;
    if (last != nullptr && last->number == entry.number) {
      require_same(selections[last->source].source->vocabulary, last->id, vocabulary, entry.id);
    } else {
      const auto coordinate = vocabulary.coordinate(entry.id);
      coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
      numbers.push_back(entry.number);
      if (vocabulary.has_words()) words.emplace_back(vocabulary.word(entry.id));
      last = &entry;
    }
    joined.renumberings[entry.source][entry.id] = static_cast<std::uint32_t>(numbers.size() - 1);
  }
  require_distinct(words);
  joined.vocabulary =
      Vocabulary(selections.front().source->vocabulary.dimensions(), Array(std::move(coordinates)),
                 Array(std::move(numbers)), words.empty() ? Strings() : Strings(words));
  return joined;
}

void join_rows(std::span<const Selection> selections, std::span<const Renumbering> renumberings,
               Index& index) {
  const bool weigh_anew =
      core::property::get(*selections.front().source, core::property::weighting) ==
      to_string(Weighting::tfidf);
  core::CountRows rows;
  rows.vocabulary_size = index.vocabulary.size();
  std::vector<float> weights;
  for (std::size_t i = 0; i < selections.size(); ++i) {
    const Index& source = *selections[i].source;
    check_counts(source);  // it may have been put together in memory
    for (const std::uint32_t row : selections[i].rows) {
      const std::size_t first = source.rows.offsets()[row];
      const Histogram histogram = source.rows[row];
      for (const std::uint32_t coordinate : histogram.coordinates)
        rows.coordinates.push_back(renumberings[i][coordinate]);
      weights.insert(weights.end(), histogram.weights.begin(), histogram.weights.end());
      if (weigh_anew) {
        const auto counts = source.counts.span().subspan(first, histogram.size());
        rows.counts.insert(rows.counts.end(), counts.begin(), counts.end());
      }
      rows.offsets.push_back(rows.coordinates.size());
    }
  }
  if (weigh_anew) {
    index.rows = core::weigh(Weighting::tfidf, rows);
    index.counts = Array(std::move(rows.counts));
  } else {
    index.rows = Histograms(rows.vocabulary_size, Array(std::move(rows.offsets)),
                            Array(std::move(rows.coordinates)), Array(std::move(weights)));
  }
}

// The strings of one kind of all selected rows; sources without any count as empty strings, and no
// source with any gives none.
Strings join_strings(std::span<const Selection> selections, Strings Index::*member) {
  std::vector<std::string> joined;
  bool any = false;
  for (const Selection& selection : selections) {
    const Strings& strings = selection.source->*member;
    any = any || !strings.empty();
    for (const std::uint32_t row : selection.rows)
      joined.emplace_back(strings.empty() ? std::string_view() : strings[row]);
  }
  return any ? Strings(joined) : Strings();
}

void join_labels(std::span<const Selection> selections, Index& index) {
  std::vector<std::string> labels;
  bool any = false;
  for (const Selection& selection : selections)
    for (const std::uint32_t row : selection.rows) {
      labels.push_back(selection.source->label(row));
      any = any || !labels.back().empty();
    }
  if (any) set_labels(index, labels);
}

}  // namespace

Index assemble(std::span<const Selection> selections) {
  Index index;
  index.kind = selections.front().source->kind;
  index.properties = selections.front().source->properties;
  index.properties.erase(build_report_property);
  JoinedVocabulary joined = join_vocabularies(selections);
  index.vocabulary = std::move(joined.vocabulary);
  join_rows(selections, joined.renumberings, index);
  join_labels(selections, index);
  index.ids = join_strings(selections, &Index::ids);
  index.titles = join_strings(selections, &Index::titles);
  index.snippets = join_strings(selections, &Index::snippets);
  return index;
}

}  // namespace navvy::index
