// Fills the columns of each measure.
#include "cli/evaluation_records.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "cli/records.hpp"

namespace navvy::cli {
namespace {

struct PrecisionLine {
  const Evaluation& evaluation;
  std::size_t top;
  std::string label;
  std::uint64_t queries;
  Estimate precision;
};

void print_record(const PrecisionLine& line, Output output) {
  const auto text = [](auto number) { return fmt::format("{}", number); };
  fmt::print("{}\n", record({to_string(line.evaluation.measure), text(line.top), line.label,
                             text(line.queries), text(line.precision.mean),
                             text(line.precision.low), text(line.precision.high),
                             text(line.evaluation.seconds), text(line.evaluation.cpu_seconds)},
                            output));
}

}  // namespace

void print_records(std::span<const Evaluation> results, std::span<const std::size_t> tops,
                   Output output, bool per_class) {
  fmt::print("{}\n", record({"measure", "top", "label", "queries", "precision", "low", "high",
                             "seconds", "cpu_seconds"},
                            output));
  for (const Evaluation& result : results) {
    for (const std::size_t top : tops) {
      const std::size_t place = result.place_of(top);
      print_record({result, top, "", result.queries, result.precision[place]}, output);
      if (!per_class) continue;
      for (const ClassPrecision& label : result.classes)
        print_record({result, top, label.label, label.queries, label.precision[place]}, output);
    }
  }
}

}  // namespace navvy::cli
