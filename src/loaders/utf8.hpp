// Bytes, characters and case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "navvy/corpus.hpp"

namespace navvy::loaders {

/// The text as valid UTF-8. `broken` grows by the bytes that had to be replaced by U+FFFD.
std::string to_utf8(std::string_view bytes, Encoding encoding, std::uint64_t& broken);

/// Lower case character by character; composed (NFC), as vectors files have their words. `text` is
/// valid UTF-8.
std::string to_lower(std::string_view text);

/// Composed (NFC), with its case.
std::string to_composed(std::string_view text);

/// The first character in title case, the others as they are.
std::string to_capitalized(std::string_view text);

/// The length of the longest run at the beginning of `text` that has at most `characters`
/// characters.
std::size_t prefix_bytes(std::string_view text, std::size_t characters) noexcept;

}  // namespace navvy::loaders
