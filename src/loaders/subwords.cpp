// Numbers for words that stand in no list.
#include "loaders/subwords.hpp"

#include "loaders/own_points.hpp"

namespace navvy::loaders {

std::uint32_t number_of_made(std::string_view word, std::uint32_t words) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char letter : word) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3U;
  }
  return words + static_cast<std::uint32_t>(hash % (first_own_number - words));
}

}  // namespace navvy::loaders
