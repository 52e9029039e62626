// Checks values that opening leaves to trust, since they take time in proportion to the index.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/properties.hpp"
#include "core/weighting.hpp"
#include "index/segment.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

using core::property::get;

[[noreturn]] void disagree(const std::string& message) {
  throw Error(ErrorCode::damaged_index, "index: " + message);
}

void check_all_used(const Index& index) {
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
  index::complete_frequencies(index);
  const Histograms expected = core::weighed_anew(index.rows, index.counts.span(),
                                                 {index.documents, index.frequencies.span()});
  const auto& weights = index.rows.weights();
  if (!std::equal(expected.weights().begin(), expected.weights().end(), weights.begin(),
                  weights.end()))
    disagree("weights do not follow from the counts of words");
}

}  // namespace

void verify(const Index& index) {
  check_all_used(index);
  if (get(index, core::property::normalized) == "yes") check_lengths(index.vocabulary);
  const bool needs_counts = get(index, core::property::weighting) == "tfidf";
  if (needs_counts != (index.counts.size() > 0) && index.rows.bins() > 0)
    disagree(needs_counts ? "counts of words are missing"
                          : "counts of words without tfidf weights");
  if (needs_counts) check_weights(index);
}

}  // namespace navvy
