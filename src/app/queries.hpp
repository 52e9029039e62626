// What is searched for, wherever it came from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/arrays.hpp"
#include "app/choice.hpp"
#include "navvy/corpus.hpp"
#include "navvy/index.hpp"
#include "navvy/search.hpp"
#include "navvy/text.hpp"

namespace navvy::app {

struct Query {
  std::string name;                       ///< the text, or what the user called it
  std::optional<std::uint32_t> row = {};  ///< a row of the index: left out of its own matches
  std::vector<std::string> unknown = {};  ///< words of a text without a vector
  std::string error = {};                 ///< why there is nothing to search for; empty: there is
  std::string label = {};                 ///< of a query out of a file; empty: none
  std::string title = {};                 ///< one line for display, of a text out of a file
};

/// Queries with their histograms over a vocabulary of their own, of which the index may lack some.
/// A query with an error has an empty histogram.
struct Queries {
  std::vector<Query> list;
  Histograms histograms = {};
  Vocabulary vocabulary = {};
};

/// Gives the index the coordinates of the queries that it lacks, and the queries its vocabulary, so
/// that both can be shown together; rows stay what they are.
void bring_together(Index& index, Queries& queries);

/// Rows by number, id or range ("5", "doc-17", "0:100").
Queries row_queries(const Index& index, std::span<const std::string> rows);

Queries text_queries(const TextEncoder& encoder, std::span<const std::string> texts);

/// Texts of a corpus for an index of texts; images or histograms from `arrays` otherwise.
Queries file_queries(const Index& index, const std::filesystem::path& file, ArrayOptions arrays,
                     const CorpusOptions& corpus);

/// The rows of an index that a search may find, and how to find them.
class Finder {
 public:
  /// `backend`: who computes.
  Finder(const Index& index, ChosenRows chosen, const std::string& backend = default_backend());

  /// The name of who computes, as users know it.
  [[nodiscard]] const std::string& device() const noexcept { return device_; }

  [[nodiscard]] const ChosenRows& chosen() const noexcept { return chosen_; }

  /// As Searcher::search among the chosen rows; a row is left out of its own matches. Queries with
  /// errors have none.
  Matches find(const Queries& queries, SearchOptions options) const;

 private:
  ChosenRows chosen_;
  std::string device_;
  Searcher searcher_;
};

}  // namespace navvy::app
