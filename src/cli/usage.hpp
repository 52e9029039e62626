// Help with command lines that could not be understood.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace navvy::cli {

/// One helpful line about a command line that could not be understood: which word, and the option
/// or verb that was probably meant.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace navvy::cli
