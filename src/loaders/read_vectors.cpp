// Word vectors as a vocabulary.
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "loaders/vectors.hpp"
#include "loaders/word_table.hpp"
#include "navvy/text.hpp"

namespace navvy {
namespace {

Vocabulary read_vectors(loaders::InputStream stream, bool normalize,
                        const std::optional<std::vector<std::string>>& words,
                        VectorsReport* report) {
  loaders::WordTable table(0, words ? loaders::Keep::wanted : loaders::Keep::all);
  if (words) {
    for (const std::string& word : *words) table.want(word);
    table.make_of_parts(*words, false);
  }
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

}  // namespace navvy
