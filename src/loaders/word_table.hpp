// The words of a vectors file that are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
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

  /// Wants the words among the first `count` of the source as well that `suits` lets through.
  void want_first(std::uint32_t count, std::function<bool(std::string_view word)> suits);

  /// Of the words that are wanted, a source that can make words of parts is asked for those of
  /// `known` that it does not have, and for those tokens that it has in no form (any_form). Both
  /// must outlive the reading.
  void make_of_parts(std::span<const std::string> tokens, bool keep_case,
                     const Vocabulary* known = nullptr);

  bool wants(std::uint32_t number, std::string_view word) override;
  void take(std::uint32_t number, std::string_view word, std::span<const float> vector) override;
  std::vector<std::string> missing() override;

  /// The place of a word that was wanted and found; `none` otherwise.
  [[nodiscard]] std::uint32_t place(std::string_view word) const;
  /// Gives a word a place behind those of all that were found.
  void set_place(std::string_view word, std::uint32_t place);
  [[nodiscard]] const std::vector<std::string>& first_words() const noexcept {
    return first_words_;
  }
  /// Wanted words that stood in the source once more.
  [[nodiscard]] std::uint64_t duplicates() const noexcept { return duplicates_; }

  /// The words that were found, in order of places. Hands them over: only places stay.
  Vocabulary vocabulary(std::size_t dimensions);

 private:
  // Stands for the place of a word that a source has or may make, and that is not taken yet.
  static constexpr std::uint32_t found = 0xfffffffe;

  std::uint32_t first_words_wanted_;
  Keep keep_;
  std::uint32_t first_taken_ = 0;
  std::function<bool(std::string_view)> suits_;
  std::vector<std::string> first_words_;
  WordMap places_;  // none: wanted, not found yet
  std::vector<std::uint32_t> numbers_;
  std::vector<std::string> words_;
  std::vector<float> vectors_;
  std::uint64_t duplicates_ = 0;
  std::span<const std::string> tokens_;
  const Vocabulary* known_ = nullptr;
  bool keep_case_ = false;
};

/// Some words of a vocabulary; ids ascend.
Vocabulary chosen_words(const Vocabulary& all, std::span<const std::uint32_t> ids);

/// The words of two vocabularies, by number; what both have is taken from the first.
Vocabulary joined_words(const Vocabulary& a, const Vocabulary& b);

}  // namespace navvy::loaders
