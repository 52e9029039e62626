// Reads ranks from text and from the environment.
#include "cli/rank.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t most_processes = std::size_t{1} << 32U;

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::size_t> told(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {};
  const auto found = number(value);
  if (!found)
    throw Error(ErrorCode::usage,
                fmt::format("environment variable {} is '{}'; expected a number", name, value));
  return found;
}

Rank checked(Rank rank, std::string_view what) {
  if (rank.of == 0)
    throw Error(ErrorCode::usage, fmt::format("{}: no processes; expected at least one", what));
  if (rank.number < rank.of) return rank;
  throw Error(ErrorCode::usage, fmt::format("{}: process {} of {}; expected a number from 0 to {}",
                                            what, rank.number, rank.of, rank.of - 1));
}

// A rank and how many there are, as MPI's starters tell it.
constexpr std::pair<const char*, const char*> starters[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
};

// A script that SLURM runs is told of all tasks though it runs alone; its steps tell theirs.
std::optional<Rank> rank_in_slurm() {
  const auto task = told("SLURM_PROCID");
  const auto entry = told("SLURM_ARRAY_TASK_ID");
  if (!task && !entry) return {};
  auto tasks = told("SLURM_STEP_NUM_TASKS");
  if (!tasks) tasks = entry ? std::size_t{1} : told("SLURM_NTASKS").value_or(1);
  Rank rank{task.value_or(0), *tasks};
  if (!entry) return rank;
  const std::size_t first = told("SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t step = told("SLURM_ARRAY_TASK_STEP").value_or(1);
  const std::size_t count = told("SLURM_ARRAY_TASK_COUNT").value_or(0);
  if (step == 0 || *entry < first || count == 0)
    throw Error(ErrorCode::usage,
                "SLURM_ARRAY_TASK_ID without a fitting SLURM_ARRAY_TASK_MIN and "
                "SLURM_ARRAY_TASK_COUNT");
  const std::size_t place = (*entry - first) / step;
  if (count > most_processes / std::max<std::size_t>(rank.of, 1) || place >= count)
    throw Error(ErrorCode::usage,
                fmt::format("SLURM: task {} of an array of {}, of {} processes each; expected a "
                            "number below that of tasks, and at most {} processes",
                            place, count, rank.of, most_processes));
  rank.number += place * rank.of;
  rank.of *= count;
  return rank;
}

}  // namespace

Rank parse_rank(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto first = number(std::string_view(text).substr(0, slash));
  const auto all =
      slash == std::string::npos ? std::nullopt : number(std::string_view(text).substr(slash + 1));
  if (!first || !all || *all == 0)
    throw Error(ErrorCode::usage, fmt::format("rank '{}': expected R/N, such as 0/8", text));
  return checked({*first, *all}, "--rank");
}

Rank rank_from_environment() {
  for (const auto& [rank, size] : starters) {
    const auto own = told(rank);
    if (!own) continue;
    const auto all = told(size);
    if (!all) throw Error(ErrorCode::usage, fmt::format("{} is set, but {} is not", rank, size));
    return checked({*own, *all}, rank);
  }
  if (const auto rank = rank_in_slurm()) return checked(*rank, "SLURM");
  throw Error(ErrorCode::usage,
              "no rank in the environment: neither OMPI_COMM_WORLD_RANK, MV2_COMM_WORLD_RANK, "
              "PMI_RANK, SLURM_PROCID nor SLURM_ARRAY_TASK_ID is set; --rank R/N names one");
}

}  // namespace navvy::cli
