#include "navvy/search.hpp"

namespace navvy {

std::string version() { return NAVVY_VERSION; }

}  // namespace navvy
