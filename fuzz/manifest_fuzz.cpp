// Manifests of folders of shards. An input that begins with '{' is the file as it is; any other
// tells what to change in a manifest of two shards that are there, whose checksum then fits: what
// is accepted must not let any task read what is not there.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/shards.hpp"

namespace {

// A folder with shards, which goes when the program ends.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / name()) {
    std::filesystem::remove_all(path_);
    navvy::HistogramsBuilder builder(3);
    for (std::uint32_t row = 0; row < 12; ++row)
      builder.add(std::vector<std::uint32_t>{row % 3, 2}, std::vector<double>{1, 1.0 + row});
    index_.vocabulary = navvy::Vocabulary(2, navvy::Array(std::vector<float>{0, 0, 1, 0, 0, 1}),
                                          navvy::Array(std::vector<std::uint32_t>{0, 1, 2}), {});
    index_.rows = builder.build();
    navvy::split(index_, 2, navvy::Sharing::hashed, path_);
    sound_ = navvy::read_manifest(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const navvy::Index& index() const { return index_; }
  [[nodiscard]] const navvy::ShardManifest& sound() const { return sound_; }

 private:
  static std::string name() { return "navvy-manifest-fuzz-" + std::to_string(::getpid()); }

  std::filesystem::path path_;
  navvy::Index index_;
  navvy::ShardManifest sound_;
};

// Each change is a byte for what and eight for how much.
navvy::ShardManifest changed(navvy::ShardManifest manifest, std::span<const std::uint8_t> input) {
  constexpr std::size_t bytes = 9;
  for (; input.size() >= bytes; input = input.subspan(bytes)) {
    std::uint64_t value = 0;
    for (std::size_t i = 1; i < bytes; ++i) value = value << 8U | input[i];
    navvy::NamedFile& shard = manifest.shards[value % manifest.shards.size()];
    switch (input[0] % 8) {
      case 0:
        shard.rows = value;
        break;
      case 1:
        shard.rows = value % 16;
        break;
      case 2:
        shard.identity = value;
        break;
      case 3:
        shard = manifest.shards[value / 2 % manifest.shards.size()];
        break;
      case 4:
        manifest.sharing = value % 2 == 0 ? navvy::Sharing::hashed : navvy::Sharing::contiguous;
        break;
      case 5:
        manifest.kind = static_cast<navvy::DataKind>(value % 3);
        break;
      case 6:
        if (manifest.shards.size() < 8) manifest.shards.push_back(navvy::NamedFile(shard));
        break;
      default:
        manifest.vocabulary.push_back(navvy::NamedFile(shard));
        break;
    }
  }
  return manifest;
}

template <class Task>
void attempt(const Task& task) {
  try {
    task();
  } catch (const navvy::Error&) {
  }
}

void use(const Folder& folder) {
  const navvy::Shards shards(folder.path());
  navvy::SearchOptions options;
  options.top = 3;
  options.run.threads = 1;
  const std::size_t count = shards.manifest().shards.size();
  for (std::size_t shard = 0; shard < count; ++shard) {
    attempt([&] {
      if (shards.rows_of(shard).size() != shards.open(shard).rows.size()) std::abort();
    });
    attempt([&] { static_cast<void>(shards.search(shard, folder.index(), options)); });
    attempt([&] { static_cast<void>(shards.knn(0, shard, options)); });
  }
  attempt([&] {
    if (navvy::open_whole(folder.path()).rows.size() != shards.manifest().rows()) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  if (size > 0 && data[0] == '{')
    std::ofstream(folder.path() / navvy::manifest_name, std::ios::binary)
        << std::string(reinterpret_cast<const char*>(data), size);
  else
    navvy::write_manifest(changed(folder.sound(), {data, size}), folder.path());
  attempt([] { use(folder); });
  return 0;
}
