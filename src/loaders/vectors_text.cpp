// Lines of a word and its numbers: GloVe, word2vec text and fastText .vec. The word may hold spaces
// of its own, so numbers are counted from the end.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "loaders/vectors.hpp"

namespace navvy::loaders {
namespace {

constexpr std::uint64_t lines_per_check = 1024;

bool is_separator(char c) { return c == ' ' || c == '\t'; }

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (is_separator(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// The part before the last `dimensions` fields; npos where there are fewer. Nearly all words have
// no separator inside, which counting separators tells without looking at any number.
std::size_t word_end(std::string_view line, std::size_t dimensions) {
  const auto spaces = static_cast<std::size_t>(std::count(line.begin(), line.end(), ' '));
  const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
  if (spaces + tabs < dimensions) return std::string_view::npos;
  if (spaces + tabs == dimensions) return line.find_first_of(" \t");
  std::size_t end = line.size();
  for (std::size_t field = 0; field < dimensions; ++field) {
    end = line.find_last_of(" \t", end - 1);
    while (end > 0 && end != std::string_view::npos && is_separator(line[end - 1])) --end;
    if (end == std::string_view::npos || (end == 0 && field + 1 < dimensions))
      return std::string_view::npos;
  }
  return end;
}

class LineParser {
 public:
  LineParser(const InputStream& stream, std::size_t dimensions)
      : stream_(stream), vector_(dimensions) {}

  std::string_view word_of(std::string_view line) const {
    const std::size_t end = word_end(line, vector_.size());
    if (end == std::string_view::npos)
      fail("fewer fields than a word and " + std::to_string(vector_.size()) + " numbers");
    if (end > max_word_bytes)
      fail("a word of " + std::to_string(end) + " bytes, expected at most " +
           std::to_string(max_word_bytes));
    return line.substr(0, end);
  }

  std::span<const float> numbers_of(std::string_view rest) {
    for (float& value : vector_) {
      while (!rest.empty() && is_separator(rest[0])) rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      if (!parse_number(rest.substr(0, end), value))
        fail(std::string(rest.substr(0, std::min<std::size_t>(end, 32))) +
             " is not a finite number");
      rest.remove_prefix(end);
    }
    return vector_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    stream_.fail("line " + std::to_string(stream_.line_number()) + ": " + what);
  }

  const InputStream& stream_;
  std::vector<float> vector_;
};

}  // namespace

void scan_text_vectors(InputStream& stream, std::uint64_t announced, VectorsVisitor& visitor,
                       core::Monitor& monitor, VectorsReport& report) {
  LineParser parser(stream, report.dimensions);
  std::string line;
  std::string scratch;
  std::uint64_t last_position = 0;
  while (stream.read_line(line)) {
    const std::string_view record = without_end(line);
    if (record.empty()) continue;
    const std::string_view raw = parser.word_of(record);
    const std::string_view word = valid_word(raw, scratch, report.broken);
    if (report.words >= std::numeric_limits<std::uint32_t>::max())
      stream.fail("more than 4294967294 words");
    const auto number = static_cast<std::uint32_t>(report.words++);
    if (visitor.wants(number, word))
      visitor.take(number, word, parser.numbers_of(record.substr(raw.size())));
    if (report.words % lines_per_check == 0) {
      monitor.add(stream.position() - last_position);
      last_position = stream.position();
      monitor.throw_if_stopped();
    }
  }
  if (report.words < announced)
    stream.fail("record " + std::to_string(report.words + 1) +
                ": the file ends here, but the first line announces " + std::to_string(announced) +
                " words");
}

}  // namespace navvy::loaders
