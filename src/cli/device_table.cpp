// Lines up what drivers tell of devices and how their tests went.
#include "cli/device_table.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

std::string size_text(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30U));
}

}  // namespace

void print_device_table(std::span<const app::TestedDevice> devices) {
  using Align = Table::Align;
  Table table({{"name"},
               {"hardware"},
               {"driver"},
               {"memory", Align::right},
               {"kind"},
               {"doubles"},
               {"self-test"},
               {"seconds", Align::right}});
  for (const auto& [device, test] : devices) {
    const bool passed = test.failure.empty();
    const std::string result = paint(output_terminal(), passed ? Colour::green : Colour::red,
                                     passed ? "passed" : "FAILED");
    table.add(
        {device.name, one_line(device.hardware, 48), one_line(device.driver, 48),
         size_text(device.memory), device.gpu ? "GPU" : "other", device.doubles ? "yes" : "no",
         result, passed ? fmt::format("{:.3f}", test.seconds) : ""},
        passed ? std::vector<std::string>() : std::vector{test.failure});
  }
  table.print();
}

}  // namespace navvy::cli
