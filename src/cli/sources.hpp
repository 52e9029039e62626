#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "navvy/corpus.hpp"
#include "navvy/index.hpp"
#include "navvy/text.hpp"

/// Where rows come from: images, histograms or texts. `build`, `add` and `search --queries` share
/// these options.
namespace navvy::cli {

/// Files of arrays: IDX images, or histograms with their coordinates.
struct ArrayOptions {
  std::filesystem::path images;
  std::filesystem::path histograms;
  std::filesystem::path coordinates;
  std::filesystem::path labels;
  std::filesystem::path ids;
  bool keep_zeros = false;
  bool normalize = false;
};

/// A corpus and how it is read.
struct TextSourceOptions {
  std::filesystem::path corpus;
  std::filesystem::path vectors;
  CorpusOptions corpus_options;
};

void add_array_options(CLI::App& command, ArrayOptions& options);
/// --corpus, --vectors and the options of add_corpus_options.
void add_text_source_options(CLI::App& command, TextSourceOptions& options);
/// How a corpus is read: format, fields, encoding.
void add_corpus_options(CLI::App& command, CorpusOptions& options);
/// How a text becomes a histogram.
void add_recipe_options(CLI::App& command, TextRecipe& recipe);

/// Throws Error(usage) unless exactly one of images, histograms and corpus is given.
void require_one_source(const ArrayOptions& arrays, const TextSourceOptions& text);

/// The rows of images or histograms as an index.
Index read_arrays(const ArrayOptions& options);

}  // namespace navvy::cli
