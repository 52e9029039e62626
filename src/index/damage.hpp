// What readers say of a file that is not what it should be.
#pragma once

#include <cstdint>
#include <string>

#include "navvy/error.hpp"

namespace navvy::index {

[[noreturn]] inline void damaged(const std::string& what) {
  throw Error(ErrorCode::damaged_index, what);
}

[[noreturn]] inline void damaged_at(std::uint64_t byte, const std::string& what) {
  damaged("byte " + std::to_string(byte) + ": " + what);
}

inline std::string expected(std::uint64_t found, std::uint64_t wanted) {
  return std::to_string(found) + ", expected " + std::to_string(wanted);
}

}  // namespace navvy::index
