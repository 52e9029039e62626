// Lines of CSV and TSV on stdout, for spreadsheets and scripts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace navvy::cli {

/// --print: as what a verb prints what it found; --json is short for one of them.
void add_print_option(CLI::App& command, CommonOptions& options);

/// True where lines of cells are asked for.
bool prints_records(const CommonOptions& options);

/// One line. Cells are made printable(), so that none has a line end or a tab; CSV quotes those
/// that need it as RFC 4180 says, TSV has no quotes.
std::string record(const std::vector<std::string>& cells, Output output);

}  // namespace navvy::cli
