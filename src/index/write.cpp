// Lays out an index as a file and writes it.
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/parallel.hpp"
#include "index/format.hpp"
#include "index/lock.hpp"
#include "index/save.hpp"
#include "navvy/error.hpp"
#include "navvy/writer.hpp"

namespace navvy::index {
namespace {

Strings property_lines(const Index& index) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : index.properties) lines.push_back(key + "=" + value);
  return Strings(lines);
}

// "number year": the type, then the name, which may hold anything.
Strings field_lines(const Index& index) {
  std::vector<std::string> lines;
  for (const Field& field : index.fields) lines.push_back(to_string(field.type) + " " + field.name);
  return Strings(lines);
}

Array<std::uint64_t> documents_of(const Index& index) {
  if (index.frequencies.empty()) return {};
  std::vector<std::uint64_t> counted{index.documents};
  if (index.tokens > 0) counted.push_back(index.tokens);
  return Array(std::move(counted));
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

FileImage::FileImage(const Index& index)
    : properties_(property_lines(index)),
      field_names_(field_lines(index)),
      documents_(documents_of(index)) {
  add_parts(index, nullptr);
  lay_out();
  make_head(index);
}

// How rows were made is told by the first segment alone.
FileImage::FileImage(const Index& part, const Array<std::uint32_t>& references)
    : field_names_(field_lines(part)) {
  add_parts(part, &references);
  lay_out();
  make_head(part);
}

std::uint64_t FileImage::table_checksum() const noexcept {
  return checksum(std::span(head_).subspan(sizeof(Head)));
}

template <class T>
void FileImage::add(Kind kind, const Array<T>& values) {
  const std::span<const std::byte> bytes = std::as_bytes(values.span());
  const auto number = static_cast<std::uint32_t>(kind);
  parts_.push_back({{number, is_optional(number) ? flag_optional : 0,
                     static_cast<std::uint32_t>(element_of<T>()), 0, 0, bytes.size(), values.size(),
                     checksum(bytes)},
                    bytes});
}

void FileImage::add(Kind offsets, Kind bytes, const Strings& strings) {
  if (strings.empty()) return;
  add(offsets, strings.offsets());
  add(bytes, strings.bytes());
}

void FileImage::add_parts(const Index& index, const Array<std::uint32_t>* references) {
  add(Kind::coordinates, index.vocabulary.coordinates());
  add(Kind::numbers, index.vocabulary.numbers());
  add(Kind::word_offsets, Kind::word_bytes, index.vocabulary.words());
  add(Kind::row_offsets, index.rows.offsets());
  add(Kind::row_coordinates, index.rows.coordinates());
  add(Kind::row_weights, index.rows.weights());
  if (!index.counts.empty()) add(Kind::counts, index.counts);
  if (!index.labels.empty()) add(Kind::labels, index.labels);
  add(Kind::label_name_offsets, Kind::label_name_bytes, index.label_names);
  add(Kind::id_offsets, Kind::id_bytes, index.ids);
  add(Kind::title_offsets, Kind::title_bytes, index.titles);
  add(Kind::snippet_offsets, Kind::snippet_bytes, index.snippets);
  add(Kind::property_offsets, Kind::property_bytes, properties_);
  if (!index.frequencies.empty()) add(Kind::frequencies, index.frequencies);
  if (!documents_.empty()) add(Kind::documents, documents_);
  if (references != nullptr) add(Kind::references, *references);
  add(Kind::field_name_offsets, Kind::field_name_bytes, field_names_);
  if (references == nullptr && index.beyond.kept()) add_beyond(index);
  if (references == nullptr && !index.conditioning.empty())
    add(Kind::conditioning, index.conditioning.values());
  if (!index.rows.masses().empty()) add(Kind::masses, index.rows.masses());
  if (!beyond_.lengths().empty()) add(Kind::beyond_lengths, beyond_.lengths());
  if (!index.vocabulary.lengths().empty()) add(Kind::lengths, index.vocabulary.lengths());
  add_fields(index);
}

void FileImage::add_beyond(const Index& index) {
  beyond_ = index.beyond.vocabulary();
  add(Kind::beyond_coordinates, beyond_.coordinates());
  add(Kind::beyond_numbers, beyond_.numbers());
  add(Kind::beyond_word_offsets, Kind::beyond_word_bytes, beyond_.words());
}

void FileImage::add_fields(const Index& index) {
  for (std::size_t i = 0; i < index.fields.size(); ++i) {
    const Field& field = index.fields[i];
    switch (field.type) {
      case FieldType::text:
        add(field_kind(i), field_kind(i, true), field.texts);
        break;
      case FieldType::number:
        add(field_kind(i), field.numbers);
        break;
      case FieldType::date:
        add(field_kind(i), field.dates);
        break;
    }
  }
}

void FileImage::lay_out() {
  std::uint64_t end = sizeof(Head) + parts_.size() * sizeof(Section);
  for (Part& part : parts_) {
    part.section.offset = aligned(end);
    end = part.section.offset + part.section.bytes;
  }
  bytes_ = aligned(end);
}

void FileImage::make_head(const Index& index) {
  Head head{};
  head.magic = magic;
  head.version = format_version;
  head.byte_order = byte_order_mark;
  head.file_bytes = bytes_;
  head.sections = static_cast<std::uint32_t>(parts_.size());
  head.data_kind = static_cast<std::uint32_t>(index.kind);
  head.dimensions = index.vocabulary.dimensions();
  head_.resize(sizeof(Head) + parts_.size() * sizeof(Section));
  std::byte* place = head_.data() + sizeof(Head);
  for (const Part& part : parts_) {
    std::memcpy(place, &part.section, sizeof(Section));
    place += sizeof(Section);
  }
  std::memcpy(head_.data(), &head, sizeof(Head));
  head.checksum = checksum(head_);
  std::memcpy(head_.data(), &head, sizeof(Head));
}

void FileImage::write(const ByteSink& sink) const {
  constexpr std::array<std::byte, alignment> zeros{};
  sink(head_);
  std::uint64_t end = head_.size();
  const auto pad = [&](std::uint64_t to) {
    sink(std::span(zeros).first(static_cast<std::size_t>(to - end)));
    end = to;
  };
  for (const Part& part : parts_) {
    pad(part.section.offset);
    sink(part.bytes);
    end += part.bytes.size();
  }
  pad(bytes_);
}

void write_image(const FileImage& image, core::Monitor& monitor, const ByteSink& sink) {
  monitor.begin("saving", image.bytes());
  image.write([&](std::span<const std::byte> bytes) {
    constexpr std::size_t piece = std::size_t{1} << 23;
    while (!bytes.empty()) {
      const auto next = bytes.first(std::min(bytes.size(), piece));
      sink(next);
      bytes = bytes.subspan(next.size());
      monitor.add(next.size());
      monitor.throw_if_stopped();
    }
  });
}

core::FileDescriptor replace_file(const Index& index, const std::filesystem::path& path,
                                  const ProgressCallback& progress) {
  validate(index);
  const FileImage image(index);
  core::Monitor monitor(progress);
  core::AtomicFile file(path);
  write_image(image, monitor, [&](auto bytes) { file.write(bytes); });
  return file.commit();
}

}  // namespace navvy::index

namespace navvy {

void save_index(const Index& index, const std::filesystem::path& path,
                const ProgressCallback& progress) {
  // Nobody may be editing what is replaced: the edit would be lost.
  const auto lock = index::WriteLock::if_there(path, WriterOptions().wait);
  index::replace_file(index, path, progress);
}

void save_index(const Index& index, const std::filesystem::path& path, const FileState& state,
                const ProgressCallback& progress) {
  const index::WriteLock lock(path, WriterOptions().wait);
  if (file_state(path) != state) {
    throw Error(ErrorCode::failed, core::display_name(path) +
                                       ": was edited by others since it was opened; nothing was "
                                       "written, since their work would be lost");
  }
  index::replace_file(index, path, progress);
}

std::vector<std::byte> to_bytes(const Index& index) {
  validate(index);
  const index::FileImage image(index);
  std::vector<std::byte> file;
  file.reserve(image.bytes());
  image.write([&](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  });
  return file;
}

}  // namespace navvy
