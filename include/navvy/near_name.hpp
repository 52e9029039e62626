// The name that was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace navvy {

/// The candidate that is close enough to `name` to be what was meant, counted in characters that
/// are put in, left out or replaced; of equally close ones the first. Empty: there is none.
std::string near_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace navvy
