// Made-up data of the two kinds that users have, the same on every machine: for figures that can be
// compared where nobody has the data.
#pragma once

#include <cstddef>

#include "navvy/index.hpp"

namespace navvy::app {

/// Pictures of 28 by 28 pixels with a few strokes each.
Index made_up_images(std::size_t count);

/// Bags of some 60 words out of 20,000, few of them frequent, at points of 100 dimensions.
Index made_up_texts(std::size_t count);

}  // namespace navvy::app
