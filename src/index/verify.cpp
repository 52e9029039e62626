// Checks values that opening leaves to trust, since they take time in proportion to the index.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/properties.hpp"
#include "core/weighting.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

using core::property::get;

[[noreturn]] void disagree(const std::string& message) {
  throw Error(ErrorCode::damaged_index, "index: " + message);
}

void check_all_used(const Index& index) {
  if (index.rows.size() == 0) return;  // the vocabulary of rows that lie elsewhere
  std::vector<bool> used(index.vocabulary.size());
  for (const std::uint32_t coordinate : index.rows.coordinates()) used[coordinate] = true;
  for (std::size_t id = 0; id < used.size(); ++id)
    if (!used[id]) disagree("coordinate " + std::to_string(id) + " is used by no row");
}

void check_lengths(const Vocabulary& vocabulary) {
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    double squares = 0;
    for (const float value : vocabulary.coordinate(id))
      squares += static_cast<double>(value) * static_cast<double>(value);
    if (squares != 0 && !(std::abs(squares - 1) < 1e-5))
      disagree("coordinate " + std::to_string(id) + " ('" + std::string(vocabulary.word(id)) +
               "') has length " + std::to_string(std::sqrt(squares)) + ", expected 1");
  }
}

void check_weights(Index index) {
  core::complete_frequencies(index);
  const Histograms expected = core::weighed_anew(index);
  const auto& weights = index.rows.weights();
  if (!std::equal(expected.weights().begin(), expected.weights().end(), weights.begin(),
                  weights.end()))
    disagree("weights do not follow from the counts of words");
  const auto& masses = index.rows.masses();
  if (!masses.empty() &&
      !std::equal(expected.masses().begin(), expected.masses().end(), masses.begin(), masses.end()))
    disagree("masses of rows do not follow from the counts of words");
}

}  // namespace

void verify(const Index& index) {
  check_all_used(index);
  for (const Vocabulary& words : {index.vocabulary, index.beyond.vocabulary()})
    if (get(index, core::property::normalized) == "yes") check_lengths(words);
  const bool needs_counts = core::knows_collection(index);
  if (needs_counts != (index.counts.size() > 0) && index.rows.bins() > 0)
    disagree(needs_counts ? "counts of words are missing"
                          : "counts of words that no weights depend on");
  if (needs_counts) check_weights(index);
}

}  // namespace navvy
