// Orthogonal iteration from a fixed start, with the small problem in the iterated directions solved
// by Jacobi's rotations.
#include "core/eigenvectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace navvy::core {
namespace {

constexpr std::size_t spare = 8;  // more directions than asked for: convergence is that much faster
constexpr int most_rounds = 1000;
constexpr double left_over = 1e-12;  // of what is left over, of the largest eigenvalue

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(std::span<double> a, double factor, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= factor * b[i];
}

// Directions as rows of one block of memory.
class Rows {
 public:
  Rows(std::size_t count, std::size_t size) : count_(count), size_(size), values_(count * size) {}
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<double> operator[](std::size_t row) noexcept {
    return std::span(values_).subspan(row * size_, size_);
  }
  [[nodiscard]] std::span<const double> operator[](std::size_t row) const noexcept {
    return std::span(values_).subspan(row * size_, size_);
  }

 private:
  std::size_t count_;
  std::size_t size_;
  std::vector<double> values_;
};

// What is left of a row beside those before it, scaled to length 1; false where that is nothing.
bool make_orthogonal(Rows& rows, std::size_t row) {
  const double before = dot(rows[row], rows[row]);
  for (int pass = 0; pass < 2; ++pass)  // the second takes away what rounding left
    for (std::size_t other = 0; other < row; ++other)
      subtract(rows[row], dot(rows[row], rows[other]), rows[other]);
  const double square = dot(rows[row], rows[row]);
  constexpr double nothing = 1e-24;
  if (!(square > nothing * before)) return false;
  const double length = std::sqrt(square);
  for (double& value : rows[row]) value /= length;
  return true;
}

void make_orthonormal(Rows& rows) {
  std::size_t axis = 0;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    // A matrix of lower rank leaves nothing of some rows: any direction that is free will do.
    while (!make_orthogonal(rows, row)) {
      std::ranges::fill(rows[row], 0.0);
      rows[row][axis++ % rows.size()] = 1;
    }
  }
}

Rows fixed_start(std::size_t count, std::size_t size) {
  Rows rows(count, size);
  std::uint64_t state = 0;
  for (std::size_t row = 0; row < count; ++row) {
    for (double& value : rows[row]) {
      state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's
      value = static_cast<double>(state >> 33U) / 0x1p30 - 1;
    }
  }
  make_orthonormal(rows);
  return rows;
}

Rows product(std::span<const double> matrix, const Rows& rows) {
  Rows result(rows.count(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto line = matrix.subspan(i * rows.size(), rows.size());
    for (std::size_t row = 0; row < rows.count(); ++row) result[row][i] = dot(line, rows[row]);
  }
  return result;
}

// Makes the entry (p, q) of a symmetric matrix 0 by a rotation, which it notes in `turned`.
void rotate(Rows& matrix, Rows& turned, std::size_t p, std::size_t q) {
  if (matrix[p][q] == 0) return;
  const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  const auto mix = [&](double& a, double& b) {
    const double first = c * a - s * b;
    b = s * a + c * b;
    a = first;
  };
  for (std::size_t k = 0; k < matrix.size(); ++k) mix(matrix[k][p], matrix[k][q]);
  for (std::size_t k = 0; k < matrix.size(); ++k) mix(matrix[p][k], matrix[q][k]);
  for (std::size_t k = 0; k < matrix.size(); ++k) mix(turned[p][k], turned[q][k]);
}

// Eigenvectors of a small symmetric matrix as rows, largest eigenvalue first.
Rows small_eigenvectors(Rows matrix) {
  constexpr int sweeps = 30;  // some 8 are enough
  const std::size_t size = matrix.size();
  Rows turned(size, size);
  for (std::size_t i = 0; i < size; ++i) turned[i][i] = 1;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t p = 0; p < size; ++p)
      for (std::size_t q = p + 1; q < size; ++q) rotate(matrix, turned, p, q);
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return matrix[a][a] > matrix[b][b]; });
  Rows sorted(size, size);
  for (std::size_t i = 0; i < size; ++i) std::ranges::copy(turned[order[i]], sorted[i].begin());
  return sorted;
}

Rows combined(const Rows& factors, const Rows& rows) {
  Rows result(rows.count(), rows.size());
  for (std::size_t i = 0; i < factors.count(); ++i)
    for (std::size_t j = 0; j < rows.count(); ++j) subtract(result[i], -factors[i][j], rows[j]);
  return result;
}

// Whether the matrix only scales the first rows: `products` are what it makes of them.
bool are_eigenvectors(const Rows& rows, const Rows& products, std::size_t count) {
  const double largest = std::abs(dot(rows[0], products[0]));
  for (std::size_t row = 0; row < count; ++row) {
    std::vector<double> rest(products[row].begin(), products[row].end());
    subtract(rest, dot(rows[row], products[row]), rows[row]);
    if (!(std::sqrt(dot(rest, rest)) <= left_over * largest)) return false;
  }
  return true;
}

void make_largest_positive(std::span<double> row) {
  const auto largest =
      std::ranges::max_element(row, [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*largest >= 0) return;
  for (double& value : row) value = -value;
}

}  // namespace

std::vector<double> leading_eigenvectors(std::span<const double> matrix, std::size_t size,
                                         std::size_t count) {
  if (count == 0) return {};
  Rows rows = fixed_start(std::min(count + spare, size), size);
  for (int round = 0; round < most_rounds; ++round) {
    Rows products = product(matrix, rows);
    Rows small(rows.count(), rows.count());
    for (std::size_t i = 0; i < rows.count(); ++i)
      for (std::size_t j = i; j < rows.count(); ++j)
        small[i][j] = small[j][i] = dot(rows[i], products[j]);
    const Rows factors = small_eigenvectors(std::move(small));
    rows = combined(factors, rows);
    products = combined(factors, products);
    if (are_eigenvectors(rows, products, count)) break;
    rows = std::move(products);
    make_orthonormal(rows);
  }
  std::vector<double> vectors;
  for (std::size_t row = 0; row < count; ++row) {
    make_largest_positive(rows[row]);
    vectors.insert(vectors.end(), rows[row].begin(), rows[row].end());
  }
  return vectors;
}

}  // namespace navvy::core
