// Fields of rows: tables and JSON lines, types told by values or by the options.
#include "navvy/fields.hpp"
#include "navvy/loaders.hpp"
#include "text_fuzz.hpp"

namespace {

void read(std::span<const std::byte> file, const navvy::CorpusOptions& options) {
  using namespace navvy;
  try {
    for (const Field& field : read_fields(file, options)) {
      fuzz::require_utf8(field.name);
      // What is written reads as the same value.
      for (std::size_t row = 0; row < field.size(); ++row) {
        const std::string text = field.text(row);
        fuzz::require_utf8(text);
        if (field.type == FieldType::number && field.has(row) &&
            parse_number(text) != field.numbers[row])
          std::abort();
        if (field.type == FieldType::date && field.has(row) && parse_date(text) != field.dates[row])
          std::abort();
      }
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace navvy;
  const auto file = std::as_bytes(std::span(data, size));
  CorpusOptions options;
  options.max_document_bytes = 4096;
  read(file, options);
  options.format = CorpusFormat::csv;
  read(file, options);
  options.head_line = false;
  options.encoding = Encoding::latin1;
  options.keep_fields = {{"1", FieldType::number}, {"2", FieldType::date, false}};
  read(file, options);
  return 0;
}
