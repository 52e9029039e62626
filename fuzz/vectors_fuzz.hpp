#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loaders/vectors.hpp"
#include "text_fuzz.hpp"

namespace navvy::fuzz {

/// Takes every other word and checks what a loader promises about words and vectors.
class CheckingVisitor final : public loaders::VectorsVisitor {
 public:
  bool wants(std::uint32_t number, std::string_view word) override {
    if (number != next_++) std::abort();
    require_utf8(std::string(word));
    return number % 2 == 0;
  }
  void take(std::uint32_t number, std::string_view /*word*/,
            std::span<const float> vector) override {
    if (vector.empty() || (taken_ && number <= *taken_)) std::abort();
    taken_ = number;
    for (const float value : vector)
      if (!std::isfinite(value)) std::abort();
  }
  std::vector<std::string> missing() override { return {"zebra", "\xe6\x9c\xa8", ""}; }

 private:
  std::uint32_t next_ = 0;
  std::optional<std::uint32_t> taken_;
};

inline void scan(std::span<const std::byte> bytes) {
  const ProgressCallback nobody;
  core::Monitor monitor(nobody);
  CheckingVisitor visitor;
  try {
    loaders::InputStream stream("fuzz", bytes);
    loaders::scan_vectors(stream, visitor, monitor);
  } catch (const Error&) {
  }
}

}  // namespace navvy::fuzz
