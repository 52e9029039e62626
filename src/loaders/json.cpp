// JSON lines, one object per line, or a list of objects.
#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/corpus.hpp"
#include "loaders/json_list.hpp"
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

// An object as it stands in its file.
struct Place {
  const InputStream& stream;
  std::uint64_t line;

  [[noreturn]] void fail(const std::string& what) const { fail_at_line(stream, line, what); }
};

// Strings as they are, numbers and truth values as JSON writes them.
std::string to_text(const simdjson::dom::element& value, std::string_view key, const Place& place,
                    const char* expected) {
  if (value.is_array() || value.is_object())
    place.fail("field '" + std::string(key) + "' is a list or an object, expected " + expected);
  if (value.is_null()) return "";
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return simdjson::minify(value);
}

// The value of a key, or of a path of keys through objects; a key that has the dots itself wins.
std::optional<simdjson::dom::element> find_value(const simdjson::dom::object& object,
                                                 std::string_view path) {
  simdjson::dom::element value;
  if (object.at_key(path).get(value) == simdjson::SUCCESS) return value;
  for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = path.rfind('.', dot - 1)) {
    simdjson::dom::object inner;
    if (object.at_key(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) continue;
    if (const auto found = find_value(inner, path.substr(dot + 1))) return found;
  }
  return std::nullopt;
}

// How far a path leads: " ('doc' has no 'body')"; nothing where it is a single key.
std::string end_of_path(const simdjson::dom::object& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return "";
  const std::string head(path.substr(0, dot));
  simdjson::dom::element value;
  if (object.at_key(head).get(value) != simdjson::SUCCESS) return " (there is no '" + head + "')";
  if (!value.is_object()) return " ('" + head + "' is no object)";
  return " ('" + head + "' has no '" + std::string(path.substr(dot + 1)) + "')";
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

  Document take(const simdjson::dom::object& object, std::uint64_t line) {
    const Place place{stream_, line};
    Document document;
    for (Part& part : parts_) {
      const auto value = find_value(object, part.key);
      if (!value) {
        if (part.is_required)
          place.fail("no field '" + part.key + "'" + end_of_path(object, part.key));
        continue;
      }
      part.was_seen = true;
      document.*part.member = to_text(*value, part.key, place, "a string");
    }
    document.fields = keep_all_ ? all_fields(object, place) : kept_fields(object, place);
    return document;
  }

  /// Throws Error(bad_input) naming a field that was asked for and never met.
  void require_seen() const {
    const auto fail = [&](const std::string& key) {
      stream_.fail("no object has the field '" + key + "'");
    };
    for (const Part& part : parts_)
      if (part.is_asked_for && !part.was_seen) fail(part.key);
    for (std::size_t i = 0; i < keep_.size(); ++i)
      if (keep_[i].required && !was_seen_[i]) fail(keep_[i].name);
  }

 private:
  static constexpr const char* single = "a string, a number or a truth value";

  std::vector<FieldValue> kept_fields(const simdjson::dom::object& object, const Place& place) {
    std::vector<FieldValue> values;
    for (std::size_t i = 0; i < keep_.size(); ++i) {
      std::string text;
      if (const auto value = find_value(object, keep_[i].name)) {
        was_seen_[i] = true;
        text = to_text(*value, keep_[i].name, place, single);
      }
      values.push_back(kept_value(stream_, place.line, keep_[i], std::move(text)));
    }
    return values;
  }

  static std::vector<FieldValue> all_fields(const simdjson::dom::object& object,
                                            const Place& place) {
    std::vector<FieldValue> values;
    for (const auto& [key, value] : object)
      values.push_back({std::string(key), to_text(value, key, place, single)});
    return values;
  }

  const InputStream& stream_;
  const std::vector<KeptField>& keep_;
  std::vector<bool> was_seen_;
  bool keep_all_;
  std::vector<Part> parts_;
};

simdjson::dom::object parse_object(simdjson::dom::parser& parser, const std::string& text,
                                   const Place& place) {
  if (text[text.find_first_not_of(" \t\r")] == '[')
    place.fail("expected a JSON object on each line, found a list ('[')");
  if (parser.allocate(text.size(), max_depth) != simdjson::SUCCESS) throw std::bad_alloc();
  simdjson::dom::element value;
  const auto error = parser.parse(text).get(value);
  if (error != simdjson::SUCCESS) {
    const bool is_part = text[text.find_last_not_of(" \t\r")] != '}';
    place.fail(std::string("is no JSON: ") + simdjson::error_message(error) +
               (is_part ? "; expected a whole object on one line, or a list of objects" : ""));
  }
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) place.fail("expected a JSON object");
  return object;
}

}  // namespace

void read_json(InputStream& stream, CorpusRun& run) {
  JsonDocuments documents(stream, run);
  simdjson::dom::parser parser;
  const auto take = [&](const std::string& text, std::uint64_t line) {
    run.deliver(documents.take(parse_object(parser, run.decode(text), {stream, line}), line));
  };
  std::string text;
  if (begins_json_list(stream)) {
    JsonList list(stream, run.options.max_document_bytes);
    while (list.next(text)) take(text, list.line());
  } else {
    while (next_line(stream, run.options, text)) take(text, stream.line_number());
  }
  if (run.report.documents > 0) documents.require_seen();
}

}  // namespace navvy::loaders
