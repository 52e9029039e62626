// Devices of all drivers by name.
#include <charconv>
#include <optional>
#include <string>

#include "devices/cuda.hpp"
#include "devices/device.hpp"
#include "devices/opencl.hpp"
#include "navvy/error.hpp"

namespace navvy::devices {
namespace {

// The number behind a prefix such as "cuda:".
std::optional<std::size_t> number_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<Facts> list() {
  std::vector<Facts> all = list_cuda();
  for (Facts& facts : list_opencl()) all.push_back(std::move(facts));
  return all;
}

void check_name(std::string_view name) {
  std::string known;
  for (const Facts& facts : list()) {
    if (facts.name == name) return;
    known += (known.empty() ? "" : ", ") + facts.name;
  }
  throw Error(ErrorCode::usage, "there is no device " + std::string(name) + "; " +
                                    (known.empty() ? "this machine has none but cpu"
                                                   : "expected cpu or one of " + known));
}

std::unique_ptr<Device> open(std::string_view name) {
  check_name(name);
  if (const auto number = number_after("cuda:", name)) return open_cuda(*number);
  return open_opencl(*number_after("opencl:", name));
}

}  // namespace navvy::devices
