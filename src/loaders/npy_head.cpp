// Parses the Python literal in the head of a .npy file.
#include <charconv>
#include <optional>

#include "loaders/npy.hpp"

namespace navvy::loaders {
namespace {

// Reads exactly what NumPy writes, a dictionary of three known keys, with free white space.
class HeadParser {
 public:
  HeadParser(const InputStream& input, std::string_view text)
      : input_(input), text_(text), rest_(text) {}

  NpyHead parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !has_type_) {
        type();
      } else if (key == "fortran_order" && !has_order_) {
        order();
      } else if (key == "shape" && !has_shape_) {
        shape();
      } else {
        fail("unknown or repeated key '" + std::string(key) + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty()) fail("something follows the dictionary");
    if (!has_type_ || !has_order_ || !has_shape_) {
      fail("expected the keys descr, fortran_order and shape");
    }
    return head_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    input_.fail("npy head, character " + std::to_string(text_.size() - rest_.size()) + ": " + what);
  }

  void skip_space() {
    const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
  }

  bool accept(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  std::string_view string() {
    skip_space();
    if (!rest_.starts_with('\'') && !rest_.starts_with('"')) fail("expected a string");
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail("a string does not end");
    const std::string_view value = rest_.substr(1, end - 1);
    // What is quoted here appears in messages, which are plain single lines.
    for (const char c : value) {
      if (c < 0x20 || c > 0x7e) fail("a string is not plain ASCII");
    }
    rest_.remove_prefix(end + 1);
    return value;
  }

  std::uint64_t number() {
    skip_space();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fail("expected a number below 2^64");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // as Python 2 wrote it
    return value;
  }

  void type() {
    skip_space();
    if (rest_.starts_with('[')) fail("records are not supported, expected one plain type");
    head_.type = std::string(string());
    if (head_.type.find('O') != std::string::npos) {
      fail(
          "object arrays are never read (they can run programs); save numbers or strings, such as "
          "a.astype('U')");
    }
    if (!parse_type(head_.type)) {
      fail("type '" + head_.type + "', expected integers, floats or strings");
    }
    has_type_ = true;
  }

  bool parse_type(std::string_view type) {
    if (type.size() < 3) return false;
    const char order = type[0];
    head_.kind = type[1];
    const char* end = type.data() + type.size();
    const auto [stop, error] = std::from_chars(type.data() + 2, end, head_.item_bytes);
    if (error != std::errc() || stop != end) return false;
    if (order != '<' && order != '>' && order != '|') return false;
    head_.big_endian = order == '>';
    const std::size_t bytes = head_.item_bytes;
    switch (head_.kind) {
      case 'i':
      case 'u':
        return bytes == 1 || (order != '|' && (bytes == 2 || bytes == 4 || bytes == 8));
      case 'f':
        return order != '|' && (bytes == 2 || bytes == 4 || bytes == 8);
      case 'U':
        if (order == '|' || bytes == 0 || bytes > max_string) return false;
        head_.item_bytes *= 4;
        return true;
      case 'S':
        return bytes > 0 && bytes <= max_string;
      default:
        return false;
    }
  }

  void order() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      head_.fortran_order = word == "True";
      rest_.remove_prefix(word.size());
      has_order_ = true;
      return;
    }
    fail("expected True or False");
  }

  void shape() {
    expect('(');
    while (!accept(')')) {
      if (head_.shape.size() == max_dimensions) fail("too many dimensions");
      head_.shape.push_back(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    has_shape_ = true;
  }

  static constexpr std::size_t max_dimensions = 32;                // as in NumPy
  static constexpr std::size_t max_string = std::size_t{1} << 24;  // characters of one element

  const InputStream& input_;
  std::string_view text_;
  std::string_view rest_;
  NpyHead head_;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

}  // namespace

NpyHead parse_npy_head(const InputStream& input, std::string_view text) {
  return HeadParser(input, text).parse();
}

}  // namespace navvy::loaders
