// Finds the braces that end each element of a JSON list.
#include "loaders/json_list.hpp"

#include <span>

#include "loaders/corpus.hpp"

namespace navvy::loaders {
namespace {

constexpr std::size_t list_buffer_bytes = std::size_t{1} << 14;

bool is_json_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

bool begins_json_list(InputStream& stream) { return begin_of(stream).starts_with('['); }

JsonList::JsonList(InputStream& stream, std::size_t limit)
    : stream_(stream), limit_(limit), buffer_(list_buffer_bytes) {}

int JsonList::take() {
  if (next_ == end_) {
    next_ = 0;
    end_ = stream_.read(std::as_writable_bytes(std::span(buffer_)));
    if (end_ == 0) return no_byte;
  }
  const char c = buffer_[next_++];
  if (c == '\n') ++line_;
  return static_cast<unsigned char>(c);
}

int JsonList::take_visible() {
  int c = take();
  while (is_json_blank(c)) c = take();
  return c;
}

void JsonList::fail(std::uint64_t line, const std::string& what) const {
  fail_at_line(stream_, line, what);
}

// Braces within strings do not count; a wrong kind of bracket is for the parser to find.
void JsonList::take_object(std::string& element) {
  std::size_t depth = 1;
  bool is_quoted = false;
  bool is_escaped = false;
  while (depth > 0) {
    const int c = take();
    if (c == no_byte) fail(begin_line_, "an object that is never closed");
    if (element.size() >= limit_)
      fail(begin_line_, "an object longer than " + std::to_string(limit_) + " bytes");
    element += static_cast<char>(c);
    if (is_quoted) {
      if (c == '"' && !is_escaped) is_quoted = false;
      is_escaped = c == '\\' && !is_escaped;
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
}

bool JsonList::next(std::string& element) {
  int c = no_byte;
  if (!has_begun_) {
    while (c != '[') c = take();  // begins_json_list() has seen it
    c = take_visible();
  } else if ((c = take_visible()) == ',') {
    c = take_visible();
    if (c == ']') fail(line_, "expected another object behind the comma, found the end");
  } else if (c != ']') {
    fail(line_, "expected ',' and another object, or ']' at the end of the list");
  }
  has_begun_ = true;
  begin_line_ = line_;
  if (c == ']') {
    if (take_visible() != no_byte) fail(line_, "something follows the end of the list");
    return false;
  }
  if (c != '{') fail(line_, "expected a list of JSON objects, found something else in it");
  element = '{';
  take_object(element);
  return true;
}

}  // namespace navvy::loaders
