// Options that mean the same on every verb, and the reading of their values.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/choice.hpp"
#include "navvy/index.hpp"
#include "navvy/measure.hpp"
#include "navvy/search.hpp"

namespace navvy::cli {

/// What a verb prints of what it found.
enum class Output { text, csv, tsv, json };

struct CommonOptions {
  bool json = false;
  Output output = Output::text;  ///< of verbs that have --print
  unsigned threads = 0;          ///< 0: all cores
  std::uint64_t memory = 0;      ///< 0: half of the RAM
  std::string device;            ///< empty: what the environment names, else the processor
  std::uint64_t device_memory = 0;
};

/// --quiet alone; --json, --quiet, --threads and --memory.
void add_quiet_option(CLI::App& command);
void add_common_options(CLI::App& command, CommonOptions& options);

/// --device and --device-memory, for verbs that compute distances.
void add_device_options(CLI::App& command, CommonOptions& options);

/// The index that a verb works on, its first argument.
CLI::Option* add_index_argument(CLI::App& command, std::filesystem::path& file);

/// --measure, which is returned, and --threshold.
CLI::Option* add_measure_option(CLI::App& command, Measure& measure);
void add_threshold_option(CLI::App& command, double& threshold);
/// Hands a threshold to the measures that take one; where none does, to all, which says so.
void set_threshold(double threshold, std::span<Measure> measures);
void add_top_option(CLI::App& command, std::size_t& top);
CLI::Option* add_direction_option(CLI::App& command, Direction& direction);
/// --price: of mass that finds no room.
void add_price_option(CLI::App& command, double& price);
/// --where and --ids: which rows are left to be searched.
void add_choice_options(CLI::App& command, app::RowChoice& choice);
/// --deadline, --max-solves and --tolerance: when a search under emd may stop early.
/// For numbers that are counts: CLI11 would take -1 for the largest there is.
CLI::Validator not_negative();

void add_exact_options(CLI::App& command, ExactOptions& options);
/// An option by the name that it had before: understood, but not told of.
template <class Value>
void add_old_name(CLI::App& command, const std::string& name, Value& value) {
  command.add_option(name, value)->group("");
}
/// The file that a verb writes.
CLI::Option* add_output_option(CLI::App& command, std::filesystem::path& file,
                               const std::string& description);

/// --report: a page for people.
void add_report_option(CLI::App& command, std::filesystem::path& file,
                       const std::string& description);

/// The examples at the end of a verb's help.
void add_examples(CLI::App& command, std::initializer_list<std::string_view> lines);

/// What the library wants, without progress.
RunOptions run_options(const CommonOptions& options);
SearchOptions search_options(const CommonOptions& options, const Measure& measure,
                             Direction direction = Direction::symmetric);

/// What index files begin with.
inline constexpr std::string_view index_magic = "NAVVYIDX";

/// Writes an index, with progress.
void save(const Index& index, const std::filesystem::path& path);

/// Throws Error(usage) where writing `path` could not succeed or would destroy something else: its
/// folder must exist, and a file in its place must begin with `magic`, as earlier output does. To
/// be called before work starts.
void check_output(const std::filesystem::path& path, std::string_view magic, std::string_view kind);

}  // namespace navvy::cli
