// Streaming of word vectors: word2vec binary, word2vec and fastText text, GloVe text, fastText
// models.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "loaders/input.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

/// Who looks at each word of a vectors file and takes the vectors of some.
class VectorsVisitor {
 public:
  virtual ~VectorsVisitor() = default;
  /// Whether the vector of the word at place `number` is to be taken. Called for every word, in
  /// order; `word` is valid UTF-8.
  virtual bool wants(std::uint32_t number, std::string_view word) = 0;
  /// Called once for each word that was wanted, ascending by number; perhaps not before all words
  /// have been looked at.
  virtual void take(std::uint32_t number, std::string_view word, std::span<const float> vector) = 0;
  /// What a source is to make of parts of words, where it can: words, each once, that it does not
  /// have. Called after the last of `wants`. Of words that cannot stand side by side the first
  /// counts; those that are made are taken behind all others, without being asked for again.
  virtual std::vector<std::string> missing() { return {}; }
};

inline constexpr std::uint64_t max_dimensions = 65536;
inline constexpr std::size_t max_word_bytes = 1024;

/// Shows every word of the file to the visitor. Throws Error(bad_input) with the number of the
/// record or line. Only the numbers of vectors that are taken are read; of the others, only how
/// many there are.
VectorsReport scan_vectors(InputStream& stream, VectorsVisitor& visitor, core::Monitor& monitor);

/// The same with vectors at hand, as they are.
void visit(const Vocabulary& vectors, VectorsVisitor& visitor);

/// The first line of a word2vec file.
struct VectorsHead {
  std::uint64_t words = 0;
  std::uint64_t dimensions = 0;
  std::size_t bytes = 0;  ///< of the line and its end
};

/// One format each; `report` has the dimensions, and gets the rest.
void scan_binary_vectors(InputStream& stream, const VectorsHead& head, VectorsVisitor& visitor,
                         core::Monitor& monitor, VectorsReport& report);
/// `announced` is the number of words that the first line promises, and 0 where there is none.
void scan_text_vectors(InputStream& stream, std::uint64_t announced, VectorsVisitor& visitor,
                       core::Monitor& monitor, VectorsReport& report);
/// Beside the vectors that are taken this needs 8 bytes for each of their n-grams.
void scan_fasttext(InputStream& stream, VectorsVisitor& visitor, core::Monitor& monitor,
                   VectorsReport& report);

/// A word as valid UTF-8, in place where it is; otherwise repaired in `scratch` and counted.
std::string_view valid_word(std::string_view word, std::string& scratch, std::uint64_t& broken);

/// Reads one number that fills `text` wholly.
bool parse_number(std::string_view text, float& value) noexcept;

}  // namespace navvy::loaders
