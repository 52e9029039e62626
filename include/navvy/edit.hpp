// Edits of an index: append, remove, merge, weigh anew, verify.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "navvy/index.hpp"

/// The life of an index after it was built. Indexes are values: every function returns a new one,
/// and save_index replaces a file whole or not at all; writer.hpp edits files in place. Whatever
/// the sequence of edits, searches give the same bits as over an index built at once from the same
/// rows, under tfidf against the same frequencies: these stay what they are until reweighed().
namespace navvy {

/// Without the rows of these ids, and without coordinates and labels that no row uses any more.
/// Where rows had no ids, the others keep the row numbers they had as ids. Throws Error(usage)
/// naming the first id that is not there.
Index removed(const Index& index, std::span<const std::string> ids);

/// Some rows of an index with all that belongs to them, in the order of their numbers, weighed as
/// they are; only coordinates and labels that they use. Where rows had no ids, they keep the row
/// numbers they had as ids. Throws Error(usage) where a row does not exist.
Index extracted(const Index& index, std::span<const std::uint32_t> rows);

/// The rows of an index in another order, with all that belongs to them: row order[i] becomes row
/// i. Throws Error(usage) unless the order names each row once.
Index reordered(const Index& index, std::span<const std::uint32_t> order);

/// The index with more rows behind its own, weighed as its own are. Where no row has an id, row
/// numbers go on. Throws Error(bad_input) as merged does.
Index appended(const Index& index, const Index& rows);

/// The rows of `a`, then those of `b`, weighed anew, unless both are weighed against a larger
/// collection of which they are parts (collection.hpp). Throws Error(bad_input) unless both were
/// made in the same way (kind, properties that queries depend on, dimensions), coordinates of the
/// same number are the same, and no id stands in both.
Index merged(const Index& a, const Index& b);

/// The rows of all parts, one part after the other; at least one. Throws as merged of two does.
Index merged(std::span<const Index> parts);

/// The same rows weighed against themselves: under tfidf, frequencies are those of the rows that
/// are there now, be they a part of a larger collection or not.
Index reweighed(const Index& index);

/// Throws Error(bad_input) unless the rows of both were made in the same way, so that they can
/// stand in one index or one can be searched for in the other: kind, dimensions, and the properties
/// that queries depend on.
void require_same_making(const Index& a, const Index& b);

/// Checks what open_index leaves to trust: every coordinate is used, vectors have length 1 and
/// weights follow from counts where the properties say so. Throws Error(damaged_index).
void verify(const Index& index);

/// Groups of rows with weight whose histograms are the same bit by bit; each ascending, ordered by
/// first row.
std::vector<std::vector<std::uint32_t>> duplicate_rows(const Index& index);

}  // namespace navvy
