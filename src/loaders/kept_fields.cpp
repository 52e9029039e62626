// Reads which fields are to be kept, and refuses values of another type than was told.
#include "loaders/kept_fields.hpp"

#include <algorithm>
#include <utility>

#include "loaders/corpus.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace loaders {
namespace {

// A value may be a whole text; a message has room for its beginning.
std::string beginning_of(const std::string& text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

}  // namespace

void require_different_names(const std::vector<KeptField>& fields) {
  for (auto field = fields.begin(); field != fields.end(); ++field)
    if (std::find_if(fields.begin(), field,
                     [&](const KeptField& other) { return other.name == field->name; }) != field)
      throw Error(ErrorCode::usage, "field '" + field->name + "' is to be kept twice");
}

void require_no_fields(const CorpusOptions& options, const std::string& name,
                       const std::string& kind) {
  const auto asked = std::ranges::find(options.keep_fields, true, &KeptField::required);
  if (asked == options.keep_fields.end()) return;
  throw Error(ErrorCode::usage, name + ": " + kind + " has no fields, so '" + asked->name +
                                    "' cannot be kept; expected JSON lines, CSV or TSV");
}

FieldValue kept_value(const InputStream& stream, std::uint64_t line, const KeptField& field,
                      std::string text) {
  if (field.type && !fits(*field.type, text))
    fail_at_line(stream, line,
                 "field '" + field.name + "': found '" + beginning_of(text) + "', expected a " +
                     to_string(*field.type));
  return {field.name, std::move(text), field.type};
}

}  // namespace loaders

KeptField parse_kept_field(std::string_view text) {
  KeptField field{std::string(text)};
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    field.type = parse_field_type(text.substr(colon + 1));
    if (field.type) field.name = std::string(text.substr(0, colon));
  }
  if (field.name.empty() || field.name.find_first_of("\n\r") != std::string::npos)
    throw Error(ErrorCode::usage, "field '" + std::string(text) +
                                      "': expected NAME or NAME:TYPE, the type text, number or "
                                      "date");
  return field;
}

CorpusOptions keeping(CorpusOptions options, std::span<const Field> fields) {
  for (const Field& field : fields) {
    const auto asked = std::ranges::find(options.keep_fields, field.name, &KeptField::name);
    if (asked == options.keep_fields.end()) {
      options.keep_fields.push_back({field.name, field.type, false});
    } else if (asked->type.value_or(field.type) != field.type) {
      throw Error(ErrorCode::usage, "field '" + field.name + "' is a " + to_string(field.type) +
                                        " in the index, and cannot be kept as a " +
                                        to_string(*asked->type));
    } else {
      asked->type = field.type;
    }
  }
  return options;
}

}  // namespace navvy
