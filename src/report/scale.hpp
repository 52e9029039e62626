// The axes of plots.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace navvy::report {

/// From values to places on a picture, in equal steps or in equal factors.
struct Scale {
  double low = 0;
  double high = 1;
  double begin = 0;  ///< the place of `low`
  double end = 1;    ///< the place of `high`
  bool logarithmic = false;

  [[nodiscard]] double operator()(double value) const;
};

/// How many ticks of shares there are, about.
inline constexpr std::size_t share_ticks = 5;

/// Extents of values, from one round value to another with about `count` (of shares: share_ticks)
/// ticks. Times are kept above 0, shares within [0, 1].
Scale time_scale(std::span<const double> seconds, double begin, double end, std::size_t count = 5);
Scale share_scale(std::span<const double> shares, double begin, double end);

/// Round values within a scale, about `count` of them, ascending.
std::vector<double> ticks(const Scale& scale, std::size_t count);

/// "0.95", "0.925": as many decimals as neighbouring ticks need to differ.
std::vector<std::string> tick_labels(std::span<const double> ticks);

/// "20 ms", "1.5 s", "4 min".
std::string time_text(double seconds);

}  // namespace navvy::report
