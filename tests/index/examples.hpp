#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "index/layout.hpp"
#include "index/mapped_file.hpp"
#include "navvy/index.hpp"

namespace navvy::test {

/// The rows without what they weighed, as older files have them.
inline Histograms without_masses(const Histograms& rows) {
  return {rows.vocabulary_size(), rows.offsets(), rows.coordinates(), rows.weights()};
}

/// A small index with every optional part of version 1: three words, four rows, one of them empty.
inline Index full_index() {
  const std::vector<std::string> words = {"earth", "moves", "navvy"};
  Index index;
  index.kind = DataKind::text;
  index.vocabulary =
      Vocabulary(2, Array(std::vector<float>{1, 0, 0, 1, 0.5F, -0.5F}),
                 Array(std::vector<std::uint32_t>{3, 7, 4000000000U}), Strings(words));
  HistogramsBuilder builder(3);
  builder.add(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1, 3});
  builder.add(std::vector<std::uint32_t>{2}, std::vector<double>{5});
  builder.add({}, {});
  builder.add(std::vector<std::uint32_t>{0, 1, 2}, std::vector<double>{1, 1, 1});
  index.rows = without_masses(builder.build());
  index.counts = Array(std::vector<std::uint32_t>{1, 3, 5, 1, 1, 1});
  index.labels = Array(std::vector<std::int32_t>{0, 1, -1, 0});
  index.label_names = Strings(std::vector<std::string>{"soil", "people"});
  index.ids = Strings(std::vector<std::string>{"a", "b", "", "d"});
  index.titles = Strings(std::vector<std::string>{"One", "Two", "", "Four"});
  index.snippets = Strings(std::vector<std::string>{"earth moves ...", "navvy", "", "all three"});
  index.properties = {{"weighting", "tf=1"}, {"empty", ""}};
  return index;
}

/// The same with what came with version 2 of the format.
inline Index index_with_fields() {
  Index index = full_index();
  index.rows = {3, index.rows.offsets(), index.rows.coordinates(), index.rows.weights(),
                Array(std::vector<double>{4, 5, 0, 3})};
  index.frequencies = Array(std::vector<std::uint32_t>{2, 2, 9});
  index.documents = 9;
  index.fields.push_back(
      {"author", FieldType::text, Strings(std::vector<std::string>{"Ann", "", "Bob", ""}), {}, {}});
  index.fields.push_back(
      {"year", FieldType::number, {}, Array(std::vector<double>{1990, 0.5, -1, 2e300}), {}});
  index.fields.push_back(
      {"day", FieldType::date, {}, {}, Array(std::vector<std::int64_t>{0, no_date, 86399, -1})});
  index.fields.push_back({"nothing", FieldType::text, {}, {}, {}});
  return index;
}

inline std::string image_of(const Index& index) {
  std::string bytes;
  index::FileImage(index).write([&](std::span<const std::byte> piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return bytes;
}

/// The bytes in memory of exactly their size, so that sanitizers see every step beyond it.
inline index::Bytes in_memory(const std::string& bytes) {
  const std::shared_ptr<std::byte> memory = index::aligned_memory(bytes.size());
  std::memcpy(memory.get(), bytes.data(), bytes.size());
  return {{memory.get(), bytes.size()}, memory};
}

inline Index read_image(const std::string& bytes, const OpenOptions& options = {}) {
  return index::read_index(in_memory(bytes), "x.navvy", options);
}

}  // namespace navvy::test
