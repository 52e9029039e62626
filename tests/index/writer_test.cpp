// Edits of files: whatever their order, the file holds what an index built at once would.
#include "navvy/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "index/examples.hpp"
#include "index/living.hpp"
#include "index/parts.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::document;
using test::error_of;
using test::expect_same;
using test::Living;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The same edits to a file and to a list of documents.
struct Model {
  std::vector<Document> documents;
  int next = 0;

  std::vector<Document> more(std::mt19937& rng, std::size_t most) {
    std::vector<Document> made;
    for (auto i = rng() % most; i > 0; --i) made.push_back(test::random_document(rng, next++));
    return made;
  }

  void replace(const std::vector<Document>& made) {
    for (const Document& document : made)
      std::erase_if(documents, [&](const Document& old) { return old.id == document.id; });
    documents.insert(documents.end(), made.begin(), made.end());
  }
};

class Writer : public Living {
 protected:
  void edit(IndexWriter& writer, Model& model, std::mt19937& rng) {
    const auto action = rng() % 5;
    if (action == 0 && model.documents.size() > 1) {
      std::vector<std::string> ids;
      for (auto i = 1 + rng() % 2; i > 0; --i) {
        const auto victim = rng() % model.documents.size();
        if (std::ranges::find(ids, model.documents[victim].id) == ids.end())
          ids.push_back(model.documents[victim].id);
      }
      writer.remove(ids);
      std::erase_if(model.documents, [&](const Document& document) {
        return std::ranges::find(ids, document.id) != ids.end();
      });
    } else if (action == 1) {
      std::vector<Document> made = model.more(rng, 4);
      if (!model.documents.empty() && !made.empty())
        made[0].id = model.documents[rng() % model.documents.size()].id;
      writer.update(rows_for(writer, made, true));
      model.replace(made);
    } else if (action == 2 && rng() % 4 == 0) {
      writer.compact();
    } else {
      const std::vector<Document> made = model.more(rng, 4);
      writer.add(rows_for(writer, made));
      model.replace(made);
    }
  }
};

TEST_F(Writer, AnySequenceEqualsABuildAtOnce) {
  const unsigned most = test::thorough() ? 600 : 60;
  test::write_wide_vectors(vectors_);
  for (unsigned seed = 1; seed <= most; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const Weighting weighting = test::weightings[seed % std::size(test::weightings)];
    const unsigned condition = seed / 6 % 3;
    Model model;
    model.replace({test::random_document(rng, model.next++)});
    save_index(build(model.documents, weighting, condition), path_);
    for (int step = 0; step < 25; ++step) {
      IndexWriter writer(path_, {.wait = 0, .tidy = seed % 2 == 0, .progress = {}});
      edit(writer, model, rng);
    }
    const Index opened = open_index(path_);
    verify(opened);
    expect_same(reweighed(opened), build(model.documents, weighting, condition));
    const auto facts = file_facts(path_);
    EXPECT_EQ(facts.leftover, 0U);
    EXPECT_TRUE(seed % 2 == 1 || facts.segments.size() < 10) << facts.segments.size();
    { IndexWriter(path_).compact(true); }
    expect_same(open_index(path_), build(model.documents, weighting, condition));
    EXPECT_EQ(file_facts(path_).segments.size(), 1U);
    if (HasFailure()) return;
  }
}

TEST_F(Writer, RowsKeepTheirWeightsUntilTheyAreWeighedAnew) {
  save_index(build({document("a", "cat dog"), document("b", "dog fish")}, Weighting::tfidf), path_);
  const Index before = open_index(path_);
  {
    IndexWriter writer(path_);
    writer.add(rows_for(writer, {document("c", "cat runs"), document("d", "cat dog")}));
  }
  const Index after = open_index(path_);
  EXPECT_EQ(after.documents, 2U);
  ASSERT_EQ(after.rows.size(), 4U);
  EXPECT_TRUE(std::ranges::equal(before.rows[0].weights, after.rows[0].weights));
  // The same text weighs the same, whenever it came.
  EXPECT_TRUE(std::ranges::equal(after.rows[0].weights, after.rows[3].weights));
  EXPECT_EQ(file_facts(path_).drift, 1.0);
  { IndexWriter(path_).compact(); }
  EXPECT_EQ(file_facts(path_).drift, 1.0);
  expect_same(open_index(path_), after);
  { IndexWriter(path_).compact(true); }
  EXPECT_EQ(file_facts(path_).drift, 0.0);
  EXPECT_EQ(open_index(path_).documents, 4U);
}

TEST_F(Writer, NumbersThatServeAsIdsLast) {
  save_index(test::histograms(3), path_);
  {
    IndexWriter writer(path_);
    writer.add(test::histograms(2));
    EXPECT_TRUE(open_index(path_).ids.empty());
    writer.remove(std::vector<std::string>{"1", "4"});
    EXPECT_THAT(open_index(path_).ids.to_vector(), ElementsAre("0", "2", "3"));
    writer.add(test::histograms(1));
    EXPECT_THAT(open_index(path_).ids.to_vector(), ElementsAre("0", "2", "3", "5"));
    EXPECT_THAT(error_of(ErrorCode::usage, [&] { writer.remove(std::vector<std::string>{"1"}); }),
                HasSubstr("no row has the id '1'"));
    EXPECT_THROW(writer.remove(std::vector<std::string>{"05"}), Error);
    writer.compact();
    writer.add(test::histograms(1));
  }
  EXPECT_THAT(open_index(path_).ids.to_vector(), ElementsAre("0", "2", "3", "5", "6"));
}

