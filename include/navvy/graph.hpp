// Answers as files that other programs read.
#pragma once

#include <cstddef>
#include <filesystem>

#include "navvy/matches.hpp"

namespace navvy {

/// Writes the matches of all rows as a sparse matrix that scipy.sparse.load_npz reads: n x n, row i
/// holds the distances to its nearest rows, ascending; written whole or not at all.
void write_graph(const Matches& matches, std::size_t rows, const std::filesystem::path& path);

}  // namespace navvy
