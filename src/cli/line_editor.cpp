// Edits a line of a terminal that hands over every key.
#include "cli/line_editor.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "cli/progress.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

constexpr int no_key = -1;

// The byte of a letter typed with the control key.
constexpr int control(char letter) { return letter & 0x1f; }
constexpr int escape = 0x1b;
constexpr int backspace = 0x7f;

// While this lives, the terminal hands over keys as they are pressed and shows nothing by itself.
class KeyMode {
 public:
  KeyMode() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
    keys.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    restore_when_ended(&before_);
    is_on_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &keys) == 0;
  }
  ~KeyMode() {
    if (is_on_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    restore_when_ended(nullptr);
  }
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;

 private:
  termios before_{};
  bool is_on_ = false;
};

int next_byte() {
  unsigned char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(STDIN_FILENO, &byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1 ? byte : no_key;
}

// How many bytes follow the first one of a character; nothing for bytes that begin none.
std::optional<int> bytes_behind(int first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  if (first >= 0xf0 && first < 0xf5) return 3;
  return std::nullopt;
}

// The rest of a character that begins with this byte; empty where there is none to type.
std::string character_from(int first) {
  const auto more = bytes_behind(first);
  if (!more) return "";
  std::string character(1, static_cast<char>(first));
  for (int i = 0; i < *more; ++i) {
    const int byte = next_byte();
    if (byte < 0x80 || byte >= 0xc0) return "";
    character += static_cast<char>(byte);
  }
  const bool is_control =
      first < ' ' || first == backspace || (first == 0xc2 && character[1] < '\xa0');
  return is_control ? "" : character;
}

std::uint32_t code_of(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  std::uint32_t code = first;
  if (character.size() > 1) code = first & (0x7fU >> character.size());
  for (const char c : character.substr(1))
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

// Columns of a character: marks take none, those of East Asia and pictures take two.
std::size_t columns_of(std::string_view character) {
  constexpr std::pair<std::uint32_t, std::uint32_t> wide[] = {
      {0x1100, 0x115f},   {0x2e80, 0xa4cf},  {0xac00, 0xd7a3}, {0xf900, 0xfaff},
      {0xfe30, 0xfe4f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
      {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  const std::uint32_t code = code_of(character);
  if ((code >= 0x300 && code <= 0x36f) || code == 0x200d) return 0;
  return std::ranges::any_of(
             wide, [&](const auto& range) { return code >= range.first && code <= range.second; })
             ? 2
             : 1;
}

constexpr std::pair<int, void (TypedLine::*)()> edits[] = {
    {backspace, &TypedLine::erase_before},      {control('H'), &TypedLine::erase_before},
    {control('D'), &TypedLine::erase_behind},   {control('A'), &TypedLine::to_begin},
    {control('E'), &TypedLine::to_end},         {control('B'), &TypedLine::left},
    {control('F'), &TypedLine::right},          {control('K'), &TypedLine::erase_to_end},
    {control('U'), &TypedLine::erase_to_begin}, {control('W'), &TypedLine::erase_word}};

std::size_t terminal_columns() {
  winsize size{};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

}  // namespace

TypedLine::TypedLine(std::string_view text) {
  for (const char c : text) {
    if (characters_.empty() || !app::continues_character(c)) characters_.emplace_back();
    characters_.back() += c;
  }
  to_end();
}

std::string TypedLine::text() const {
  std::string text;
  for (const std::string& character : characters_) text += character;
  return text;
}

void TypedLine::insert(std::string character) {
  characters_.insert(characters_.begin() + static_cast<std::ptrdiff_t>(cursor_),
                     std::move(character));
  ++cursor_;
}

void TypedLine::erase_before() {
  if (cursor_ == 0) return;
  --cursor_;
  erase_behind();
}

void TypedLine::erase_behind() {
  if (cursor_ == characters_.size()) return;
  characters_.erase(characters_.begin() + static_cast<std::ptrdiff_t>(cursor_));
}

void TypedLine::erase_to_begin() {
  characters_.erase(characters_.begin(),
                    characters_.begin() + static_cast<std::ptrdiff_t>(cursor_));
  cursor_ = 0;
}

void TypedLine::erase_to_end() { characters_.resize(cursor_); }

void TypedLine::erase_word() {
  const std::size_t end = cursor_;
  word_left();
  characters_.erase(characters_.begin() + static_cast<std::ptrdiff_t>(cursor_),
                    characters_.begin() + static_cast<std::ptrdiff_t>(end));
}

void TypedLine::left() { cursor_ -= cursor_ > 0 ? 1 : 0; }

void TypedLine::right() { cursor_ += cursor_ < characters_.size() ? 1 : 0; }

void TypedLine::word_left() {
  while (cursor_ > 0 && characters_[cursor_ - 1] == " ") --cursor_;
  while (cursor_ > 0 && characters_[cursor_ - 1] != " ") --cursor_;
}

void TypedLine::word_right() {
  while (cursor_ < characters_.size() && characters_[cursor_] == " ") ++cursor_;
  while (cursor_ < characters_.size() && characters_[cursor_] != " ") ++cursor_;
}

// A line that is too long is shown from a place on that keeps the cursor in sight.
TypedLine::View TypedLine::view(std::size_t columns) const {
  View view;
  std::size_t begin = cursor_;
  while (begin > 0 && view.cursor + columns_of(characters_[begin - 1]) < columns)
    view.cursor += columns_of(characters_[--begin]);
  std::size_t used = 0;
  for (std::size_t i = begin; i < characters_.size(); ++i) {
    used += columns_of(characters_[i]);
    if (used >= columns) break;
    view.text += characters_[i];
  }
  return view;
}

bool LineEditor::is_possible() { return isatty(STDIN_FILENO) != 0 && talk_terminal().interactive; }

void LineEditor::show(const TypedLine& line) const {
  const std::size_t columns = terminal_columns();
  const std::size_t taken = std::min(display_width(prompt_), columns - 1);
  const TypedLine::View view = line.view(columns - taken);
  const std::size_t place = taken + view.cursor;
  const std::string move = place > 0 ? fmt::format("\033[{}C", place) : "";
  fmt::print(stderr, "\r{}{}\033[K\r{}", prompt_, view.text, move);
  std::fflush(stderr);
}

void LineEditor::recall(TypedLine& line, bool older) {
  if (older ? place_ == 0 : place_ == history_.size()) return;
  if (place_ == history_.size()) new_line_ = line.text();
  place_ = older ? place_ - 1 : place_ + 1;
  line = TypedLine(place_ == history_.size() ? new_line_ : history_[place_]);
}

// Keys that send several bytes: ESC [ A, ESC O H, ESC [ 3 ~, or ESC b for a letter with Alt.
LineEditor::State LineEditor::press_escape(TypedLine& line) {
  int key = next_byte();
  if (key == 'b') line.word_left();
  if (key == 'f') line.word_right();
  if (key != '[' && key != 'O') return State::typing;
  std::string numbers;
  for (key = next_byte(); (key >= '0' && key <= '9') || key == ';'; key = next_byte())
    numbers += static_cast<char>(key);
  const bool by_word = numbers.ends_with(";5") || numbers.ends_with(";3");
  if (key == 'A') recall(line, true);
  if (key == 'B') recall(line, false);
  if (key == 'C') by_word ? line.word_right() : line.right();
  if (key == 'D') by_word ? line.word_left() : line.left();
  if (key == 'H' || (key == '~' && (numbers == "1" || numbers == "7"))) line.to_begin();
  if (key == 'F' || (key == '~' && (numbers == "4" || numbers == "8"))) line.to_end();
  if (key == '~' && numbers == "3") line.erase_behind();
  return State::typing;
}

LineEditor::State LineEditor::press(TypedLine& line) {
  const int key = next_byte();
  if (key == '\r' || key == '\n') return State::done;
  if (key == control('C')) return State::dropped;
  if (key == no_key || (key == control('D') && line.empty())) return State::ended;
  if (key == escape) return press_escape(line);
  for (const auto& [known, edit] : edits) {
    if (key != known) continue;
    (line.*edit)();
    return State::typing;
  }
  if (key == control('P') || key == control('N')) recall(line, key == control('P'));
  if (key == control('L')) fmt::print(stderr, "\033[H\033[2J");
  const std::string character = key == '\t' ? " " : character_from(key);
  if (!character.empty()) line.insert(character);
  return State::typing;
}

std::optional<std::string> LineEditor::read(std::string_view prompt) {
  prompt_ = prompt;
  place_ = history_.size();
  TypedLine line;
  State state = State::typing;
  {
    const KeyMode keys;
    for (; state == State::typing; state = press(line)) show(line);
    fmt::print(stderr, "{}\n", state == State::dropped ? "^C" : "");
  }
  if (state == State::ended) return std::nullopt;
  if (state == State::dropped) {
    if (line.empty()) std::raise(SIGINT);
    return "";
  }
  std::string text = line.text();
  if (!text.empty() && (history_.empty() || history_.back() != text)) history_.push_back(text);
  return text;
}

}  // namespace navvy::cli
