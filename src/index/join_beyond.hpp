// Words beyond the corpus: read when they are needed, and put together where indexes are.
#pragma once

#include <span>
#include <string>

#include "index/section_reader.hpp"
#include "index/segment.hpp"
#include "navvy/words_beyond.hpp"

namespace navvy::index {

/// Those of the first segment of a file, whose vocabulary is given. Nothing is read before they are
/// asked for; what is wrong with them is found then.
WordsBeyond take_beyond(const SectionReader& reader, const Vocabulary& vocabulary);

/// Those of all segments, with what their vocabularies have beyond `vocabulary`. Read and checked
/// when asked for: Error(bad_input) where a number or a word stands for two.
WordsBeyond join_beyond(std::span<const Segment> segments, const Vocabulary& vocabulary);

/// The same words, whose damage is told with the name of their file.
WordsBeyond named_beyond(const WordsBeyond& words, const std::string& name);

/// Throws Error(bad_input) where some of the coordinates are words beyond the corpus by number or
/// by name, but not by both and with the same vector.
void require_same_beyond(const Vocabulary& coordinates, const WordsBeyond& beyond);

}  // namespace navvy::index
