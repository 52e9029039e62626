// A JSON list of objects, one object after the other: memory is bounded by the longest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "loaders/input.hpp"

namespace navvy::loaders {

/// True if a file begins with a list, behind a byte order mark and white space.
bool begins_json_list(InputStream& stream);

/// Cuts such a file into the texts of its elements, which must be objects. What stands within the
/// outermost braces of one is left to a parser.
class JsonList {
 public:
  /// A longer element is an error.
  JsonList(InputStream& stream, std::size_t limit);

  /// False at the end of the list. Throws Error(bad_input) naming the line on anything that is no
  /// list of objects.
  bool next(std::string& element);

  /// Where the last element begins, from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return begin_line_; }

 private:
  static constexpr int no_byte = -1;

  int take();
  int take_visible();
  void take_object(std::string& element);
  [[noreturn]] void fail(std::uint64_t line, const std::string& what) const;

  InputStream& stream_;
  std::size_t limit_;
  std::vector<char> buffer_;
  std::size_t next_ = 0, end_ = 0;
  std::uint64_t line_ = 1, begin_line_ = 1;
  bool has_begun_ = false;
};

}  // namespace navvy::loaders
