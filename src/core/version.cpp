// The version, which the build knows.

#include "navvy/version.hpp"

namespace navvy {

std::string version() { return NAVVY_VERSION; }

}  // namespace navvy
