// Walks through folders.
#include "loaders/folder.hpp"

#include <algorithm>
#include <system_error>

#include "core/files.hpp"
#include "loaders/utf8.hpp"
#include "navvy/error.hpp"

namespace navvy::loaders {
namespace {

// A link to itself is one that leads nowhere.
std::filesystem::file_type entry_type(const std::filesystem::directory_entry& entry) {
  std::error_code error;
  const std::filesystem::file_type type = entry.status(error).type();
  if (error == std::errc::too_many_symbolic_link_levels ||
      error == std::errc::no_such_file_or_directory)
    return std::filesystem::file_type::not_found;
  if (error) throw std::filesystem::filesystem_error("", entry.path(), error);
  return type;
}

bool comes_before(const std::filesystem::path& a, const std::filesystem::path& b) {
  return a.generic_string() < b.generic_string();
}

}  // namespace

FolderContent content_of(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  FolderContent content;
  fs::path at = folder;  // which folder was being entered when an error came
  try {
    for (auto entry = fs::recursive_directory_iterator(folder);
         entry != fs::recursive_directory_iterator(); ++entry) {
      at = entry->path();
      const bool is_hidden = at.filename().string().starts_with('.');
      if (is_hidden && entry->symlink_status().type() == fs::file_type::directory)
        entry.disable_recursion_pending();
      if (is_hidden) continue;
      const fs::file_type type = entry_type(*entry);
      if (type == fs::file_type::regular) content.files.push_back(at.lexically_relative(folder));
      if (type == fs::file_type::not_found && entry->is_symlink())
        content.broken_links.push_back(at.lexically_relative(folder));
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::failed,
                core::display_name(at) + ": cannot be read: " + error.code().message(),
                error.code().value(), at.string());
  }
  std::sort(content.files.begin(), content.files.end(), comes_before);
  std::sort(content.broken_links.begin(), content.broken_links.end(), comes_before);
  return content;
}

std::string name_of(const std::filesystem::path& path) {
  std::uint64_t ignored = 0;
  return to_utf8(path.generic_string(), Encoding::utf8, ignored);
}

}  // namespace navvy::loaders
