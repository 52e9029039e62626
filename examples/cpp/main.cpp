// Nearest neighbours of random histograms: bounds, the exact distance with its proof, and why.
#include <cstdint>
#include <exception>
#include <iostream>
#include <navvy/navvy.hpp>
#include <random>
#include <utility>
#include <vector>

namespace {

navvy::Index random_index(std::size_t rows, std::size_t coordinates) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<std::uint32_t> any(0, static_cast<std::uint32_t>(coordinates) - 1);
  std::vector<float> points(coordinates * 3);
  for (float& value : points) value = normal(random);
  navvy::HistogramsBuilder builder(coordinates);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> bins(12);
    for (std::uint32_t& bin : bins) bin = any(random);
    builder.add(bins, std::vector<double>(bins.size(), 1.0));
  }
  return navvy::index_histograms(builder.build(),
                                 navvy::Vocabulary(3, navvy::Array(std::move(points))));
}

void show(const navvy::Matches& matches) {
  for (const navvy::Match& match : matches[0]) {
    std::cout << "  row " << match.row << " at " << match.distance << "\n";
  }
}

}  // namespace

int main() try {
  const navvy::Index index = random_index(500, 200);
  navvy::Searcher searcher(index);
  const std::vector<std::uint32_t> query{7};
  navvy::SearchOptions options;
  options.top = 3;

  std::cout << "nearest to row 7 under act-1\n";
  show(searcher.search_rows(query, options));

  options.question.measure = navvy::parse_measure("emd");
  const navvy::Matches exact = searcher.search_rows(query, options);
  std::cout << "and under the exact distance, proven with " << exact.proofs[0].solves
            << " exact distances of " << exact.proofs[0].rows << "\n";
  show(exact);

  navvy::TransportOptions with_flow;
  with_flow.with_flow = true;
  const auto plan = navvy::transport(options.question.measure, index.vocabulary, index.rows[7],
                                     index.rows[exact[0].row(0)], with_flow);
  std::cout << plan.flow.size() << " moves make the first\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
