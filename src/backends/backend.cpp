// What every stage of pairs does unless it says otherwise.
#include "backends/backend.hpp"

#include <stdexcept>

namespace navvy::backends {

void PairStage::list_below(std::span<const std::uint32_t>, std::span<const float>,
                           std::vector<FoundRows>&, Run&) {
  throw std::logic_error("an exact stage lists all that it is asked for");
}

void PairStage::cost(Pairs&, Run&) {
  throw std::logic_error("an exact stage lists the distances themselves");
}

}  // namespace navvy::backends
