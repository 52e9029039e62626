// The logarithm as a series in pairs of doubles, from operations that IEEE 754 defines to the bit.
#include "core/logarithm.hpp"

#include <cmath>

namespace navvy::core {
namespace {

// A number as the unevaluated sum of two doubles, the second below half a unit of the first: some
// 100 bits, so that the one rounding that matters is the last.
struct Pair {
  double high;
  double low;
};

// a + b where |a| >= |b| or a is 0.
Pair quick_sum(double a, double b) noexcept {
  const double high = a + b;
  return {high, b - (high - a)};
}

Pair sum(double a, double b) noexcept {
  const double high = a + b;
  const double part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}

Pair add(Pair a, Pair b) noexcept {
  const Pair high = sum(a.high, b.high);
  const Pair low = sum(a.low, b.low);
  const Pair middle = quick_sum(high.high, high.low + low.high);
  return quick_sum(middle.high, middle.low + low.low);
}

Pair multiply(Pair a, Pair b) noexcept {
  const double high = a.high * b.high;
  const double low = std::fma(a.high, b.high, -high);
  return quick_sum(high, low + (a.high * b.low + a.low * b.high));
}

Pair divide(double a, Pair b) noexcept {
  const double high = a / b.high;
  const double rest = std::fma(-high, b.high, a) - high * b.low;
  return quick_sum(high, rest / b.high);
}

// log m = 2 atanh s = 2 s (1 + s^2 / 3 + s^4 / 5 + ...) with s = (m - 1) / (m + 1). For m between
// the roots of 1/2 and 2, s^2 is below 0.0295, and what comes after 20 terms below 2^-105.
Pair log_near_one(double m) noexcept {
  constexpr int terms = 20;
  const Pair s = divide(m - 1, sum(m, 1));  // m - 1 is exact
  const Pair square = multiply(s, s);
  Pair series{0, 0};
  for (int term = terms - 1; term >= 0; --term)
    series = add(multiply(series, square), divide(1, {2.0 * term + 1, 0}));
  return multiply({2 * s.high, 2 * s.low}, series);
}

}  // namespace

double natural_log(double x) noexcept {
  constexpr Pair log_two{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  constexpr double root_of_half = 0x1.6a09e667f3bcdp-1;
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact, as is what follows
  if (m < root_of_half) {
    m *= 2;
    --exponent;
  }
  const Pair whole = multiply(log_two, {static_cast<double>(exponent), 0});
  const Pair result = add(whole, log_near_one(m));
  return result.high + result.low;
}

}  // namespace navvy::core
