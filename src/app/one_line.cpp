// Cuts texts by characters, not bytes, and leaves nothing in them that a terminal obeys.
#include "app/one_line.hpp"

namespace navvy::app {

std::string one_line(std::string_view text, std::size_t width) {
  std::string line;
  std::size_t used = 0;
  std::size_t cut = 0;  // bytes that fit when "..." must follow
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!continues_character(c)) {
      if (used + 3 <= width) cut = line.size();
      if (used == width) {
        line.resize(cut);
        return line + std::string("...").substr(0, width);
      }
      ++used;
    }
    line += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return line;
}

}  // namespace navvy::app
