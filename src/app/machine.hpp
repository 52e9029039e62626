// The machine and what work may take of it.
#pragma once

#include <cstdint>
#include <string>

#include "app/json.hpp"

namespace navvy::app {

/// The machine's memory in bytes; 0 where it does not say.
std::uint64_t physical_memory();

/// A budget in bytes; 0 stands for half of the machine's memory.
std::uint64_t memory_budget(std::uint64_t asked);

/// A number of threads; 0 stands for all cores.
unsigned threads_in_use(unsigned asked);

/// What Linux calls the processor; empty elsewhere.
std::string processor_name();

/// The document of the machine, with the limits asked for.
Json machine_document(unsigned threads, std::uint64_t memory);

}  // namespace navvy::app
