// Precision of several measures, and how answers were reached.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/choice.hpp"
#include "app/json.hpp"
#include "navvy/search.hpp"

namespace navvy::app {

struct MeasureResult {
  Measure measure;
  Evaluation evaluation;
};

/// The results for some of the list lengths that were evaluated.
std::vector<MeasureResult> selected(std::vector<MeasureResult> results,
                                    std::span<const std::size_t> all,
                                    std::span<const std::size_t> wanted);

/// A list with an entry per measure.
Json evaluation_json(std::span<const MeasureResult> results, std::span<const std::size_t> tops);
Json stages_json(std::span<const SearchCounters::Stage> stages);
Json counters_json(const SearchCounters& counters);

/// The document of an evaluation among some rows by a backend; `results` are those at `tops`, and
/// at least one.
Json evaluation_document(const Index& index, std::span<const MeasureResult> results,
                         std::span<const std::size_t> tops, const SearchOptions& options,
                         const std::string& backend, const ChosenRows& chosen);

}  // namespace navvy::app
