// The verbs. Each function adds one to the command: its options, help and what it does. What it
// does may throw Error; main turns that into a line and an exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace navvy::cli {

void add_build_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_search_command(CLI::App& app);
void add_knn_command(CLI::App& app);
void add_distances_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_evaluate_command(CLI::App& app);
void add_demo_command(CLI::App& app);
void add_add_command(CLI::App& app);
void add_update_command(CLI::App& app);
void add_remove_command(CLI::App& app);
void add_compact_command(CLI::App& app);
void add_merge_command(CLI::App& app);
void add_split_command(CLI::App& app);
void add_encode_command(CLI::App& app);
void add_merge_lists_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_help_command(CLI::App& app);
void add_completion_command(CLI::App& app);

}  // namespace navvy::cli
