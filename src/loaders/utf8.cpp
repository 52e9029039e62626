// Repairs, folds and cuts text by characters.
#include "loaders/utf8.hpp"

#include <simdjson.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace navvy::loaders {
namespace {

const utf8proc_uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

void append(std::string& out, utf8proc_int32_t character) {
  utf8proc_uint8_t buffer[4];
  const auto length = utf8proc_encode_char(character, buffer);
  out.append(reinterpret_cast<const char*>(buffer), static_cast<std::size_t>(length));
}

std::string replace_broken(std::string_view bytes, std::uint64_t& broken) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    utf8proc_int32_t character = 0;
    const auto length =
        utf8proc_iterate(bytes_of(bytes), static_cast<utf8proc_ssize_t>(bytes.size()), &character);
    if (length > 0) {
      out.append(bytes.substr(0, static_cast<std::size_t>(length)));
      bytes.remove_prefix(static_cast<std::size_t>(length));
    } else {
      out.append("\xef\xbf\xbd");
      bytes.remove_prefix(1);
      ++broken;
    }
  }
  return out;
}

std::string from_latin1(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 16);
  for (const char c : bytes) append(out, static_cast<unsigned char>(c));
  return out;
}

// No character below U+0300 combines with the one before it.
bool may_need_composition(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0xcc; });
}

// Applies `change` to each character, which is given the place where it begins.
template <class Change>
std::string map_characters(std::string_view text, Change change) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t character = 0;
    const auto length = utf8proc_iterate(
        bytes_of(text) + at, static_cast<utf8proc_ssize_t>(text.size() - at), &character);
    append(out, change(character, at));
    at += static_cast<std::size_t>(length);
  }
  return out;
}

}  // namespace

std::string to_utf8(std::string_view bytes, Encoding encoding, std::uint64_t& broken) {
  if (encoding == Encoding::latin1) return from_latin1(bytes);
  if (simdjson::validate_utf8(bytes.data(), bytes.size())) return std::string(bytes);
  return replace_broken(bytes, broken);
}

std::string to_composed(std::string_view text) {
  if (!may_need_composition(text)) return std::string(text);
  utf8proc_uint8_t* raw = nullptr;
  const auto length =
      utf8proc_map(bytes_of(text), static_cast<utf8proc_ssize_t>(text.size()), &raw,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
  if (length < 0) return std::string(text);
  return {reinterpret_cast<const char*>(raw), static_cast<std::size_t>(length)};
}

std::string to_lower(std::string_view text) {
  if (is_ascii(text)) {
    std::string out(text);
    for (char& c : out)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    return out;
  }
  return to_composed(map_characters(
      text, [](utf8proc_int32_t character, std::size_t) { return utf8proc_tolower(character); }));
}

std::string to_capitalized(std::string_view text) {
  return map_characters(text, [](utf8proc_int32_t character, std::size_t at) {
    return at == 0 ? utf8proc_totitle(character) : character;
  });
}

std::size_t prefix_bytes(std::string_view text, std::size_t characters) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U;
    if (begins && characters-- == 0) break;
    ++at;
  }
  return at;
}

}  // namespace navvy::loaders
