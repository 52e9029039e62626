// Joins the embedded parts of the kernels.
#include "devices/text.hpp"

#include <cstddef>
#include <cstdint>

// What the build embeds: see CMakeLists.txt.
#define NAVVY_TEXT(part)                     \
  extern "C" const char navvy_text_##part[]; \
  extern "C" const std::uint64_t navvy_text_##part##_size
NAVVY_TEXT(dialect);
NAVVY_TEXT(ground);
NAVVY_TEXT(nearest);
NAVVY_TEXT(costs);
NAVVY_TEXT(lists);
NAVVY_TEXT(baselines);
NAVVY_TEXT(sinkhorn);
#undef NAVVY_TEXT

namespace navvy::devices {

std::string kernel_text() {
  std::string text;
  text.append(navvy_text_dialect, navvy_text_dialect_size);
  text.append(navvy_text_ground, navvy_text_ground_size);
  text.append(navvy_text_nearest, navvy_text_nearest_size);
  text.append(navvy_text_costs, navvy_text_costs_size);
  text.append(navvy_text_lists, navvy_text_lists_size);
  text.append(navvy_text_baselines, navvy_text_baselines_size);
  text.append(navvy_text_sinkhorn, navvy_text_sinkhorn_size);
  return text;
}

}  // namespace navvy::devices
