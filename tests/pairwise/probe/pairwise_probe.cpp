// Answers transport problems from another program: each problem on stdin is
//   measure lambda cost_scale rows columns, then p, q and the costs row by row
// as text, and its distance goes to stdout, one per line, with all digits.
#include <cstddef>
#include <exception>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "navvy/pairwise.hpp"

namespace {

std::vector<double> read_numbers(std::size_t count) {
  std::vector<double> numbers(count);
  for (double& number : numbers) std::cin >> number;
  return numbers;
}

void answer() {
  std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
  std::string measure;
  std::size_t rows = 0;
  std::size_t columns = 0;
  navvy::TransportOptions options;
  while (std::cin >> measure >> options.sinkhorn.lambda >> options.sinkhorn.cost_scale >> rows >>
         columns) {
    const std::vector<double> p = read_numbers(rows);
    const std::vector<double> q = read_numbers(columns);
    const std::vector<double> costs = read_numbers(rows * columns);
    const navvy::Transport result =
        navvy::transport(navvy::parse_measure(measure), p, q, {rows, columns, costs}, options);
    std::cout << result.distance << '\n';
  }
}

}  // namespace

int main() {
  try {
    answer();
  } catch (const std::exception& error) {
    std::cerr << "pairwise_probe: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
