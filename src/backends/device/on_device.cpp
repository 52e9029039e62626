// Memory of a device within a call's budget and within what the device can have in one piece.
#include "backends/device/on_device.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "navvy/error.hpp"

namespace navvy::backends {

std::uint64_t OnDevice::room() const noexcept {
  return std::min(budget_.left(), facts().largest_buffer);
}

std::size_t OnDevice::items(std::size_t wanted) const noexcept {
  return std::bit_floor(std::clamp<std::size_t>(facts().largest_group, 1, wanted));
}

void OnDevice::count(Phase phase, const Work& work) {
  std::chrono::nanoseconds taken{0};
  if (started_) {
    stream_->finish();
    taken = std::chrono::steady_clock::now() - *std::exchange(started_, std::nullopt);
  }
  tally_.add(phase, work, taken);
}

core::Reservation OnDevice::reserve(std::uint64_t bytes, std::string_view what) const {
  if (bytes > facts().largest_buffer)
    throw Error(ErrorCode::limit, facts().name + ": " + std::string(what) + " needs " +
                                      std::to_string(bytes >> 20U) +
                                      " MB in one piece, but the device has at most " +
                                      std::to_string(facts().largest_buffer >> 20U) + " MB");
  return budget_.reserve(bytes, facts().name + ": " + std::string(what));
}

}  // namespace navvy::backends
