// From values to pixels, with round values to write at the axes.
#include "report/scale.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace navvy::report {
namespace {

// 1, 2, 2.5 or 5 times a power of ten, so that about `count` of them fit.
double round_step(double low, double high, std::size_t count) {
  const double rough = (high - low) / static_cast<double>(count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

std::vector<double> linear_ticks(const Scale& scale, std::size_t count) {
  const double step = round_step(scale.low, scale.high, count);
  std::vector<double> values;
  const double slack = 1e-9 * step;
  for (double i = std::ceil((scale.low - slack) / step); i * step <= scale.high + slack; ++i) {
    values.push_back(i * step);
  }
  return values;
}

// 1, 2 and 5 times the powers of ten where these are few, else powers of ten, or some of them.
std::vector<double> log_ticks(double low, double high, std::size_t count) {
  constexpr double slack = 1e-9;
  const auto values = [&](std::initializer_list<double> factors, double stride) {
    std::vector<double> found;
    for (double power = std::floor(std::log10(low) + slack); power <= std::log10(high) + slack;
         power += stride)
      for (const double factor : factors) {
        const double value = factor * std::pow(10.0, power);
        if (value >= low * (1 - slack) && value <= high * (1 + slack)) found.push_back(value);
      }
    return found;
  };
  std::vector<double> found = values({1, 2, 5}, 1);
  for (double stride = 1; found.size() > count + 1; ++stride) found = values({1}, stride);
  return found;
}

// The next value of 1, 2 or 5 times a power of ten (or of the powers alone), down or up.
double round_time(double value, bool up, std::initializer_list<double> factors) {
  const double power = std::floor(std::log10(value) + 1e-9);
  double best = std::pow(10.0, up ? power + 1 : power);
  for (const double factor : factors) {
    const double round = factor * std::pow(10.0, power);
    if (up && round >= value) best = std::min(best, round);
    if (!up && round <= value) best = std::max(best, round);
  }
  return best;
}

}  // namespace

double Scale::operator()(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return begin + share * (end - begin);
}

Scale time_scale(std::span<const double> seconds, double begin, double end, std::size_t count) {
  constexpr double least = 1e-6;  // a run that took no time at all still has a place
  double low = 1e300;
  double high = least;
  for (const double value : seconds) {
    low = std::min(low, std::max(value, least));
    high = std::max(high, value);
  }
  low = std::min(low, high) / 1.2;
  high *= 1.2;
  const std::initializer_list<double> fine = {1, 2, 5};
  const Scale scale{round_time(low, false, fine), round_time(high, true, fine), begin, end, true};
  const auto values = log_ticks(scale.low, scale.high, count);
  const bool at_ends =
      !values.empty() && values.front() < 1.01 * scale.low && values.back() > 0.99 * scale.high;
  if (at_ends) return scale;
  return {round_time(low, false, {1}), round_time(high, true, {1}), begin, end, true};
}

Scale share_scale(std::span<const double> shares, double begin, double end) {
  double low = 1;
  double high = 0;
  for (const double value : shares) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double room = std::max(0.03 * (high - low), 0.002);
  low = std::max(0.0, low - room);
  high = std::min(1.0, high + room);
  // To round values at both ends; the wider range may want wider steps.
  for (int i = 0; i < 3; ++i) {
    const double step = round_step(low, high, share_ticks);
    low = std::max(0.0, step * std::floor(low / step + 1e-9));
    high = std::min(1.0, step * std::ceil(high / step - 1e-9));
  }
  return {low, high, begin, end, false};
}

std::vector<double> ticks(const Scale& scale, std::size_t count) {
  return scale.logarithmic ? log_ticks(scale.low, scale.high, count) : linear_ticks(scale, count);
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
