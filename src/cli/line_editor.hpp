// Lines typed at a prompt, with editing and the history of this session.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace navvy::cli {

/// A line while it is typed: characters with a cursor between them.
class TypedLine {
 public:
  TypedLine() = default;
  /// The cursor is behind the text, which is UTF-8.
  explicit TypedLine(std::string_view text);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool empty() const noexcept { return characters_.empty(); }

  void insert(std::string character);
  void erase_before();
  void erase_behind();
  /// Everything from the cursor to one of its two ends, or the word before it.
  void erase_to_begin();
  void erase_to_end();
  void erase_word();
  void left();
  void right();
  void word_left();
  void word_right();
  void to_begin() noexcept { cursor_ = 0; }
  void to_end() noexcept { cursor_ = characters_.size(); }

  /// What of it is shown in so many columns, and at which of them the cursor is.
  struct View {
    std::string text;
    std::size_t cursor = 0;
  };
  [[nodiscard]] View view(std::size_t columns) const;

 private:
  std::vector<std::string> characters_;
  std::size_t cursor_ = 0;
};

/// Reads lines from a terminal at stdin and shows them on stderr. The terminal is as it was
/// whenever no line is being read, and after every end of the program.
class LineEditor {
 public:
  /// True where both streams are a terminal that can move its cursor.
  static bool is_possible();

  /// The next line, without its end; nullopt at the end of the input (Ctrl-D). Ctrl-C drops the
  /// line, and ends the program where it is empty.
  std::optional<std::string> read(std::string_view prompt);

 private:
  /// What becomes of the line after a key.
  enum class State { typing, done, dropped, ended };

  State press(TypedLine& line);
  State press_escape(TypedLine& line);
  void show(const TypedLine& line) const;
  void recall(TypedLine& line, bool older);

  std::string_view prompt_;
  std::vector<std::string> history_;
  std::size_t place_ = 0;  // in the history; its size: the new line
  std::string new_line_;   // while an older one is shown
};

}  // namespace navvy::cli