TEST_F(Writer, RefusesWhatDoesNotFitAndChangesNothing) {
  save_index(build({document("a", "cat dog")}), path_);
  const std::string before = test::read_file(path_);
  IndexWriter writer(path_);
  const Index twice = build({document("a", "cat")});
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { writer.add(twice); }),
              HasSubstr("id 'a' stands in the index already"));
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] { writer.add(build({document("b", "cat")}, Weighting::log)); }),
              HasSubstr("indexes differ in weighting"));
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { writer.update(test::histograms(1)); }),
              HasSubstr("rows without ids"));
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { rows_for(writer, {document("a", "dog")}); }),
              HasSubstr("its id 'a' is that of a document of the index"));
  EXPECT_EQ(test::read_file(path_), before);
}

TEST_F(Writer, AFileOfVersionOneIsBroughtUpByItsFirstEdit) {
  const auto golden = std::filesystem::path(NAVVY_TEST_DATA) / "index-v1.navvy";
  std::filesystem::copy_file(golden, path_);
  EXPECT_EQ(file_facts(path_).version, 1U);
  const std::string before = test::read_file(path_);
  { IndexWriter(path_).remove(std::vector<std::string>{"b"}); }
  const auto facts = file_facts(path_);
  EXPECT_EQ(facts.version, 2U);
  EXPECT_EQ(facts.edits, 1U);
  EXPECT_THAT(open_index(path_).ids.to_vector(), ElementsAre("a", "", "d"));
  // All but the head is what it was.
  EXPECT_EQ(test::read_file(path_).substr(64, before.size() - 64), before.substr(64));
}

// The golden file was made by these edits; NAVVY_WRITE_GOLDEN names where to make it once more.
TEST_F(Writer, VersionTwoIsReadForEver) {
  Index base = test::index_with_fields();
  base.properties = {{"weighting", "tf"}};
  base.rows = test::without_masses(base.rows);
  base.frequencies = {};
  base.documents = 0;
  Index rows = base;
  rows.ids = Strings(std::vector<std::string>{"e", "f", "g", "b"});
  rows.vocabulary = Vocabulary(2, Array(std::vector<float>{0, 1, 3, 4, 0.5F, -0.5F}),
                               Array(std::vector<std::uint32_t>{7, 9, 4000000000U}),
                               Strings(std::vector<std::string>{"moves", "spade", "navvy"}));
  rows.fields.pop_back();
  save_index(base, path_);
  {
    IndexWriter writer(path_);
    writer.update(rows);
    writer.remove(std::vector<std::string>{"a", "f"});
  }
  if (const char* target = std::getenv("NAVVY_WRITE_GOLDEN"))
    std::filesystem::copy_file(path_, target);
  const auto golden = std::filesystem::path(NAVVY_TEST_DATA) / "index-v2.navvy";
  const Index kept = open_index(golden);
  EXPECT_THAT(kept.ids.to_vector(), ElementsAre("", "d", "e", "g", "b"));
  EXPECT_EQ(file_facts(golden).segments.size(), 2U);
  expect_same(kept, open_index(path_));
  EXPECT_EQ(test::read_file(golden), test::read_file(path_)) << "the same edits, the same bytes";
}

// New rows are weighed by the frequencies of the file, which no reader has checked.
TEST_F(Writer, AFileWhoseFrequenciesDoNotFitIsNotEdited) {
  save_index(build({document("a", "cat dog"), document("b", "fish")}, Weighting::tfidf), path_);
  for (const std::size_t size : {4U, 8U, 64U}) {
    test::FileParts parts(test::read_file(path_));
    parts.put(index::Kind::frequencies, index::Element::u32, std::string(size, '\0'));
    const auto path = folder_ / "changed.navvy";
    test::write_file(path, parts.image());
    EXPECT_THAT(error_of(ErrorCode::damaged_index, [&] { IndexWriter writer(path); }),
                HasSubstr(std::to_string(size / 4) + " frequencies for 3 coordinates"));
  }
}

TEST_F(Writer, AnEditWritesWhatChangesAndLittleMore) {
  std::vector<Document> many;
  std::mt19937 rng(1);
  for (int i = 0; i < 5000; ++i) many.push_back(test::random_document(rng, i));
  save_index(build(many), path_);
  const auto whole = std::filesystem::file_size(path_);
  {
    IndexWriter writer(path_);
    writer.add(rows_for(writer, {document("x", "cat dog"), document("y", "fish")}));
  }
  EXPECT_LT(std::filesystem::file_size(path_), whole + 4096);
  { IndexWriter(path_).remove(std::vector<std::string>{"x", "d17"}); }
  EXPECT_LT(std::filesystem::file_size(path_), whole + 8192);
}

TEST_F(Writer, SmallSegmentsArePutTogetherAndTheFileStaysSmall) {
  std::mt19937 rng(3);
  save_index(build({document("first", "cat dog")}), path_);
  std::vector<Document> all = {document("first", "cat dog")};
  std::size_t most = 0;
  for (int i = 0; i < 200; ++i) {
    IndexWriter writer(path_);
    all.push_back(test::random_document(rng, i));
    writer.add(rows_for(writer, {all.back()}));
    most = std::max(most, file_facts(path_).segments.size());
  }
  EXPECT_LT(most, 16U);
  expect_same(open_index(path_), build(all));
}

TEST_F(Writer, TheStateOfAFileTellsItsEdits) {
  save_index(build({document("a", "cat dog")}), path_);
  const OpenedIndex opened = open_with_state(path_);
  EXPECT_EQ(opened.state, file_state(path_));
  {
    IndexWriter writer(path_);
    writer.add(rows_for(writer, {document("b", "fish")}));
  }
  EXPECT_NE(opened.state, file_state(path_));
  EXPECT_EQ(opened.index.rows.size(), 1U) << "a reader keeps the state that it opened";
}

}  // namespace
}  // namespace navvy
