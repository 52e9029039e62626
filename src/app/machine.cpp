// Asks the system for its sizes and fills in limits that were left open.
#include "app/machine.hpp"

#include <unistd.h>

#include <fstream>
#include <thread>

#include "navvy/search.hpp"
#include "navvy/version.hpp"

namespace navvy::app {

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
             : 0;
}

std::uint64_t memory_budget(std::uint64_t asked) {
  return asked > 0 ? asked : physical_memory() / 2;
}

unsigned threads_in_use(unsigned asked) {
  return asked > 0 ? asked : std::thread::hardware_concurrency();
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return {};
}

Json machine_document(unsigned threads, std::uint64_t memory) {
  Json document = json_document();
  document["version"] = version();
  document["kernels"] = kernels_in_use();
  document["available_kernels"] = available_kernels();
  document["cores"] = std::thread::hardware_concurrency();
  document["threads"] = threads_in_use(threads);
  document["memory"] = memory_budget(memory);
  document["physical_memory"] = physical_memory();
  return document;
}

}  // namespace navvy::app
