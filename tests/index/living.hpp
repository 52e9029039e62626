#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "navvy/edit.hpp"
#include "navvy/loaders.hpp"
#include "navvy/text.hpp"
#include "navvy/writer.hpp"
#include "support/small_texts.hpp"
#include "support/temporary_folder.hpp"

namespace navvy::test {

template <class T>
std::vector<T> listed(const Array<T>& values) {
  return {values.begin(), values.end()};
}

/// Every part that a search or a listing of results can see, exactly.
inline void expect_same(const Index& a, const Index& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(listed(a.vocabulary.numbers()), listed(b.vocabulary.numbers()));
  EXPECT_EQ(a.vocabulary.words().to_vector(), b.vocabulary.words().to_vector());
  EXPECT_EQ(listed(a.vocabulary.coordinates()), listed(b.vocabulary.coordinates()));
  EXPECT_EQ(listed(a.rows.offsets()), listed(b.rows.offsets()));
  EXPECT_EQ(listed(a.rows.coordinates()), listed(b.rows.coordinates()));
  EXPECT_EQ(listed(a.rows.weights()), listed(b.rows.weights()));
  EXPECT_EQ(listed(a.rows.masses()), listed(b.rows.masses()));
  EXPECT_EQ(listed(a.counts), listed(b.counts));
  EXPECT_EQ(listed(a.labels), listed(b.labels));
  EXPECT_EQ(a.label_names.to_vector(), b.label_names.to_vector());
  EXPECT_EQ(a.ids.to_vector(), b.ids.to_vector());
  EXPECT_EQ(a.titles.to_vector(), b.titles.to_vector());
  EXPECT_EQ(a.snippets.to_vector(), b.snippets.to_vector());
  EXPECT_EQ(a.properties, b.properties);
  EXPECT_EQ(listed(a.frequencies), listed(b.frequencies));
  EXPECT_EQ(a.documents, b.documents);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(listed(a.vocabulary.lengths()), listed(b.vocabulary.lengths()));
  EXPECT_EQ(a.conditioning, b.conditioning);
  const Vocabulary& a_beyond = a.beyond.vocabulary();
  const Vocabulary& b_beyond = b.beyond.vocabulary();
  EXPECT_EQ(listed(a_beyond.numbers()), listed(b_beyond.numbers()));
  EXPECT_EQ(a_beyond.words().to_vector(), b_beyond.words().to_vector());
  EXPECT_EQ(listed(a_beyond.coordinates()), listed(b_beyond.coordinates()));
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    EXPECT_EQ(a.fields[i].name, b.fields[i].name);
    EXPECT_EQ(a.fields[i].type, b.fields[i].type);
    for (std::size_t row = 0; row < a.rows.size(); ++row)
      EXPECT_EQ(a.fields[i].text(row), b.fields[i].text(row));
  }
}

/// Words beyond the corpus are kept as well.
inline TextRecipe recipe_with_query_words(Weighting weighting, std::uint32_t condition = 0) {
  TextRecipe recipe = small_recipe(weighting, condition);
  recipe.query_words = all_words;
  return recipe;
}

/// "n17".
inline std::string numbered(const char* name, int number) {
  return std::string(name).append(std::to_string(number));
}

/// A random text over known, stop and unknown words; sometimes empty.
inline Document random_document(std::mt19937& rng, int number) {
  std::string text;
  const auto length = rng() % 8;
  for (unsigned i = 0; i < length; ++i) {
    const auto word = rng() % (small_words().size() + 1);
    text += word < small_words().size() ? small_words()[word] : "zebra";
    text += ' ';
  }
  const char* labels[] = {"", "a", "b", "c"};
  return document("d" + std::to_string(number), text, labels[rng() % 4]);
}

/// Rows without names over four points on a line.
inline Index histograms(std::size_t rows) {
  HistogramsBuilder builder(4);
  for (std::size_t row = 0; row < rows; ++row)
    builder.add(std::vector<std::uint32_t>{0, 1, 2, 3},
                std::vector<double>{1.0 + static_cast<double>(row), 1, 2, 3});
  return index_histograms(builder.build(), Vocabulary(1, Array(std::vector<float>{0, 1, 2, 3})));
}

/// A folder with a file of vectors and one for an index.
class Living : public ::testing::Test {
 protected:
  Living() { write_small_vectors(vectors_); }

  Index build(const std::vector<Document>& documents, Weighting weighting = Weighting::tf,
              std::uint32_t condition = 0) const {
    return build_text(documents, vectors_, recipe_with_query_words(weighting, condition)).index;
  }

  Index rows_for(const IndexWriter& writer, const std::vector<Document>& documents,
                 bool replacing = false) const {
    return text_rows(writer.outline(), documents, {vectors_, nullptr, {}, replacing}).index;
  }

  TemporaryFolder folder_;
  std::filesystem::path vectors_ = folder_ / "small.txt";
  std::filesystem::path path_ = folder_ / "x.navvy";
};

}  // namespace navvy::test
