// Readers of arrays over streams, which tests and fuzzers feed from memory.
#pragma once

#include "loaders/input.hpp"
#include "loaders/npy.hpp"
#include "loaders/npz.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::loaders {

/// A dense two-dimensional array, one histogram per row.
Histograms dense_histograms(const NpyArray& array, ZeroBins zero_bins);

/// A sparse matrix as scipy.sparse.save_npz writes it.
Histograms sparse_histograms(const NpzFile& file, ZeroBins zero_bins);

Histograms read_histograms(InputStream& input, ZeroBins zero_bins);
Vocabulary read_coordinates(InputStream& input);
std::vector<std::string> read_labels(InputStream& input);

}  // namespace navvy::loaders
