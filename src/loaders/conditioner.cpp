// Sums up the first vectors of a file.
#include "loaders/conditioner.hpp"

#include <string>

#include "navvy/error.hpp"

namespace navvy::loaders {

bool Conditioner::wants(std::uint32_t number, std::string_view word) {
  const bool wanted = visitor_.wants(number, word);
  if (number >= first_words) return wanted;
  wanted_.resize(number + std::size_t{1});
  wanted_[number] = wanted;
  return true;
}

// Sums take the square of the dimensions, in memory and for each word.
bool Conditioner::suits(std::size_t dimensions) const {
  constexpr std::size_t fewest = 20;  // fewer have little in common that may go
  constexpr std::size_t usual_most = 1024;
  constexpr std::size_t most = 4096;
  if (!condition_) return dimensions >= fewest && dimensions <= usual_most;
  if (dimensions > most)
    throw Error(ErrorCode::usage, "cannot condition vectors of " + std::to_string(dimensions) +
                                      " dimensions; expected at most " + std::to_string(most));
  return true;
}

void Conditioner::take(std::uint32_t number, std::string_view word, std::span<const float> vector) {
  const bool is_first = number < wanted_.size();
  if (is_first && suits(vector.size())) {
    if (!moments_) moments_.emplace(vector.size());
    moments_->add(vector);
  }
  if (!is_first || wanted_[number]) visitor_.take(number, word, vector);
}

Conditioning Conditioner::conditioning() {
  constexpr std::uint64_t fewest_words = 1000;
  if (!moments_ || (!condition_ && moments_->count() < fewest_words)) return {};
  return moments_->conditioning(condition_.value_or(usual_condition));
}

}  // namespace navvy::loaders
