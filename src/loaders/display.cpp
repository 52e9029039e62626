// Titles and snippets: what is shown of a text.
#include <algorithm>
#include <string>

#include "loaders/corpus.hpp"
#include "loaders/utf8.hpp"

namespace navvy::loaders {
namespace {

constexpr std::size_t title_characters = 100;
constexpr std::size_t snippet_characters = 160;

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }

// Single spaces instead of blanks and control characters; cut with "..." beyond `characters`.
std::string one_line(std::string_view text, std::size_t characters) {
  std::string line;
  // Four bytes are the longest character; more than that many is cut anyway.
  for (const char c : text) {
    if (!is_blank(c))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    if (line.size() > 4 * characters + 4) break;
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  const std::size_t kept = prefix_bytes(line, characters);
  if (kept == line.size()) return line;
  line.resize(kept);
  return line + "...";
}

// "Name: value", as in the heads of mails.
bool is_head_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return !is_blank(c); });
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

OwnTitle own_title(std::string_view text) {
  constexpr std::string_view subject = "Subject:";
  OwnTitle own;
  bool has_subject = false;
  std::size_t at = 0;
  while (at < text.size() && is_head_line(line_at(text, at))) {
    const std::string_view line = line_at(text, at);
    if (!has_subject && line.starts_with(subject)) {
      own.title = one_line(line.substr(subject.size()), title_characters);
      has_subject = true;
    }
    at = std::min(text.size(), at + line.size() + 1);
  }
  if (has_subject) {
    own.body = at;
    return own;
  }
  const auto* first = std::find_if_not(text.begin(), text.end(), is_blank);
  own.title =
      one_line(line_at(text, static_cast<std::size_t>(first - text.begin())), title_characters);
  return own;
}

std::string snippet_of(std::string_view text) {
  return one_line(text.substr(own_title(text).body), snippet_characters);
}

}  // namespace navvy::loaders
