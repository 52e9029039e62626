// Cuts texts by characters, not bytes.
#include "app/one_line.hpp"

#include "navvy/printable.hpp"

namespace navvy::app {

std::string one_line(std::string_view text, std::size_t width) {
  std::string line = printable(text);
  std::size_t used = 0;
  std::size_t cut = 0;  // bytes that fit when "..." must follow
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (continues_character(line[i])) continue;
    if (used + 3 <= width) cut = i;
    if (used == width) {
      line.resize(cut);
      return line + std::string("...").substr(0, width);
    }
    ++used;
  }
  return line;
}

}  // namespace navvy::app
