// JSON lines: one object per line.
#include <simdjson.h>

#include <string>
#include <utility>

#include "loaders/corpus.hpp"

namespace navvy::loaders {
namespace {

constexpr std::size_t max_depth = 32;

// The fields of documents, with the names that serve where none is asked for.
struct Field {
  std::string Document::*part;
  std::string name;
  bool is_required;
  bool is_asked_for;
  bool was_seen = false;
};

Field make_field(std::string Document::*part, const std::string& asked, const char* usual,
                 bool is_required) {
  return {part, asked.empty() ? usual : asked, is_required, !asked.empty()};
}

// Strings as they are, numbers and truth values as JSON writes them.
std::string to_text(const simdjson::dom::element& value, const std::string& name,
                    const InputStream& stream) {
  if (value.is_array() || value.is_object())
    fail_at_line(stream, stream.line_number(),
                 "field '" + name + "' is a list or an object, expected a string");
  if (value.is_null()) return "";
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return simdjson::minify(value);
}

Document to_document(const simdjson::dom::object& object, std::span<Field> fields,
                     const InputStream& stream) {
  Document document;
  for (Field& field : fields) {
    simdjson::dom::element value;
    if (object.at_key(field.name).get(value) != simdjson::SUCCESS) {
      if (field.is_required)
        fail_at_line(stream, stream.line_number(), "no field '" + field.name + "'");
      continue;
    }
    field.was_seen = true;
    document.*field.part = to_text(value, field.name, stream);
  }
  return document;
}

}  // namespace

void read_json_lines(InputStream& stream, CorpusRun& run) {
  const CorpusOptions& options = run.options;
  Field fields[] = {make_field(&Document::text, options.text_field, "text", true),
                    make_field(&Document::label, options.label_field, "label", false),
                    make_field(&Document::id, options.id_field, "id", false),
                    make_field(&Document::title, options.title_field, "title", false)};
  simdjson::dom::parser parser;
  std::string line;
  while (next_line(stream, options, line)) {
    const std::string text = run.decode(line);
    if (text[text.find_first_not_of(" \t\r")] == '[')
      fail_at_line(stream, stream.line_number(),
                   "expected a JSON object on each line, found a list ('[')");
    if (parser.allocate(text.size(), max_depth) != simdjson::SUCCESS) throw std::bad_alloc();
    simdjson::dom::element value;
    const auto error = parser.parse(text).get(value);
    if (error != simdjson::SUCCESS)
      fail_at_line(stream, stream.line_number(),
                   std::string("is no JSON: ") + simdjson::error_message(error));
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS)
      fail_at_line(stream, stream.line_number(), "expected a JSON object");
    run.deliver(to_document(object, fields, stream));
  }
  for (const Field& field : fields)
    if (field.is_asked_for && !field.was_seen && run.report.documents > 0)
      stream.fail("no line has the field '" + field.name + "'");
}

}  // namespace navvy::loaders
