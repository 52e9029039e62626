// The one list of characters that are not shown as they are, and what stands for them.
#include "navvy/printable.hpp"

#include <algorithm>
#include <cstddef>

namespace navvy {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  char32_t code = 0xFFFD;
  std::size_t length = 0;  // in bytes; 0 where the text begins with no character of UTF-8
};

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
