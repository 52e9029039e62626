// Finds out what a vectors file is, and what all formats share.
#include "loaders/vectors.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loaders/utf8.hpp"
#include "navvy/error.hpp"

namespace navvy::loaders {
namespace {

constexpr std::string_view fasttext_magic = "\xba\x16\x4f\x2f";  // 793712314, little endian
constexpr std::string_view zip_magic = "PK\x03\x04";
constexpr std::size_t sample_bytes = std::size_t{1} << 16;

void refuse_other_formats(InputStream& stream) {
  if (stream.starts_with(zip_magic))
    stream.fail("is a zip archive; expected word vectors: unpack it first (unzip)");
  if (stream.starts_with("\x93NUMPY") || stream.starts_with("\x89HDF"))
    stream.fail("is an array file; expected word2vec binary or text, GloVe or fastText");
  if (stream.at_end()) stream.fail("is empty; expected word vectors");
}

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
    line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    if (end > at) fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

bool parse_count(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Two whole numbers and nothing else.
std::optional<VectorsHead> parse_head(std::string_view sample) {
  constexpr std::size_t longest = 64;
  const std::size_t end = sample.substr(0, longest).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto fields = fields_of(trimmed(sample.substr(0, end)));
  VectorsHead head;
  if (fields.size() != 2 || !parse_count(fields[0], head.words) ||
      !parse_count(fields[1], head.dimensions))
    return std::nullopt;
  head.bytes = end + 1;
  return head;
}

void check_head(const InputStream& stream, const VectorsHead& head) {
  const std::string found = "the first line announces " + std::to_string(head.words) +
                            " words of " + std::to_string(head.dimensions) + " dimensions; ";
  if (head.dimensions == 0 || head.dimensions > max_dimensions)
    stream.fail(found + "expected 1 to " + std::to_string(max_dimensions) + " dimensions");
  if (head.words == 0 || head.words >= std::numeric_limits<std::uint32_t>::max())
    stream.fail(found + "expected 1 to 4294967294 words");
}

// How many fields at the end of a line are numbers. The first field is the word, even if it reads
// as a number.
std::size_t trailing_numbers(std::string_view line) {
  const auto fields = fields_of(trimmed(line));
  std::size_t count = 0;
  float value = 0;
  while (count + 1 < fields.size() && parse_number(fields[fields.size() - 1 - count], value))
    ++count;
  return count;
}

// The record after the first line decides: as text it ends in `dimensions` numbers, which the
// bytes of floats do not. A record that the sample cuts off is judged by its whole fields.
bool looks_like_text(std::string_view sample, std::uint64_t dimensions) {
  const std::size_t end = sample.find('\n');
  if (end != std::string_view::npos) return trailing_numbers(sample.substr(0, end)) >= dimensions;
  const std::size_t last = sample.find_last_of(" \t");
  if (last == std::string_view::npos) return false;
  const bool cut_off = sample.size() + 64 >= sample_bytes;
  return cut_off ? trailing_numbers(sample.substr(0, last)) > 0
                 : trailing_numbers(sample) >= dimensions;
}

// A word of several fields may end in fields that read as numbers, and a line may be broken, so the
// first lines vote. Of equal votes the larger number wins: too many numbers asked for is an error
// later, too few would pass for words of several fields.
std::size_t guess_dimensions(std::string_view sample) {
  constexpr int lines = 64;
  std::map<std::size_t, int> votes;
  for (int line = 0; line < lines && !sample.empty(); ++line) {
    const std::size_t end = sample.find('\n');
    // Only a sample of less than one line is looked at up to its cut.
    if (end == std::string_view::npos && !votes.empty()) break;
    if (!trimmed(sample.substr(0, end)).empty()) ++votes[trailing_numbers(sample.substr(0, end))];
    sample.remove_prefix(end == std::string_view::npos ? sample.size() : end + 1);
  }
  const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return most == votes.end() ? 0 : most->first;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void skip(InputStream& stream, std::size_t count) {
  std::vector<std::byte> bytes(count);
  stream.read(bytes);
}

void scan_headless(InputStream& stream, std::string_view sample, VectorsVisitor& visitor,
                   core::Monitor& monitor, VectorsReport& report) {
  const bool is_cut = sample.find('\n') == std::string_view::npos && sample.size() == sample_bytes;
  report.dimensions = guess_dimensions(sample);
  if (report.dimensions == 0 || is_cut || report.dimensions > max_dimensions)
    stream.fail(
        "line 1 is neither 'words dimensions' nor a word and its numbers; expected word2vec "
        "binary or text, GloVe text or fastText");
  report.format = "GloVe text";
  scan_text_vectors(stream, 0, visitor, monitor, report);
}

}  // namespace

bool parse_number(std::string_view text, float& value) noexcept {
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return false;
  if (error == std::errc::result_out_of_range) {
    // Too small for a float is 0, as files written in double have it; too large is refused.
    value = 0;
    return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
  }
  return error == std::errc() && value - value == 0;
}

std::string_view valid_word(std::string_view word, std::string& scratch, std::uint64_t& broken) {
  if (std::all_of(word.begin(), word.end(),
                  [](char c) { return static_cast<signed char>(c) >= 0; }))
    return word;
  std::uint64_t bytes = 0;
  scratch = to_utf8(word, Encoding::utf8, bytes);
  if (bytes > 0) ++broken;
  return scratch;
}

VectorsReport scan_vectors(InputStream& stream, VectorsVisitor& visitor, core::Monitor& monitor) {
  monitor.begin("vectors", stream.remaining().value_or(0));
  refuse_other_formats(stream);
  VectorsReport report;
  if (stream.starts_with(fasttext_magic)) {
    report.format = "fastText binary";
    scan_fasttext(stream, visitor, monitor, report);
    return report;
  }
  std::string_view sample = as_text(stream.peek(sample_bytes));
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (sample.starts_with(byte_order_mark)) {
    skip(stream, byte_order_mark.size());
    sample = as_text(stream.peek(sample_bytes));
  }
  const std::optional<VectorsHead> head = parse_head(sample);
  if (!head) {
    scan_headless(stream, sample, visitor, monitor, report);
    return report;
  }
  check_head(stream, *head);
  report.dimensions = head->dimensions;
  const bool is_text = looks_like_text(sample.substr(head->bytes), head->dimensions);
  report.format = is_text ? "word2vec text" : "word2vec binary";
  if (is_text) {
    std::string line;
    stream.read_line(line);
    scan_text_vectors(stream, head->words, visitor, monitor, report);
  } else {
    skip(stream, head->bytes);
    scan_binary_vectors(stream, *head, visitor, monitor, report);
  }
  return report;
}

void visit(const Vocabulary& vectors, VectorsVisitor& visitor) {
  for (std::size_t id = 0; id < vectors.size(); ++id)
    if (visitor.wants(vectors.number(id), vectors.word(id)))
      visitor.take(vectors.number(id), vectors.word(id), vectors.coordinate(id));
}

}  // namespace navvy::loaders
