// How `evaluate` and `demo` run measures and show their precision.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "app/evaluation.hpp"
#include "cli/terminal.hpp"
#include "navvy/search.hpp"

namespace navvy::cli {

/// What several measures are asked.
struct EvaluationAsked {
  std::span<const Measure> measures;
  EvaluateOptions options;                ///< of whose question the measure is not looked at
  const LabelledQueries* test = nullptr;  ///< null: the rows ask
};

/// Evaluates each measure in turn, with one bar for all of them; `done` is told of each.
std::vector<Evaluation> evaluate_all(const Searcher& searcher, const EvaluationAsked& asked,
                                     const std::function<void(const Evaluation&)>& done = {});

/// A table on stdout with a line per measure, written as soon as it is known.
class PrecisionTable {
 public:
  PrecisionTable(std::span<const Measure> measures, std::span<const std::size_t> tops);
  void add(const Evaluation& evaluation);

 private:
  std::vector<std::size_t> tops_;
  Table table_;
};

/// Which measures are the most precise, a line on stdout per length of lists.
void print_best(std::span<const Evaluation> results, std::span<const std::size_t> tops);

/// The precision of each label under each measure, a table on stdout per length of lists.
void print_classes(std::span<const Evaluation> results, std::span<const std::size_t> tops);

/// "0.9776 +-.001", with the character where the terminal has it.
std::string with_margin(const Estimate& estimate);

}  // namespace navvy::cli
