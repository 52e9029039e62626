// Rows of an index as a file of arrays that other programs read.
#pragma once

#include <filesystem>

#include "navvy/index.hpp"
#include "navvy/progress.hpp"
#include "navvy/rows.hpp"

namespace navvy {

/// Writes rows as one .npz file, whole or not at all. scipy.sparse.load_npz reads the weights as a
/// CSR matrix with a column per coordinate, read_coordinates() the coordinates, so that an index of
/// the same distances can be built again, to the bit. numpy.load gives the other arrays, none of
/// them pickled: `coordinates` and `numbers`, one per column, and where there are such `words` of
/// columns, and `ids`, `labels`, `titles`, `snippets` and `field_NAME` of rows. Texts are Unicode
/// arrays, numbers float64 with NaN for none, dates datetime64[s] with NaT for none.
///
/// Throws Error(limit) where texts of very different lengths would take more than 4 GB as an array.
void export_npz(const Index& index, const RowRange& range, const std::filesystem::path& path,
                const ProgressCallback& progress = {});

}  // namespace navvy
