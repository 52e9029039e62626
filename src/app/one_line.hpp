// Text that others wrote, made fit to be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace navvy::app {

/// True for all bytes of a character in UTF-8 but the first.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Text from a file, printable() and of at most `width` places: what exceeds them is cut with
/// "...".
std::string one_line(std::string_view text, std::size_t width);

}  // namespace navvy::app
