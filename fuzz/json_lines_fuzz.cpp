// JSON lines as corpora.
#include "text_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace navvy;
  CorpusOptions options;
  options.max_document_bytes = 4096;
  fuzz::read_documents(data, size, options, loaders::read_json_lines);
  options.encoding = Encoding::latin1;
  fuzz::read_documents(data, size, options, loaders::read_json_lines);
  return 0;
}
