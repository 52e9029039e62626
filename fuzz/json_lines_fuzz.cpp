// JSON lines and lists as corpora.
#include "text_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace navvy;
  CorpusOptions options;
  options.max_document_bytes = 4096;
  fuzz::read_documents(data, size, options, loaders::read_json);
  options.encoding = Encoding::latin1;
  options.label_field = "a.b";
  options.keep_fields = {{"a.b.c"}, {"d", {}, false}};
  fuzz::read_documents(data, size, options, loaders::read_json);
  return 0;
}
