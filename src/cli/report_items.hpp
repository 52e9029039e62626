// From an index to what reports show of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/queries.hpp"
#include "cli/describe.hpp"
#include "navvy/index.hpp"
#include "report/items.hpp"

namespace navvy::cli {

/// A histogram on the plane of its index, scaled so that its darkest cell is ink; nothing where the
/// index has none.
std::optional<report::Bitmap> picture(const Index& index, const Histogram& histogram);

report::Item item(const Index& index, std::size_t row);

/// A query, which may be a row.
report::Item item(const Index& index, const app::Query& query, const Histogram& histogram);

std::vector<report::WordMove> word_moves(const std::vector<app::NamedMove>& moves);

/// Throws Error(usage) where a report could not be written to `path` or would destroy something
/// else. To be called before work starts.
void check_report(const std::filesystem::path& path);

/// Writes a page or a picture and says so.
void write_page(const std::string& page, const std::filesystem::path& path);

}  // namespace navvy::cli
