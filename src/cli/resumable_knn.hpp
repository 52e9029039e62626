#pragma once

#include <filesystem>

#include "navvy/search.hpp"

namespace navvy::cli {

/// Searcher::knn in blocks of rows. Each block that is done is kept in the file `parts`, so that an
/// interrupted run goes on where it was; the results are the same bits. The caller removes the file
/// once the result is safe. Throws Error(usage) where `parts` belongs to another index or other
/// options.
Matches resumable_knn(Searcher& searcher, const SearchOptions& options,
                      const std::filesystem::path& parts);

}  // namespace navvy::cli
