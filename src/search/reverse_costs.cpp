#include "search/reverse_costs.hpp"

namespace navvy::search {

ReverseCosts::ReverseCosts(const Engine& engine, const Measure& measure)
    : engine_(engine), levels_(backends::levels_of(measure)), nearest_(*engine.small) {}

void ReverseCosts::set_query(const Histogram& query) {
  query_ = query;
  ends_ = backends::piece_ends(engine_.index.vocabulary, query);
}

float ReverseCosts::operator()(std::size_t row) {
  const Histogram target = engine_.index.rows[row];
  nearest_.set_query(target);
  const std::size_t levels =
      levels_.finish ? target.size() : static_cast<std::size_t>(levels_.count);
  return cost_(query_, ends_, levels,
               [&](std::size_t bin, std::span<float> capacities, std::span<float> steps) {
                 return nearest_.find_for(query_.weights[bin], query_.coordinates[bin],
                                          levels_.overflow, {capacities, steps});
               });
}

}  // namespace navvy::search
