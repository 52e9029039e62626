#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "index/format.hpp"

namespace navvy::test {

/// Makes the checksums of a damaged index file fit the damage, as an attacker would, or a program
/// with a bug.
inline void correct_checksums(std::span<std::byte> file) {
  index::Head head{};
  if (file.size() < sizeof(index::Head)) return;
  std::memcpy(&head, file.data(), sizeof(index::Head));
  const std::size_t room = (file.size() - sizeof(index::Head)) / sizeof(index::Section);
  const std::size_t sections = std::min<std::size_t>(head.sections, room);
  for (std::size_t i = 0; i < sections; ++i) {
    index::Section section{};
    std::byte* place = file.data() + sizeof(index::Head) + i * sizeof(index::Section);
    std::memcpy(&section, place, sizeof(index::Section));
    if (section.offset > file.size() || section.bytes > file.size() - section.offset) continue;
    section.checksum = index::checksum(file.subspan(section.offset, section.bytes));
    std::memcpy(place, &section, sizeof(index::Section));
  }
  head.checksum = 0;
  std::memcpy(file.data(), &head, sizeof(index::Head));
  head.checksum =
      index::checksum(file.first(sizeof(index::Head) + sections * sizeof(index::Section)));
  std::memcpy(file.data(), &head, sizeof(index::Head));
}

}  // namespace navvy::test
