// Writes the parts of an index as arrays of NumPy.
#include "navvy/export.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/characters.hpp"
#include "core/npz_writer.hpp"
#include "core/parallel.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

using TextOf = std::function<std::string_view(std::size_t)>;

// Every text takes as many places as the longest, four bytes each.
void add_texts(core::NpzWriter& npz, const std::string& name, std::size_t count,
               const TextOf& text_of) {
  constexpr std::size_t most_bytes = std::size_t{4} << 30U;
  std::size_t longest = 1;
  for (std::size_t i = 0; i < count; ++i)
    if (text_of(i).size() > longest) longest = std::max(longest, core::to_utf32(text_of(i)).size());
  if (count > most_bytes / sizeof(char32_t) / longest)
    throw Error(ErrorCode::limit, "'" + name + "': " + std::to_string(count) + " texts of up to " +
                                      std::to_string(longest) +
                                      " characters take more than 4 GB as an array; JSON lines "
                                      "have room for them");
  std::vector<char32_t> places(count * longest);
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(core::to_utf32(text_of(i)), places.data() + i * longest);
  npz.add(name, core::npy_head("<U" + std::to_string(longest), core::shape_of({count})),
          std::as_bytes(std::span<const char32_t>(places)));
}

void add_strings(core::NpzWriter& npz, const std::string& name, const Strings& strings,
                 const RowRange& range) {
  if (strings.empty()) return;
  add_texts(npz, name, range.size(), [&](std::size_t i) { return strings[range.begin + i]; });
}

// The matrix as scipy.sparse.save_npz writes it.
void add_weights(core::NpzWriter& npz, const Histograms& rows, const RowRange& range) {
  std::vector<std::int64_t> indptr{0};
  for (std::size_t row = range.begin; row < range.end; ++row)
    indptr.push_back(indptr.back() + static_cast<std::int64_t>(rows[row].size()));
  const std::size_t first = range.size() == 0 ? 0 : rows.offsets()[range.begin];
  const auto bins = static_cast<std::size_t>(indptr.back());
  const std::array<std::int64_t, 2> shape{static_cast<std::int64_t>(range.size()),
                                          static_cast<std::int64_t>(rows.vocabulary_size())};
  // SciPy wants signed numbers, and has the same bits for those that are not too large.
  const bool is_signed = rows.vocabulary_size() <= std::numeric_limits<std::int32_t>::max();
  npz.add_list("indices", is_signed ? "<i4" : "<u4",
               rows.coordinates().span().subspan(first, bins));
  npz.add_list("indptr", "<i8", std::span<const std::int64_t>(indptr));
  npz.add("format", core::npy_head("|S3", "()"), std::as_bytes(std::span<const char>("csr", 3)));
  npz.add_list("shape", "<i8", std::span<const std::int64_t>(shape));
  npz.add_list("data", "<f4", rows.weights().span().subspan(first, bins));
  if (!rows.masses().empty())
    npz.add_list("masses", "<f8", rows.masses().span().subspan(range.begin, range.size()));
  // Who builds an index again need not scale weights once more, which would change last bits.
  npz.add("scaled", core::npy_head("|S3", "()"), std::as_bytes(std::span<const char>("yes", 3)));
}

void add_vocabulary(core::NpzWriter& npz, const Vocabulary& vocabulary) {
  npz.add("coordinates",
          core::npy_head("<f4", core::shape_of({vocabulary.size(), vocabulary.dimensions()})),
          std::as_bytes(vocabulary.coordinates().span()));
  npz.add_list("numbers", "<u4", vocabulary.numbers().span());
  add_strings(npz, "words", vocabulary.words(), {0, vocabulary.size()});
}

void add_labels(core::NpzWriter& npz, const Index& index, const RowRange& range) {
  if (index.labels.empty()) return;
  add_texts(npz, "labels", range.size(), [&](std::size_t i) {
    const std::int32_t label = index.labels[range.begin + i];
    return label < 0 ? std::string_view() : index.label_names[static_cast<std::size_t>(label)];
  });
}

// Names of members are paths to programs that unpack archives.
std::string member_name(const std::string& field, std::set<std::string>& taken) {
  constexpr std::size_t longest = 200;
  std::string name = "field_" + field.substr(0, longest);
  for (char& c : name)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
  const std::string first_choice = name;
  for (std::size_t i = 2; !taken.insert(name).second; ++i)
    name = first_choice + "_" + std::to_string(i);
  return name;
}

void add_field(core::NpzWriter& npz, const std::string& name, const Field& field,
               const RowRange& range) {
  switch (field.type) {
    case FieldType::number:
      return npz.add_list(name, "<f8", field.numbers.span().subspan(range.begin, range.size()));
    case FieldType::date:
      // NumPy's NaT is the same number as no_date.
      return npz.add_list(name, "<M8[s]", field.dates.span().subspan(range.begin, range.size()));
    case FieldType::text:
      break;
  }
  add_texts(npz, name, range.size(), [&](std::size_t i) {
    return field.texts.empty() ? std::string_view() : field.texts[range.begin + i];
  });
}

}  // namespace

void export_npz(const Index& index, const RowRange& range, const std::filesystem::path& path,
                const ProgressCallback& progress) {
  require_range(range, index.rows.size());
  core::Monitor monitor(progress);
  monitor.begin("arrays", 6 + index.fields.size());
  core::NpzWriter npz(path);
  const auto step = [&](const auto& add) {
    monitor.throw_if_stopped();
    add();
    monitor.add(1);
  };
  step([&] { add_weights(npz, index.rows, range); });
  step([&] { add_vocabulary(npz, index.vocabulary); });
  step([&] { add_strings(npz, "ids", index.ids, range); });
  step([&] { add_labels(npz, index, range); });
  step([&] { add_strings(npz, "titles", index.titles, range); });
  step([&] { add_strings(npz, "snippets", index.snippets, range); });
  std::set<std::string> names;
  for (const Field& field : index.fields)
    step([&] { add_field(npz, member_name(field.name, names), field, range); });
  monitor.throw_if_stopped();
  npz.commit();
}

}  // namespace navvy
