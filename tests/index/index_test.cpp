#include "navvy/index.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <utility>

#include "index/examples.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::error_of;
using test::full_index;
using ::testing::HasSubstr;

TEST(Index, NamesRowsByIdOrNumberAndLabel) {
  Index index = full_index();
  EXPECT_EQ(index.id(1), "b");
  EXPECT_EQ(index.label(1), "people");
  EXPECT_EQ(index.label(2), "");
  index.ids = {};
  index.labels = {};
  EXPECT_EQ(index.id(1), "1");
  EXPECT_EQ(index.label(1), "");
}

TEST(Validate, AcceptsEveryPartOrNone) {
  validate(full_index());
  validate(Index{});
}

// Each case breaks one rule of an index that is valid otherwise.
TEST(Validate, NamesWhatDoesNotFit) {
  const std::vector<std::string> twice = {"a", "a", "b", "c"};
  struct Case {
    std::function<void(Index&)> damage;
    std::string message;
  };
  const std::vector<Case> cases = {
      {[](Index& i) { i.labels = Array(std::vector<std::int32_t>{0}); }, "1 labels for 4 rows"},
      {[](Index& i) {
         i.labels = Array(std::vector<std::int32_t>{0, 1, -1, 2});
       },
       "row 3 has label 2, but there are 2 names"},
      {[](Index& i) {
         i.labels = Array(std::vector<std::int32_t>{0, 1, -2, 0});
       },
       "row 2 has label -2"},
      {[&](Index& i) { i.ids = Strings(twice); }, "id 'a' stands there twice"},
      {[&](Index& i) { i.label_names = Strings(twice); }, "label 'a' stands there twice"},
      {[](Index& i) { i.titles = Strings(std::vector<std::string>{"x"}); }, "1 titles for 4 rows"},
      {[](Index& i) { i.snippets = Strings(std::vector<std::string>{"x"}); }, "1 snippets for 4"},
      {[](Index& i) { i.counts = Array(std::vector<std::uint32_t>{1}); }, "1 counts for 6 bins"},
      {[](Index& i) { i.frequencies = Array(std::vector<std::uint32_t>{1}); },
       "1 frequencies for 3 coordinates"},
      {[](Index& i) {
         i.frequencies = Array(std::vector<std::uint32_t>{1, 5, 2});
         i.documents = 4;
       },
       "a word in 5 of 4 documents"},
      {[](Index& i) {
         i.fields = {{"x", FieldType::number, {}, {}, {}}};
       },
       "0 values of field 'x' for 4 rows"},
      {[](Index& i) { i.fields.resize(1); }, "field '': expected a name"},
      {[](Index& i) {
         i.fields = test::index_with_fields().fields;
         i.fields[1].name = "author";
       },
       "field 'author' stands there twice"},
      {[](Index& i) { i.properties["a=b"] = "c"; }, "property 'a=b'"},
      {[](Index& i) { i.properties["a"] = "two\nlines"; }, "property 'a'"},
      {[](Index& i) { i.vocabulary = {}; },
       "rows refer to 3 coordinates, but the vocabulary has 0"},
      {[](Index& i) {
         i.rows = Histograms(3, Array(std::vector<std::uint64_t>{0, 1, 1, 1, 1}),
                             Array(std::vector<std::uint32_t>{0}), Array(std::vector<float>{0.9F}));
         i.counts = {};
       },
       "row 0: weights sum to 0.9"},
      {[](Index& i) {
         i.vocabulary = Vocabulary(70000, Array<float>{});
         i.rows = {};
       },
       "70000 dimensions, expected at most 65536"},
  };
  for (const Case& c : cases) {
    Index index = full_index();
    c.damage(index);
    EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { validate(index); }), HasSubstr(c.message));
  }
}

void expect_equal(const Strings& a, const Strings& b) { EXPECT_EQ(a.to_vector(), b.to_vector()); }

template <class T>
void expect_equal(const Array<T>& a, const Array<T>& b) {
  EXPECT_TRUE(std::ranges::equal(a, b));
}

void expect_equal(const Index& a, const Index& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.vocabulary.dimensions(), b.vocabulary.dimensions());
  expect_equal(a.vocabulary.coordinates(), b.vocabulary.coordinates());
  expect_equal(a.vocabulary.numbers(), b.vocabulary.numbers());
  expect_equal(a.vocabulary.words(), b.vocabulary.words());
  EXPECT_EQ(a.rows.vocabulary_size(), b.rows.vocabulary_size());
  expect_equal(a.rows.offsets(), b.rows.offsets());
  expect_equal(a.rows.coordinates(), b.rows.coordinates());
  expect_equal(a.rows.weights(), b.rows.weights());
  expect_equal(a.rows.masses(), b.rows.masses());
  expect_equal(a.counts, b.counts);
  expect_equal(a.labels, b.labels);
  expect_equal(a.label_names, b.label_names);
  expect_equal(a.ids, b.ids);
  expect_equal(a.titles, b.titles);
  expect_equal(a.snippets, b.snippets);
  EXPECT_EQ(a.properties, b.properties);
  expect_equal(a.frequencies, b.frequencies);
  EXPECT_EQ(a.documents, b.documents);
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    EXPECT_EQ(a.fields[i].name, b.fields[i].name);
    EXPECT_EQ(a.fields[i].type, b.fields[i].type);
    expect_equal(a.fields[i].texts, b.fields[i].texts);
    expect_equal(a.fields[i].numbers, b.fields[i].numbers);
    expect_equal(a.fields[i].dates, b.fields[i].dates);
  }
}

