// Picks the moves of a flow that matter and names their ends.
#include "app/moves.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace navvy::app {

std::string coordinate_name(const Index& index, std::uint32_t coordinate) {
  if (index.vocabulary.has_words()) return std::string(index.vocabulary.word(coordinate));
  if (index.kind == DataKind::images) {
    const auto place = index.vocabulary.coordinate(coordinate);
    std::string pixel = fmt::format("({:.0f},{:.0f})", place[0], place[1]);
    if (place.size() == 2) return pixel;
    constexpr const char* channels[] = {" red", " green", " blue"};
    return pixel + channels[index.vocabulary.number(coordinate) % 3];
  }
  return fmt::format("#{}", index.vocabulary.number(coordinate));
}

std::vector<NamedMove> largest_moves(const Index& index, const Histogram& p, const Histogram& q,
                                     std::span<const Move> flow, std::size_t count) {
  std::vector<Move> moves(flow.begin(), flow.end());
  double total = 0;
  for (const Move& move : moves) total += move.mass * move.distance;
  count = std::min(count, moves.size());
  // Ties by position, so that the answer is always the same.
  const auto dearer = [](const Move& a, const Move& b) {
    const double cost_a = a.mass * a.distance;
    const double cost_b = b.mass * b.distance;
    if (cost_a != cost_b) return cost_a > cost_b;
    if (a.mass != b.mass) return a.mass > b.mass;
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  };
  std::partial_sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count), moves.end(),
                    dearer);
  moves.resize(count);
  std::vector<NamedMove> named;
  named.reserve(moves.size());
  for (const Move& move : moves) {
    named.push_back({coordinate_name(index, p.coordinates[move.from]),
                     coordinate_name(index, q.coordinates[move.to]), move.mass, move.distance,
                     total > 0 ? move.mass * move.distance / total : 0});
  }
  return named;
}

Json moves_json(std::span<const NamedMove> moves) {
  Json list = Json::array();
  for (const NamedMove& move : moves) {
    list.push_back({{"from", move.from},
                    {"to", move.to},
                    {"mass", move.mass},
                    {"distance", move.distance},
                    {"share", move.share}});
  }
  return list;
}

}  // namespace navvy::app
