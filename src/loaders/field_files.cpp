// Fields of rows that come from elsewhere: a record per row in a table or in JSON lines.
#include <utility>

#include "loaders/corpus.hpp"
#include "loaders/kept_fields.hpp"
#include "loaders/row_fields.hpp"
#include "navvy/error.hpp"
#include "navvy/loaders.hpp"

namespace navvy {
namespace loaders {
namespace {

// A table with one column looks like plain lines.
CorpusFormat record_format(InputStream& stream, const std::filesystem::path& path,
                           CorpusFormat asked) {
  if (asked == CorpusFormat::folder || asked == CorpusFormat::lines)
    throw Error(ErrorCode::usage,
                stream.name() +
                    ": expected fields as JSON lines, CSV or TSV, not as a folder or "
                    "plain lines");
  const CorpusFormat found = asked == CorpusFormat::automatic ? detect(stream, path) : asked;
  return found == CorpusFormat::lines ? CorpusFormat::csv : found;
}

std::vector<Field> read_field_records(InputStream& stream, const std::filesystem::path& path,
                                      const CorpusOptions& options) {
  require_different_names(options.keep_fields);
  require_no_utf16(stream);
  const CorpusFormat format = record_format(stream, path, options.format);
  RowFields fields;
  const DocumentSink sink = [&](Document&& record) { fields.add(std::move(record.fields)); };
  CorpusRun run{options, sink, {}, true};
  if (format == CorpusFormat::json_lines)
    read_json(stream, run);
  else if (format == CorpusFormat::tsv)
    read_tsv(stream, run);
  else
    read_csv(stream, run);
  if (fields.size() == 0) stream.fail("holds no record");
  return fields.typed();
}

}  // namespace
}  // namespace loaders

std::vector<Field> read_fields(const std::filesystem::path& path, const CorpusOptions& options) {
  loaders::InputStream stream(path);
  return loaders::read_field_records(stream, path, options);
}

std::vector<Field> read_fields(std::span<const std::byte> file, const CorpusOptions& options) {
  loaders::InputStream stream(loaders::bytes_name, file);
  return loaders::read_field_records(stream, {}, options);
}

}  // namespace navvy
