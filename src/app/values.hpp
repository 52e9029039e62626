// Sizes, times and counts as people write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace navvy::app {

/// "2G", "500M", "64KiB", "1.5g" or a number of bytes; K, M, G, T are powers of 1024. Throws
/// Error(usage).
std::uint64_t parse_size(std::string_view text);

/// "50ms", "2s", "1.5" or "3min", in seconds. Throws Error(usage).
double parse_duration(std::string_view text);

/// A comma-separated list of numbers, each at least 1. Throws Error(usage).
std::vector<std::size_t> parse_counts(std::string_view text);

}  // namespace navvy::app
