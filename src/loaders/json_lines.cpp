// JSON lines: one object per line.
#include <simdjson.h>

#include <string>
#include <utility>
#include <vector>

#include "loaders/corpus.hpp"
#include "loaders/kept_fields.hpp"

namespace navvy::loaders {
namespace {

constexpr std::size_t max_depth = 32;

// What a document is made of, with the keys that serve where none is asked for.
struct Part {
  std::string Document::*member;
  std::string key;
  bool is_required;
  bool is_asked_for;
  bool was_seen = false;
};

Part make_part(std::string Document::*member, const std::string& asked, const char* usual,
               bool is_required) {
  return {member, asked.empty() ? usual : asked, is_required, !asked.empty()};
}

// Strings as they are, numbers and truth values as JSON writes them.
std::string to_text(const simdjson::dom::element& value, std::string_view key,
                    const InputStream& stream, const char* expected) {
  if (value.is_array() || value.is_object())
    fail_at_line(stream, stream.line_number(),
                 "field '" + std::string(key) + "' is a list or an object, expected " + expected);
  if (value.is_null()) return "";
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return simdjson::minify(value);
}

// Makes documents out of objects, and remembers which keys it has met.
class JsonDocuments {
 public:
  JsonDocuments(const InputStream& stream, const CorpusRun& run)
      : stream_(stream),
        keep_(run.options.keep_fields),
        was_seen_(keep_.size()),
        keep_all_(run.fields_only && keep_.empty()) {
    if (run.fields_only) return;
    const CorpusOptions& options = run.options;
    parts_ = {make_part(&Document::text, options.text_field, "text", true),
              make_part(&Document::label, options.label_field, "label", false),
              make_part(&Document::id, options.id_field, "id", false),
              make_part(&Document::title, options.title_field, "title", false)};
  }

  Document take(const simdjson::dom::object& object) {
    Document document;
    for (Part& part : parts_) {
      simdjson::dom::element value;
      if (object.at_key(part.key).get(value) != simdjson::SUCCESS) {
        if (part.is_required)
          fail_at_line(stream_, stream_.line_number(), "no field '" + part.key + "'");
        continue;
      }
      part.was_seen = true;
      document.*part.member = to_text(value, part.key, stream_, "a string");
    }
    document.fields = keep_all_ ? all_fields(object) : kept_fields(object);
    return document;
  }

  /// Throws Error(bad_input) naming a field that was asked for and never met.
  void require_seen() const {
    const auto fail = [&](const std::string& key) {
      stream_.fail("no line has the field '" + key + "'");
    };
    for (const Part& part : parts_)
      if (part.is_asked_for && !part.was_seen) fail(part.key);
    for (std::size_t i = 0; i < keep_.size(); ++i)
      if (keep_[i].required && !was_seen_[i]) fail(keep_[i].name);
  }

 private:
  static constexpr const char* single = "a string, a number or a truth value";

  std::vector<FieldValue> kept_fields(const simdjson::dom::object& object) {
    std::vector<FieldValue> values;
    for (std::size_t i = 0; i < keep_.size(); ++i) {
      simdjson::dom::element value;
      std::string text;
      if (object.at_key(keep_[i].name).get(value) == simdjson::SUCCESS) {
        was_seen_[i] = true;
        text = to_text(value, keep_[i].name, stream_, single);
      }
      values.push_back(kept_value(stream_, stream_.line_number(), keep_[i], std::move(text)));
    }
    return values;
  }

  std::vector<FieldValue> all_fields(const simdjson::dom::object& object) const {
    std::vector<FieldValue> values;
    for (const auto& [key, value] : object)
      values.push_back({std::string(key), to_text(value, key, stream_, single)});
    return values;
  }

  const InputStream& stream_;
  const std::vector<KeptField>& keep_;
  std::vector<bool> was_seen_;
  bool keep_all_;
  std::vector<Part> parts_;
};

simdjson::dom::object parse_object(simdjson::dom::parser& parser, const std::string& text,
                                   const InputStream& stream) {
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
  return object;
}

}  // namespace

void read_json_lines(InputStream& stream, CorpusRun& run) {
  JsonDocuments documents(stream, run);
  simdjson::dom::parser parser;
  std::string line;
  while (next_line(stream, run.options, line))
    run.deliver(documents.take(parse_object(parser, run.decode(line), stream)));
  if (run.report.documents > 0) documents.require_seen();
}

}  // namespace navvy::loaders
