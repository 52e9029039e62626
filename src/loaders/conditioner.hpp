// What the first words of a vectors file have in common, found on the way through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/moments.hpp"
#include "loaders/vectors.hpp"
#include "navvy/conditioning.hpp"
#include "navvy/text.hpp"

namespace navvy::loaders {

/// Shows another visitor all words, and sums up the vectors of the first ones, so that the file is
/// read once. These do not depend on the corpus: whatever is built with the same file is
/// conditioned alike, to the bit.
class Conditioner final : public VectorsVisitor {
 public:
  /// Words that count.
  static constexpr std::uint32_t first_words = 100000;

  Conditioner(VectorsVisitor& visitor, const TextRecipe& recipe)
      : visitor_(visitor), condition_(recipe.condition) {}

  bool wants(std::uint32_t number, std::string_view word) override;
  void take(std::uint32_t number, std::string_view word, std::span<const float> vector) override;
  std::vector<std::string> missing() override { return visitor_.missing(); }

  /// What the recipe takes from all vectors. Throws Error(usage) where that cannot be.
  [[nodiscard]] Conditioning conditioning();

 private:
  [[nodiscard]] bool suits(std::size_t dimensions) const;

  VectorsVisitor& visitor_;
  std::optional<std::uint32_t> condition_;
  // Of the first words, whether the visitor wants them: vectors may come after all words. Words
  // that are made of parts stand behind those of the file and depend on the corpus: not among them.
  std::vector<bool> wanted_;
  std::optional<core::Moments> moments_;
};

}  // namespace navvy::loaders
