// A copy of some rows of many.
#pragma once

#include <cstdint>
#include <span>

#include "navvy/histograms.hpp"

namespace navvy::core {

Histograms chosen_rows(const Histograms& rows, std::span<const std::uint32_t> chosen);

}  // namespace navvy::core
