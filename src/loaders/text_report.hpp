// The report of a build of texts.
#pragma once

#include <cstdint>
#include <span>

#include "loaders/text_collection.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

/// Tokens of all kinds; `words` says for each token of the collection what became of it. Words from
/// `first_own` on have points of their own, since they have no vector.
void count_tokens(const TextCollection& collection, std::span<const std::uint32_t> words,
                  std::uint32_t first_own, TextReport& report);

/// Labels, sizes of histograms and empty documents.
void describe_rows(const Index& index, TextReport& report);

/// Size of the vocabulary and duplicates.
void describe_whole(const Index& index, TextReport& report);

}  // namespace navvy::loaders
