// Remembers the command line and describes the machine for reports.
#include "cli/invocation.hpp"

#include <fmt/core.h>

#include <ctime>
#include <filesystem>
#include <string_view>
#include <thread>
#include <vector>

#include "app/devices.hpp"
#include "app/machine.hpp"
#include "navvy/devices.hpp"
#include "navvy/printable.hpp"
#include "navvy/version.hpp"

namespace navvy::cli {
namespace {

std::vector<std::string>& words() {
  static std::vector<std::string> kept;
  return kept;
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32] = {};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

// What is not shown as it is, as a shell spells it: $'\x1b'. The page has a command to repeat.
std::string spelt(std::string_view word) {
  std::string text = "$'";
  for (const char c : word) {
    if (c == '\'' || c == '\\') text += '\\';
    if (c >= ' ' && c < 0x7F) {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text + "'";
}

}  // namespace

void remember_invocation(int argc, char** argv) {
  words().assign(argv, argv + argc);
  if (!words().empty()) {
    words().front() = std::filesystem::path(words().front()).filename().string();
  }
}

std::string quoted(const std::string& word) {
  if (printable(word) != word) return spelt(word);
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(harmless) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string invocation() {
  std::string line;
  for (const std::string& word : words())
    line += fmt::format("{}{}", line.empty() ? "" : " ", quoted(word));
  return line;
}

report::Origin origin(const CommonOptions& options) {
  const unsigned cores = std::thread::hardware_concurrency();
  report::Origin origin{invocation(), {}};
  if (const std::string name = app::processor_name(); !name.empty()) {
    origin.facts.push_back({"processor", name});
  }
  origin.facts.push_back({"kernels", kernels_in_use()});
  if (const std::string device = app::device_name(device_backend(options.device)); device != "cpu")
    origin.facts.push_back({"device", device});
  origin.facts.push_back(
      {"threads", fmt::format("{} of {} cores", app::threads_in_use(options.threads), cores)});
  origin.facts.push_back({"program", fmt::format("navvy {}", version())});
  origin.facts.push_back({"time", now()});
  return origin;
}

}  // namespace navvy::cli
