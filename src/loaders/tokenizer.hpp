// From texts to tokens, and the forms in which they are looked up.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "navvy/text.hpp"

namespace navvy::loaders {

/// Receives the tokens of a text in order; a view holds until the call returns.
using TokenSink = std::function<void(std::string_view token)>;

/// Cuts texts into tokens as a recipe says. Safe to use from several threads.
class Tokenizer {
 public:
  /// Throws Error(usage) on a pattern that RE2 does not take.
  explicit Tokenizer(const TextRecipe& recipe);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  /// `text` is valid UTF-8.
  void split(std::string_view text, const TokenSink& sink) const;

 private:
  struct Pattern;  // keeps RE2 out of this header
  std::unique_ptr<const Pattern> pattern_;
  bool digits_;  // stand in tokens, where there is no pattern
  bool keep_case_;
};

/// Calls `use` with each form of a token under which a recipe looks it up, best first, until it
/// returns true; tells whether one did.
bool any_form(std::string_view token, bool keep_case,
              const std::function<bool(std::string_view form)>& use);

}  // namespace navvy::loaders
