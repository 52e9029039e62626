// Characters of UTF-8, one after the other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace navvy::core {

struct Character {
  char32_t code = 0xFFFD;
  std::size_t length = 0;  ///< in bytes; 0 where the text begins with no character of UTF-8
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text);

/// All characters; U+FFFD stands for each byte that is part of none.
std::u32string to_utf32(std::string_view text);

}  // namespace navvy::core
