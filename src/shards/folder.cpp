// Makes folders of shards, and puts the whole together again.
#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/files.hpp"
#include "core/fingerprint.hpp"
#include "core/parallel.hpp"
#include "navvy/collection.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/shards.hpp"
#include "navvy/writer.hpp"
#include "shards/sharing.hpp"

namespace navvy {
namespace {

std::string name_of_shard(std::size_t shard) {
  std::string number = std::to_string(shard);
  constexpr std::size_t digits = 4;
  if (number.size() < digits) number.insert(0, digits - number.size(), '0');
  return "shard-" + number + ".navvy";
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) core::throw_system_error(folder, "make the folder", error.value());
  if (is_sharded(folder))
    throw Error(ErrorCode::usage, core::display_name(folder / manifest_name) +
                                      ": there are shards already; expected another folder");
}

// What is no index was not made here; an empty file holds nothing that could be lost.
void require_own(const std::filesystem::path& path) {
  constexpr std::string_view index_begin = "NAVVYIDX";
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return;
  std::string head(index_begin.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (file.gcount() > 0 && head != index_begin)
    throw Error(ErrorCode::usage, core::display_name(path) +
                                      ": exists and is not a navvy index; it will not be "
                                      "overwritten");
}

NamedFile save_named(const Index& index, const std::filesystem::path& folder,
                     const std::string& name, const ProgressCallback& progress) {
  save_index(index, folder / name, progress);
  return {name, index.rows.size(), index_identity(folder / name)};
}

// What shards of one whole have in common; names the file that differs.
void require_same(const Index& first, const Index& other, const std::filesystem::path& file) {
  const auto collection = [](const Index& index) {
    const auto place = index.properties.find(collection_property);
    return place == index.properties.end() ? std::string() : place->second;
  };
  try {
    require_same_making(first, other);
    if (collection(first) != collection(other))
      throw Error(ErrorCode::bad_input,
                  "it is weighed against another collection than the shards before it");
  } catch (const Error& error) {
    throw Error(error.code(), core::display_name(file) + ": " + error.what());
  }
}

}  // namespace

std::uint64_t ShardManifest::rows() const noexcept {
  std::uint64_t rows = 0;
  for (const NamedFile& shard : shards) rows += shard.rows;
  return rows;
}

// Names do not count: another attempt at the same shards gives the same.
std::uint64_t ShardManifest::identity() const noexcept {
  core::Fingerprint all;
  all.add(sharing);
  all.add(kind);
  all.add(numbered);
  for (const NamedFile& shard : shards) {
    all.add(shard.rows);
    all.add(shard.identity);
  }
  return all.value();
}

bool is_sharded(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none) &&
         std::filesystem::exists(path / manifest_name, none);
}

void split(const Index& index, std::size_t shards, Sharing sharing,
           const std::filesystem::path& folder, const ProgressCallback& progress) {
  if (shards < 1 || shards > std::min(most_shards, index.rows.size()))
    throw Error(ErrorCode::usage, std::to_string(shards) + " shards of " +
                                      std::to_string(index.rows.size()) + " rows; expected 1 to " +
                                      std::to_string(most_shards) + ", and a row for each");
  make_folder(folder);
  for (std::size_t shard = 0; shard < shards; ++shard) require_own(folder / name_of_shard(shard));
  if (index.kind == DataKind::text) require_own(folder / vocabulary_name);
  ShardManifest manifest{sharing, index.kind, index.ids.empty(), {}, {}};
  const Index vocabulary = vocabulary_of(index);
  if (index.kind == DataKind::text)
    manifest.vocabulary.push_back(save_named(vocabulary, folder, vocabulary_name, {}));
  core::Monitor monitor(progress);
  monitor.begin("shards", shards);
  for (const std::vector<std::uint32_t>& rows :
       shards::shared_out(index.rows.size(), shards, sharing)) {
    Index part = extracted(index, rows);
    if (index.kind == DataKind::text) part = reweighed(part, vocabulary);
    manifest.shards.push_back(save_named(part, folder, name_of_shard(manifest.shards.size()), {}));
    monitor.add(1);
    monitor.throw_if_stopped();
  }
  write_manifest(manifest, folder);
}

void make_shards(const std::filesystem::path& folder, std::span<const std::string> files,
                 const std::string& vocabulary) {
  if (files.empty()) throw Error(ErrorCode::usage, "no shards; expected at least one file");
  ShardManifest manifest;
  const Index first = open_index(folder / files.front());
  manifest.kind = first.kind;
  manifest.numbered = true;
  for (const std::string& name : files) {
    const OpenedIndex opened = open_with_state(folder / name);
    const Index& shard = opened.index;
    require_same(first, shard, folder / name);
    manifest.numbered = manifest.numbered && shard.ids.empty();
    manifest.shards.push_back({name, shard.rows.size(), opened.identity});
  }
  if (vocabulary.empty() != (first.kind != DataKind::text))
    throw Error(ErrorCode::usage, vocabulary.empty()
                                      ? "shards of texts without the vocabulary of the whole"
                                      : "a vocabulary for shards that are no texts");
  if (!vocabulary.empty()) {
    const OpenedIndex opened = open_with_state(folder / vocabulary);
    require_same(first, opened.index, folder / vocabulary);
    if (opened.index.rows.size() > 0)
      throw Error(ErrorCode::bad_input, core::display_name(folder / vocabulary) + ": has " +
                                            std::to_string(opened.index.rows.size()) +
                                            " rows; expected a vocabulary, which has none");
    manifest.vocabulary.push_back({vocabulary, 0, opened.identity});
  }
  write_manifest(manifest, folder);
}

Index open_whole(const std::filesystem::path& path) {
  if (!is_sharded(path)) return open_index(path);
  const Shards shards(path);
  const ShardManifest& manifest = shards.manifest();
  if (manifest.rows() >= row_limit)
    throw Error(ErrorCode::limit, core::display_name(path) + ": " +
                                      std::to_string(manifest.rows()) +
                                      " rows are too many for one index; search its shards");
  std::vector<Index> parts;
  for (std::size_t shard = 0; shard < manifest.shards.size(); ++shard) {
    parts.push_back(shards.open(shard));
    if (manifest.numbered) parts.back().ids = {};
  }
  Index whole = merged(parts);
  if (manifest.sharing == Sharing::hashed) whole = reordered(whole, shards::places_of(manifest));
  if (manifest.kind == DataKind::text) whole.beyond = shards.vocabulary().beyond;
  whole.properties.erase(collection_property);
  return whole;
}

}  // namespace navvy
