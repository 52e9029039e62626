// CSV and TSV as corpora, with and without names of columns.
#include "text_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace navvy;
  CorpusOptions options;
  options.max_document_bytes = 4096;
  fuzz::read_documents(data, size, options, loaders::read_csv);
  fuzz::read_documents(data, size, options, loaders::read_tsv);
  options.encoding = Encoding::latin1;
  options.text_field = std::string("2");
  fuzz::read_documents(data, size, options, loaders::read_csv);
  return 0;
}
