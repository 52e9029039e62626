// Precision of several measures, and how answers were reached.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/choice.hpp"
#include "app/json.hpp"
#include "app/queries.hpp"
#include "navvy/search.hpp"

namespace navvy::app {

/// The question under another measure, with its price only where that has one of its own.
Question under(Question question, const Measure& measure);

/// A list with an entry per measure, with its precision at some of the lengths.
Json evaluation_json(std::span<const Evaluation> results, std::span<const std::size_t> tops);
Json stages_json(std::span<const SearchCounters::Stage> stages);
Json counters_json(const SearchCounters& counters);

/// An evaluation among some rows by a backend.
struct EvaluationRun {
  const Index& index;
  std::span<const Evaluation> results;  ///< at least one
  std::span<const std::size_t> tops;    ///< to be told
  const EvaluateOptions& options;
  std::string backend;
  const ChosenRows& chosen;
  std::filesystem::path test = {};  ///< where the queries come from; empty: the rows ask
};

/// The document of an evaluation.
Json evaluation_document(const EvaluationRun& run);

/// The labels that ask and that no row of the index has.
std::vector<std::string> unknown_labels(const Index& index, const Evaluation& evaluation);

/// Queries out of a file as a test set; throws Error(bad_input) where none has a label.
LabelledQueries labelled(const Queries& queries, const std::filesystem::path& file);

}  // namespace navvy::app
