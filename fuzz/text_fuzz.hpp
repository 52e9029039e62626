#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "loaders/corpus.hpp"
#include "loaders/input.hpp"
#include "loaders/utf8.hpp"
#include "navvy/error.hpp"

/// What fuzz targets of texts share.
namespace navvy::fuzz {

/// Ends the process unless the text is valid UTF-8: nothing else may leave a loader.
inline void require_utf8(const std::string& text) {
  std::uint64_t broken = 0;
  loaders::to_utf8(text, Encoding::utf8, broken);
  if (broken > 0) std::abort();
}

/// Reads a corpus from memory; a small limit makes long records cheap to reach.
template <class Read>
void read_documents(const std::uint8_t* data, std::size_t size, const CorpusOptions& options,
                    const Read& read) {
  const DocumentSink sink = [](Document&& document) {
    for (const std::string* part : {&document.id, &document.label, &document.title, &document.text})
      require_utf8(*part);
    require_utf8(loaders::snippet_of(document.text));
  };
  try {
    loaders::InputStream stream("fuzz", std::as_bytes(std::span(data, size)));
    loaders::CorpusRun run{options, sink, {}};
    read(stream, run);
  } catch (const Error&) {
  }
}

}  // namespace navvy::fuzz
