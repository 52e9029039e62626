// Which fields of documents are kept, and values that are checked while a file is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loaders/input.hpp"
#include "navvy/corpus.hpp"

namespace navvy::loaders {

/// Throws Error(usage) where a field is named twice.
void require_different_names(const std::vector<KeptField>& fields);

/// Throws Error(usage) where a corpus of this kind is to have fields.
void require_no_fields(const CorpusOptions& options, const std::string& name,
                       const std::string& kind);

/// One value out of a file. Throws Error(bad_input) with file and line unless it fits a type that
/// was told.
FieldValue kept_value(const InputStream& stream, std::uint64_t line, const KeptField& field,
                      std::string text);

}  // namespace navvy::loaders
