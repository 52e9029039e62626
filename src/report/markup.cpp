// Elements and attributes as text, with everything from outside escaped.
#include "report/markup.hpp"

#include <fmt/core.h>

#include <cassert>
#include <cmath>
#include <utility>

#include "navvy/printable.hpp"

namespace navvy::report {
namespace {

// A line break after these would show as a space.
bool is_inline(std::string_view tag) {
  return tag == "bdi" || tag == "span" || tag == "b" || tag == "i" || tag == "code";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
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
