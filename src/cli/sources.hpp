// Where rows come from: images, histograms or texts. `build`, `add` and `search --query-file` share
// these options.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/arrays.hpp"
#include "navvy/corpus.hpp"
#include "navvy/loaders.hpp"
#include "navvy/text.hpp"

namespace navvy::cli {

/// A corpus and how it is read.
struct TextSourceOptions {
  std::filesystem::path corpus;
  std::filesystem::path vectors;
  CorpusOptions corpus_options;
};

void add_array_options(CLI::App& command, app::ArrayOptions& options);
/// How pictures become images.
void add_picture_options(CLI::App& command, PictureOptions& options);
/// --corpus, --vectors, --keep-field and the options of add_corpus_options.
void add_text_source_options(CLI::App& command, TextSourceOptions& options);
/// How a corpus is read: format, fields, encoding.
void add_corpus_options(CLI::App& command, CorpusOptions& options);
/// How a text becomes a histogram, as told: what is named on its own counts before the paper's
/// setting.
struct RecipeOptions {
  bool as_in_paper = false;
  std::optional<Weighting> weighting;
  std::optional<std::uint32_t> query_words;
  TextRecipe others;  ///< what is the same in both settings, and what was told where they differ

  [[nodiscard]] TextRecipe recipe() const;
};

void add_recipe_options(CLI::App& command, RecipeOptions& options);

/// The arrays with what is told of their fields; those of rows that join an index also have the
/// fields that it has.
app::ArrayOptions with_field_options(app::ArrayOptions arrays, const CorpusOptions& options,
                                     const Index& joined = {});

/// Throws Error(usage) unless exactly one of images, histograms and corpus is given.
void require_one_source(const app::ArrayOptions& arrays, const TextSourceOptions& text);

}  // namespace navvy::cli
