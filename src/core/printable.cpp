// The one list of characters that are not shown as they are, and what stands for them.
#include "navvy/printable.hpp"

#include <algorithm>
#include <cstddef>

#include "core/characters.hpp"

namespace navvy {
namespace {

using core::Character;
using core::first_character;

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_plain(char c) { return c >= ' ' && c < 0x7F; }

// Whether a terminal or a browser would obey the character instead of showing it.
bool is_obeyed(char32_t code) {
  const auto within = [&](char32_t low, char32_t high) { return low <= code && code <= high; };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0x061C || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2066, 0x2069) || within(0xFFFE, 0xFFFF);
}

// The text with `replace` of each character that is obeyed, and U+FFFD for bytes that are none.
template <class Replace>
std::string replaced(std::string_view text, Replace replace) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto run = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) -
                                              text.begin());
    out += text.substr(0, run);
    text.remove_prefix(run);
    if (text.empty()) break;
    const Character next = first_character(text);
    if (next.length == 0) {
      out += replacement;
    } else if (is_obeyed(next.code)) {
      out += replace(next.code);
    } else {
      out += text.substr(0, next.length);
    }
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
  }
  return out;
}

// The pictures stand from U+2400 on in the order of what they show; that of delete is U+2421.
std::string picture(char32_t code) {
  if (code > 0x7F) return std::string(replacement);
  return {'\xE2', '\x90', static_cast<char>(0x80U + (code == 0x7F ? 0x21U : code))};
}

std::string reference(char32_t code) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) text += digits[(code >> shift) & 0xFU];
  return text;
}

}  // namespace

std::string printable(std::string_view text) { return replaced(text, picture); }

std::string printable_json(std::string_view document) { return replaced(document, reference); }

}  // namespace navvy
