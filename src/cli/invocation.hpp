// Where a report comes from: the command, the machine, the time.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "report/page.hpp"

namespace navvy::cli {

/// Keeps the words of the command line for reports.
void remember_invocation(int argc, char** argv);

/// The command line as one could type it into a shell.
std::string invocation();

/// A word as a shell reads it: quoted where it has to be.
std::string quoted(const std::string& word);

/// The machine, its kernels and threads, the program and the time, for the end of a report.
report::Origin origin(const CommonOptions& options);

}  // namespace navvy::cli
