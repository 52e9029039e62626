// Reads UTF-8 strictly: nothing that encodes a number twice, no surrogates.
#include "core/characters.hpp"

#include <algorithm>

namespace navvy::core {

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  // Second bytes that would encode a number twice, a surrogate or one beyond Unicode.
  const unsigned char second = byte(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? Character{} : Character{code, length};
}

std::u32string to_utf32(std::string_view text) {
  std::u32string codes;
  while (!text.empty()) {
    const Character next = first_character(text);
    codes += next.code;
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
  }
  return codes;
}

}  // namespace navvy::core
