// The words of a vectors file that are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/text_collection.hpp"
#include "loaders/vectors.hpp"

namespace navvy::loaders {

/// Which words of a source a table takes.
enum class Keep { wanted, all };

/// Words that someone asks for, with the vectors that a source has for them. Places of words ascend
/// with their numbers.
class WordTable final : public VectorsVisitor {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Remembers the first words of the source as well.
  explicit WordTable(std::uint32_t first_words, Keep keep = Keep::wanted)
      : first_words_wanted_(first_words), keep_(keep) {}

  void want(std::string_view word);

  bool wants(std::uint32_t number, std::string_view word) override;
  void take(std::uint32_t number, std::string_view word, std::span<const float> vector) override;

  /// Takes the wanted words of a vocabulary, its vectors as they are.
  void take_from(const Vocabulary& vocabulary);

  /// The place of a word that was wanted and found; `none` otherwise.
  [[nodiscard]] std::uint32_t place(std::string_view word) const;
  [[nodiscard]] const std::vector<std::string>& first_words() const noexcept {
    return first_words_;
  }
  /// Wanted words that stood in the source once more.
  [[nodiscard]] std::uint64_t duplicates() const noexcept { return duplicates_; }

  /// The words that were found, in order of places. Hands them over: only places stay.
  Vocabulary vocabulary(std::size_t dimensions);

 private:
  std::uint32_t first_words_wanted_;
  Keep keep_;
  std::vector<std::string> first_words_;
  WordMap places_;  // none: wanted, not found yet
  std::vector<std::uint32_t> numbers_;
  std::vector<std::string> words_;
  std::vector<float> vectors_;
  std::uint64_t duplicates_ = 0;
};

}  // namespace navvy::loaders
