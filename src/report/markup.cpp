// Elements and attributes as text, with everything from outside escaped.
#include "report/markup.hpp"

#include <fmt/core.h>

#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>

namespace navvy::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// The length of the UTF-8 character at the front of a text; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // Second bytes that would encode a number twice, a surrogate or one beyond Unicode.
  const unsigned char second = byte(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

// A line break after these would show as a space.
bool is_inline(std::string_view tag) {
  return tag == "bdi" || tag == "span" || tag == "b" || tag == "i" || tag == "code";
}

void append(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  const bool blank = c == '\t' || c == '\n' || c == '\r';
  const auto byte = static_cast<unsigned char>(c);
  if (blank) {
    out += c == '\r' ? ' ' : c;
  } else if (byte < 0x20 || byte == 0x7F) {
    out += replacement;
  } else {
    out += c;
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 1) {
      append(out, text.front());
    } else if (length == 0) {
      out += replacement;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string number(double value) {
  if (!std::isfinite(value)) value = 0;
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

void Markup::start(std::string_view tag, Attributes attributes) {
  out_ += fmt::format("<{}", tag);
  for (const Attribute& attribute : attributes) {
    out_ += fmt::format(" {}=\"{}\"", attribute.name, escaped(attribute.value));
  }
}

Markup& Markup::open(std::string_view tag, Attributes attributes) {
  start(tag, attributes);
  out_ += ">";
  open_.emplace_back(tag);
  return *this;
}

Markup& Markup::close() {
  assert(!open_.empty());
  out_ += fmt::format("</{}>", open_.back());
  if (!is_inline(open_.back())) out_ += '\n';
  open_.pop_back();
  return *this;
}

Markup& Markup::text(std::string_view text) {
  out_ += escaped(text);
  return *this;
}

Markup& Markup::element(std::string_view tag, Attributes attributes, std::string_view text) {
  return open(tag, attributes).text(text).close();
}

Markup& Markup::leaf(std::string_view tag, Attributes attributes) {
  start(tag, attributes);
  out_ += "/>\n";
  return *this;
}

Markup& Markup::raw(std::string_view markup) {
  out_ += markup;
  return *this;
}

std::string Markup::take() {
  assert(open_.empty());
  return std::exchange(out_, {});
}

}  // namespace navvy::report
