#pragma once

#include <array>
#include <string>
#include <vector>

#include "index/living.hpp"

/// Small index files with a manifest, as the library writes them.
namespace navvy::test {

inline Index with_fields(Index index, const std::string& author) {
  const std::size_t rows = index.rows.size();
  const std::vector<std::string> authors(rows, author);
  const std::vector<std::string> days(rows, "1999-12-31");
  const std::vector<std::string> years(rows, "1999");
  set_fields(index, {make_field("author", FieldType::text, authors),
                     make_field("day", FieldType::date, days),
                     make_field("year", FieldType::number, years)});
  return index;
}

/// Texts with every part, of which some were added, removed and replaced.
inline std::string edited_texts(const TemporaryFolder& folder, Weighting weighting,
                                std::uint32_t condition = 0) {
  const auto path = folder / "texts.navvy";
  const auto vectors = folder / "small.txt";
  if (condition > 0)
    write_wide_vectors(vectors);
  else
    write_small_vectors(vectors);
  const std::vector<Document> first = {document("a", "cat dog", "x"),
                                       document("b", "dog runs", "y"), document("c", "")};
  const TextRecipe recipe = recipe_with_query_words(weighting, condition);
  save_index(with_fields(build_text(first, vectors, recipe).index, "Ann"), path);
  IndexWriter writer(path, {.wait = 1, .tidy = false, .progress = {}});
  const auto rows = [&](const std::vector<Document>& documents) {
    return text_rows(writer.outline(), documents, {vectors, nullptr, {}, true}).index;
  };
  writer.add(with_fields(rows({document("d", "fish fast", "y"), document("e", "cat slow")}), ""));
  writer.remove(std::vector<std::string>{"b"});
  writer.update(rows({document("d", "Paris fish", "z"), document("f", "dog")}));
  return read_file(path);
}

/// So many segments that the next edit puts them together.
inline std::string many_segments(const TemporaryFolder& folder) {
  const auto path = folder / "many.navvy";
  save_index(histograms(2), path);
  IndexWriter writer(path, {.wait = 1, .tidy = false, .progress = {}});
  for (int i = 0; i < 7; ++i) writer.add(histograms(1));
  writer.remove(std::vector<std::string>{"4", "5"});
  return read_file(path);
}

/// Pictures without ids, each of other pixels.
inline std::string edited_images(const TemporaryFolder& folder) {
  const auto path = folder / "images.navvy";
  const auto picture = [](std::vector<std::uint8_t> pixels) {
    Images images;
    images.count = static_cast<std::uint32_t>(pixels.size() / 6);
    images.height = 2;
    images.width = 3;
    images.pixels = std::move(pixels);
    return index_images(images, ZeroBins::drop);
  };
  save_index(picture({0, 1, 2, 0, 0, 0, 3, 1, 0, 0, 0, 0}), path);
  IndexWriter writer(path, {.wait = 1, .tidy = false, .progress = {}});
  writer.add(picture({0, 0, 0, 4, 5, 1, 1, 1, 1, 1, 1, 1}));
  writer.remove(std::vector<std::string>{"0"});
  writer.add(picture({0, 0, 7, 0, 0, 7}));
  return read_file(path);
}

inline std::vector<std::string> edited_files(const TemporaryFolder& folder) {
  return {edited_texts(folder, Weighting::tfidf),
          many_segments(folder),
          edited_images(folder),
          edited_texts(folder, Weighting::tf),
          edited_texts(folder, Weighting::sif),
          edited_texts(folder, Weighting::norm, 1)};
}

}  // namespace navvy::test
