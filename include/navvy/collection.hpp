// A collection of documents that lies in several indexes: its words, and how frequent they are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/text.hpp"

namespace navvy {

/// The property of rows that are weighed against a collection of which they are only a part, and of
/// its vocabulary and queries: a number that tells the collection. Such rows are not weighed anew
/// when they are merged with others of it.
inline constexpr const char* collection_property = "collection";

/// What an index is but for its rows: all its words, those for queries among them, and what rows
/// and queries are weighed against. It encodes queries (TextEncoder) and makes rows (text_rows) as
/// the index does, and may be saved like any.
Index vocabulary_of(const Index& index);

/// The vocabulary of the rows of all parts together, of indexes or of vocabularies of indexes: how
/// often they have each word is added up, so parts may be joined in any groups. At least one.
/// Throws Error(bad_input) unless they were made in the same way and the same words have the same
/// vectors.
Index joined_vocabulary(std::span<const Index> parts);

/// The rows of an index weighed against a vocabulary that has all of its words: a part of the
/// collection, to be searched with queries that were encoded by that vocabulary, and without words
/// for queries of its own. Throws Error(bad_input) where they were made in other ways or a word is
/// missing.
Index reweighed(const Index& index, const Index& vocabulary);

/// The same index with its frequencies, those of its rows where it has none; of texts whose
/// weighting asks for none too.
Index with_frequencies(const Index& index);

/// Queries as an index of their own, to be encoded once and searched for in many parts: a text
/// without a known word is an empty row. `ids`: one for each, or none.
Index encoded_queries(const Index& vocabulary, const TextEncoder& encoder,
                      std::span<const TextQuery> queries, const std::vector<std::string>& ids = {});

}  // namespace navvy
