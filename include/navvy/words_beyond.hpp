// Words that no row uses, with their vectors, for queries.
#pragma once

#include <functional>
#include <memory>

#include "navvy/vocabulary.hpp"

namespace navvy {

/// Words beyond the corpus of an index: queries may use them, rows do not. Those of a file are read
/// and checked when they are first asked for, so that who does not need them does not wait. Copies
/// share what was read; safe to use from several threads.
class WordsBeyond {
 public:
  WordsBeyond() = default;

  explicit WordsBeyond(Vocabulary words);
  /// `read` is called when they are first asked for; where it throws, the next who asks tries
  /// again.
  explicit WordsBeyond(std::function<Vocabulary()> read);

  /// Whether any are kept; this reads nothing. Those that are kept may be none.
  [[nodiscard]] bool kept() const noexcept { return parts_ != nullptr; }

  /// Empty where none are kept. Throws what reading throws: Error(damaged_index) for those of a
  /// file.
  [[nodiscard]] const Vocabulary& vocabulary() const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace navvy