TEST(IndexFile, SavingAndOpeningChangesNoBit) {
  const test::TemporaryFolder folder;
  for (const Index& index : {full_index(), test::index_with_fields(), Index{}}) {
    save_index(index, folder / "x.navvy");
    expect_equal(open_index(folder / "x.navvy"), index);
    const std::string saved = test::read_file(folder / "x.navvy");
    EXPECT_EQ(saved, test::image_of(index));
    EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(saved)), to_bytes(index)));
  }
}

TEST(IndexFile, OpensFromBytesWhereverTheyLie) {
  const std::vector<std::byte> file = to_bytes(full_index());
  const auto memory = index::aligned_memory(file.size() + 1);
  for (const std::size_t shift : {0U, 1U}) {
    std::byte* const start = memory.get() + shift;
    std::ranges::copy(file, start);
    const Index opened = open_index(Array<std::byte>({start, file.size()}, memory));
    expect_equal(opened, full_index());
    const auto* const place = reinterpret_cast<const std::byte*>(opened.rows.weights().data());
    const bool refers = place >= start && place < start + file.size();
    EXPECT_EQ(refers, shift == 0) << "aligned bytes are not copied, others are";
  }
}

TEST(IndexFile, BytesInMemoryAreCheckedLikeAFile) {
  std::vector<std::byte> file = to_bytes(full_index());
  file.back() = std::byte{1};
  EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { open_index(Array(file)); }),
              HasSubstr("index in memory: byte"));
  EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { open_index(Array<std::byte>{}); }),
              HasSubstr("length is 0 bytes"));
}

// Beyond the size where files are mapped rather than copied.
TEST(IndexFile, LargeFilesAreMappedAndOutliveTheirName) {
  HistogramsBuilder builder(100);
  std::vector<std::uint32_t> coordinates(100);
  std::vector<double> weights(100, 1);
  for (std::uint32_t i = 0; i < 100; ++i) coordinates[i] = i;
  for (int row = 0; row < 3000; ++row) builder.add(coordinates, weights);
  Index index;
  index.vocabulary = Vocabulary(1, Array(std::vector<float>(100)));
  index.rows = builder.build();
  const test::TemporaryFolder folder;
  save_index(index, folder / "x.navvy");
  ASSERT_GT(std::filesystem::file_size(folder / "x.navvy"), std::size_t{1} << 20);
  const Index opened = open_index(folder / "x.navvy");
  std::filesystem::remove(folder / "x.navvy");
  expect_equal(opened, index);
}

TEST(IndexFile, SectionsAreAlignedAndInTheOrderOfTheirKinds) {
  const std::string image = test::image_of(full_index());
  index::Head head{};
  std::memcpy(&head, image.data(), sizeof(head));
  EXPECT_EQ(head.file_bytes, image.size());
  EXPECT_EQ(head.sections, 19U);
  EXPECT_EQ(image.size() % 64, 0U);
  for (std::uint32_t i = 0; i < head.sections; ++i) {
    index::Section section{};
    std::memcpy(&section, image.data() + sizeof(head) + i * sizeof(section), sizeof(section));
    EXPECT_EQ(section.kind, i + 1);
    EXPECT_EQ(section.offset % 64, 0U);
  }
}

TEST(IndexFile, VersionOneIsReadForEver) {
  const Index kept = open_index(std::filesystem::path(NAVVY_TEST_DATA) / "index-v1.navvy");
  expect_equal(kept, full_index());
}

TEST(IndexFile, ErrorsOfTheSystemHaveItsNumberAndTheFile) {
  const test::TemporaryFolder folder;
  const auto caught = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return std::pair(error.system_error(), error.file() ? *error.file() : "none");
    }
    return std::pair(0, std::string("nothing was thrown"));
  };
  const std::string missing = (folder / "missing").string();
  EXPECT_EQ(caught([&] { open_index(missing); }), std::pair(ENOENT, missing));
  EXPECT_EQ(caught([&] { open_index(folder.path()); }), std::pair(EISDIR, folder.path().string()));
  EXPECT_EQ(caught([&] { save_index(full_index(), folder.path()); }),
            std::pair(EISDIR, folder.path().string()));
  EXPECT_EQ(caught([&] { open_index("/dev/null"); }), std::pair(0, std::string("none")));
}

TEST(IndexFile, WhatIsNoIndexFailsWithOneLine) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "empty", "");
  test::write_file(folder / "text", std::string(1000, 'x'));
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { open_index(folder / "missing"); }),
              HasSubstr("missing: cannot open: No such file or directory"));
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { open_index(folder.path()); }),
              HasSubstr("is a directory, expected a file"));
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { open_index("/dev/null"); }),
              HasSubstr("/dev/null: is a device"));
  EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { open_index(folder / "empty"); }),
              HasSubstr("empty: length is 0 bytes, expected at least 64"));
  EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { open_index(folder / "text"); }),
              HasSubstr("text: byte 0: this is not a navvy index"));
}

TEST(IndexFile, AnInvalidIndexIsNotSaved) {
  const test::TemporaryFolder folder;
  Index index = full_index();
  index.ids = Strings(std::vector<std::string>{"a"});
  error_of(ErrorCode::bad_input, [&] { save_index(index, folder / "x.navvy"); });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace navvy
