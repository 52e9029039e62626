#pragma once

#include <CLI/CLI.hpp>

/// The verbs. Each function adds one to the command: its options, help and what it does. What it
/// does may throw Error; main turns that into a line and an exit code.
namespace navvy::cli {

void add_completion_command(CLI::App& app);

}  // namespace navvy::cli
