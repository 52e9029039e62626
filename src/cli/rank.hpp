// Which of several processes this is, each of which does a part of the work.
#pragma once

#include <cstddef>
#include <string>

namespace navvy::cli {

struct Rank {
  std::size_t number = 0;  ///< from 0
  std::size_t of = 1;
};

/// "R/N", R from 0 to N - 1; throws Error(usage).
Rank parse_rank(const std::string& text);

/// What MPI, PMI or SLURM tell their processes; tasks of a SLURM array are counted too. Throws
/// Error(usage) where none of them does.
Rank rank_from_environment();

}  // namespace navvy::cli
