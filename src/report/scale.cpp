// From values to pixels, with round values to write at the axes.
#include "report/scale.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace navvy::report {
namespace {

std::vector<double> linear_ticks(const Scale& scale, std::size_t count) {
  const double rough = (scale.high - scale.low) / static_cast<double>(count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> values;
  const double slack = 1e-9 * step;
  for (double i = std::ceil((scale.low - slack) / step); i * step <= scale.high + slack; ++i) {
    values.push_back(i * step);
  }
  return values;
}

std::vector<double> log_ticks(const Scale& scale, std::size_t count) {
  const double decades = std::log10(scale.high / scale.low);
  const auto most = static_cast<double>(count);
  std::vector<double> factors{1};
  if (decades * 2 <= most) factors = {1, 3};
  if (decades * 3 <= most) factors = {1, 2, 5};
  const double stride =
      std::max(1.0, std::ceil(decades / static_cast<double>(std::max<std::size_t>(count, 1))));
  std::vector<double> values;
  for (double power = std::floor(std::log10(scale.low)); power <= std::log10(scale.high);
       power += stride) {
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, power);
      if (value >= scale.low && value <= scale.high) values.push_back(value);
    }
  }
  // Within less than a decade equal steps are rounder than equal factors.
  return values.size() < 3 && decades < 1 ? linear_ticks(scale, count - 1) : values;
}

}  // namespace

double Scale::operator()(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return begin + share * (end - begin);
}

Scale time_scale(std::span<const double> seconds, double begin, double end) {
  constexpr double least = 1e-6;  // a run that took no time at all still has a place
  double low = 1e300;
  double high = least;
  for (const double value : seconds) {
    low = std::min(low, std::max(value, least));
    high = std::max(high, value);
  }
  low = std::min(low, high);
  const double room = std::max(1.5, std::pow(high / low, 0.1));
  return {low / room, high * room, begin, end, true};
}

Scale share_scale(std::span<const double> shares, double begin, double end) {
  double low = 1;
  double high = 0;
  for (const double value : shares) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double room = std::max(0.12 * (high - low), 0.005);
  return {std::max(0.0, low - room), std::min(1.0, high + room), begin, end, false};
}

std::vector<double> ticks(const Scale& scale, std::size_t count) {
  return scale.logarithmic ? log_ticks(scale, count) : linear_ticks(scale, count);
}

std::vector<std::string> tick_labels(std::span<const double> ticks) {
  double step = 1;
  for (std::size_t i = 1; i < ticks.size(); ++i) step = std::min(step, ticks[i] - ticks[i - 1]);
  int decimals = 0;
  // Steps are 1, 2, 2.5 or 5 times a power of ten.
  while (decimals < 6 && std::abs(std::round(step) - step) > 1e-6) {
    step *= 10;
    ++decimals;
  }
  std::vector<std::string> labels;
  for (const double tick : ticks) labels.push_back(fmt::format("{:.{}f}", tick, decimals));
  return labels;
}

std::string time_text(double seconds) {
  if (seconds >= 120) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} \u00b5s", seconds * 1e6);
}

}  // namespace navvy::report
