// The command: its verbs, what goes wrong as one line, and exit codes.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/invocation.hpp"
#include "cli/memory_limit.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

int report(ErrorCode code, const std::string& message) {
  complain(message);
  return static_cast<int>(code);
}

std::string version_text() {
  return fmt::format("navvy {}\nkernels: {} (available: {})", version(), kernels_in_use(),
                     fmt::join(available_kernels(), ", "));
}

void add_commands(CLI::App& app) {
  add_build_command(app);
  add_info_command(app);
  add_search_command(app);
  add_knn_command(app);
  add_distances_command(app);
  add_compare_command(app);
  add_evaluate_command(app);
  add_demo_command(app);
  add_add_command(app);
  add_update_command(app);
  add_remove_command(app);
  add_compact_command(app);
  add_merge_command(app);
  add_split_command(app);
  add_encode_command(app);
  add_merge_lists_command(app);
  add_verify_command(app);
  add_export_command(app);
  add_bench_command(app);
  add_help_command(app);
  add_completion_command(app);
}

// The library names what to raise as programs know it.
std::string with_dashes(std::string message) {
  for (const auto& [name, option] :
       {std::pair("raise it (memory)", "raise it with --memory"),
        std::pair("raise it (device_memory)", "raise it with --device-memory")}) {
    const auto place = message.find(name);
    if (place != std::string::npos) message.replace(place, std::string_view(name).size(), option);
  }
  return message;
}

// Parses and runs. The verb runs inside of parse.
int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      fmt::print(stderr, "{}", app.help());
      return static_cast<int>(ErrorCode::usage);
    }
    return report(ErrorCode::usage, explain(app, error));
  }
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  return 0;
}

int guarded_main(int argc, char** argv) {
  CLI::App app("Nearest neighbours under the Earth Mover's Distance.", "navvy");
  app.set_version_flag("--version", version_text, "print the version and the kernels in use");
  app.set_help_flag("-h,--help", "print this help");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("OPTIONS", "options");
  app.get_formatter()->label("SUBCOMMAND", "command");
  app.get_formatter()->label("Positionals", "Arguments");
  app.get_formatter()->label("REQUIRED", "(required)");
  add_commands(app);
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
  app.footer(
      "`navvy COMMAND --help` shows options and examples. Data go to stdout, messages to stderr.\n"
      "Exit codes: 0 done, 1 failed, 2 usage, 3 bad input, 4 damaged index, 5 limit, 130 "
      "interrupted.");
  try {
    return run(app, argc, argv);
  } catch (const FilterError& error) {
    const int code = report(error.code(), error.what());
    fmt::print(stderr, "{}\n", error.picture());
    return code;
  } catch (const Error& error) {
    return report(error.code(), with_dashes(error.what()));
  } catch (const std::bad_alloc&) {
    return report(ErrorCode::limit, out_of_memory_message());
  } catch (const std::system_error& error) {
    return report(ErrorCode::failed, fmt::format("standard output: {}", error.code().message()));
  } catch (const std::exception& error) {
    return report(ErrorCode::failed, error.what());
  }
}

}  // namespace
}  // namespace navvy::cli

int main(int argc, char** argv) {
  navvy::cli::handle_signals();
  navvy::cli::remember_invocation(argc, argv);
  return navvy::cli::guarded_main(argc, argv);
}
