// Launches every kernel on a device: for tools that look at how a program runs.
//   run_kernels --list                        the names of all devices
//   run_kernels DEVICE [--short] [LEVELS...]  the kernels that were launched; fails on wrong
//   results
// --short: buffers that lack their last word, which such tools must notice.
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>

#include "devices/every_kernel.hpp"
#include "navvy/error.hpp"

namespace {

void list() {
  for (const auto& facts : navvy::devices::list()) std::cout << facts.name << '\n';
}

int run(const std::string& name, std::span<char*> arguments) {
  const auto device = navvy::devices::open(name);
  const bool is_short = !arguments.empty() && std::string(arguments[0]) == "--short";
  navvy::test::EveryKernel every(*device, is_short ? 4 : 0);
  every.run_common();
  for (char* levels : arguments.subspan(is_short ? 1 : 0)) every.run_levels(std::atoi(levels));
  for (const std::string& kernel : every.launched) std::cout << kernel << '\n';
  for (const std::string& kernel : every.wrong) std::cout << "wrong: " << kernel << '\n';
  return every.wrong.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::span<char*> arguments(words + 1, words + count);
  try {
    if (arguments.empty()) return 2;
    if (std::string(arguments[0]) != "--list") return run(arguments[0], arguments.subspan(1));
    list();
  } catch (const navvy::Error& error) {
    std::cout << "error: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
