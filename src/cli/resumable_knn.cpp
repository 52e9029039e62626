#include "cli/resumable_knn.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t block_rows = 1024;

// FNV-1a: enough to tell one index from another by accident, not by intent.
template <class T>
std::uint64_t fingerprint(std::span<const T> values, std::uint64_t hash) {
  for (const std::byte byte : std::as_bytes(values)) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  return hash;
}

// Everything that the result depends on, in one line.
std::string head_line(const Index& index, const SearchOptions& options) {
  std::uint64_t hash = 0xcbf29ce484222325;
  hash = fingerprint(index.vocabulary.coordinates().span(), hash);
  hash = fingerprint(index.rows.offsets().span(), hash);
  hash = fingerprint(index.rows.coordinates().span(), hash);
  hash = fingerprint(index.rows.weights().span(), hash);
  return fmt::format("navvy knn parts 1: {} rows, top {}, {} {}, index {:016x}\n",
                     index.rows.size(), options.top, to_string(options.measure),
                     to_string(options.direction), hash);
}

/// The file of finished blocks: the head line, then for each row its matches and their distances.
class Parts {
 public:
  Parts(std::filesystem::path path, std::string head, std::size_t top)
      : path_(std::move(path)), head_(std::move(head)), row_bytes_(top * (4 + 8)) {}

  // Reads the finished rows into `matches`; returns how many there are.
  std::size_t read(Matches& matches) const {
    std::ifstream file(path_, std::ios::binary);
    if (!file) return 0;
    std::string head(head_.size(), '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (!file || head != head_) {
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: belongs to another index or other options; remove it to start anew",
                      path_.string()));
    }
    std::size_t rows = 0;
    while (rows < matches.queries) {
      const std::size_t count = std::min(block_rows, matches.queries - rows);
      if (!read_block(file, matches, rows, count)) break;
      rows += count;
    }
    return rows;
  }

  // Cuts off what an interruption left of a block, and writes the head of a new file.
  void prepare(std::size_t rows) const {
    if (rows > 0) return std::filesystem::resize_file(path_, head_.size() + rows * row_bytes_);
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file << head_ << std::flush;
    require(file);
  }

  void append(const Matches& block) const {
    std::ofstream file(path_, std::ios::binary | std::ios::app);
    const auto write = [&](auto values) {
      file.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size_bytes()));
    };
    write(std::span(block.rows));
    write(std::span(block.distances));
    file.flush();
    require(file);
  }

 private:
  static bool read_block(std::ifstream& file, Matches& matches, std::size_t row,
                         std::size_t count) {
    const auto read = [&](auto values) {
      const auto part = values.subspan(row * matches.top, count * matches.top);
      file.read(reinterpret_cast<char*>(part.data()),
                static_cast<std::streamsize>(part.size_bytes()));
    };
    read(std::span(matches.rows));
    read(std::span(matches.distances));
    return static_cast<bool>(file);
  }

  void require(const std::ofstream& file) const {
    if (file) return;
    throw Error(ErrorCode::failed, fmt::format("{}: cannot write: {}", path_.string(),
                                               std::generic_category().message(errno)));
  }

  std::filesystem::path path_;
  std::string head_;
  std::size_t row_bytes_;
};

// The matches of the rows [begin, end); rows without weight have none.
Matches search_block(Searcher& searcher, std::size_t begin, std::size_t end,
                     const SearchOptions& options) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = begin; row < end; ++row) {
    if (!is_empty(searcher.index().rows[row])) rows.push_back(static_cast<std::uint32_t>(row));
  }
  Matches block;
  block.queries = end - begin;
  block.top = options.top;
  block.rows.assign(block.queries * block.top, Matches::no_row);
  block.distances.assign(block.rows.size(), 0);
  if (rows.empty()) return block;
  const Matches found = searcher.search_rows(rows, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto from = static_cast<std::ptrdiff_t>(i * found.top);
    const auto to = static_cast<std::ptrdiff_t>((rows[i] - begin) * block.top);
    const auto count = static_cast<std::ptrdiff_t>(std::min(found.top, block.top));
    std::copy_n(found.rows.begin() + from, count, block.rows.begin() + to);
    std::copy_n(found.distances.begin() + from, count, block.distances.begin() + to);
  }
  return block;
}

}  // namespace

Matches resumable_knn(Searcher& searcher, const SearchOptions& options,
                      const std::filesystem::path& parts) {
  const std::size_t n = searcher.index().rows.size();
  Matches matches;
  matches.queries = n;
  matches.top = options.top;
  matches.rows.assign(n * options.top, Matches::no_row);
  matches.distances.assign(matches.rows.size(), 0);
  const Parts file(parts, head_line(searcher.index(), options), options.top);
  std::size_t row = file.read(matches);
  file.prepare(row);
  while (row < n) {
    const std::size_t end = std::min(row + block_rows, n);
    SearchOptions block_options = options;
    // The whole is what one waits for, not the block.
    block_options.progress = [&](const Progress& progress) {
      const std::uint64_t share =
          progress.total > 0 ? progress.done * (end - row) / progress.total : 0;
      return !options.progress || options.progress({"rows", row + share, n});
    };
    const Matches block = search_block(searcher, row, end, block_options);
    file.append(block);
    const auto place = static_cast<std::ptrdiff_t>(row * options.top);
    std::copy(block.rows.begin(), block.rows.end(), matches.rows.begin() + place);
    std::copy(block.distances.begin(), block.distances.end(), matches.distances.begin() + place);
    row = end;
  }
  return matches;
}

}  // namespace navvy::cli
