// Word vectors as a vocabulary, and lists of words.
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "loaders/utf8.hpp"
#include "loaders/vectors.hpp"
#include "loaders/word_table.hpp"
#include "navvy/text.hpp"

namespace navvy {
namespace {

Vocabulary read_vectors(loaders::InputStream stream, bool normalize,
                        const std::optional<std::vector<std::string>>& words,
                        VectorsReport* report) {
  loaders::WordTable table(0, words ? loaders::Keep::wanted : loaders::Keep::all);
  if (words)
    for (const std::string& word : *words) table.want(word);
  const ProgressCallback nobody;
  core::Monitor monitor(nobody);
  VectorsReport found = loaders::scan_vectors(stream, table, monitor);
  found.duplicates = table.duplicates();
  const Vocabulary vocabulary = table.vocabulary(found.dimensions);
  if (report != nullptr) *report = std::move(found);
  return normalize ? normalized(vocabulary) : vocabulary;
}

}  // namespace

Vocabulary read_vectors(const std::filesystem::path& path, bool normalize,
                        const std::optional<std::vector<std::string>>& words,
                        VectorsReport* report) {
  return read_vectors(loaders::InputStream(path), normalize, words, report);
}

Vocabulary read_vectors(std::span<const std::byte> file, bool normalize,
                        const std::optional<std::vector<std::string>>& words,
                        VectorsReport* report) {
  return read_vectors(loaders::InputStream(loaders::bytes_name, file), normalize, words, report);
}

std::vector<std::string> read_stop_words(const std::filesystem::path& path) {
  constexpr std::string_view blanks = " \t\r\f\v";
  loaders::InputStream stream(path);
  std::vector<std::string> words;
  std::string line;
  std::uint64_t broken = 0;
  while (stream.read_line(line)) {
    const std::string text = loaders::to_utf8(line, Encoding::utf8, broken);
    std::string_view rest = std::string_view(text).substr(0, text.find('#'));
    if (stream.line_number() == 1 && rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
    while (true) {
      rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
      if (rest.empty()) break;
      words.emplace_back(rest.substr(0, rest.find_first_of(blanks)));
      rest.remove_prefix(words.back().size());
    }
  }
  return words;
}

}  // namespace navvy
