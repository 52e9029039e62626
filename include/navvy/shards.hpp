// An index in shards: a folder of index files that answer together with the bits of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/lists.hpp"
#include "navvy/options.hpp"
#include "navvy/progress.hpp"
#include "navvy/version.hpp"

/// A folder of shards holds ordinary index files and `manifest.json`, which alone says which of
/// them count and which rows of the whole each has. Tasks over shards are pure: the same arguments
/// give the same bytes, whoever runs them, and however often.
namespace navvy {

/// Which rows a shard has: a range of them, or those that a hash of their numbers puts there, which
/// is the same everywhere. Their order is that of the whole in both.
enum class Sharing { contiguous, hashed };

/// The file of a folder that says what counts.
inline constexpr const char* manifest_name = "manifest.json";
inline constexpr const char* vocabulary_name = "vocabulary.navvy";
inline constexpr std::size_t most_shards = 65536;

/// A file that a manifest names.
struct NamedFile {
  std::string name;  ///< letters, digits, ".", "-" and "_", not beginning with "."
  std::uint64_t rows = 0;
  std::uint64_t identity = 0;  ///< see index_identity
};

struct ShardManifest {
  Sharing sharing = Sharing::contiguous;
  DataKind kind = DataKind::histograms;
  bool numbered = false;  ///< rows are called by their numbers
  std::vector<NamedFile> shards;
  std::vector<NamedFile> vocabulary;  ///< of texts one, else none

  [[nodiscard]] std::uint64_t rows() const noexcept;
  /// A number that changes with any shard.
  [[nodiscard]] std::uint64_t identity() const noexcept;
};

/// Throws Error(bad_input) naming the file where it is damaged or of another version, Error(failed)
/// where it cannot be read.
ShardManifest read_manifest(const std::filesystem::path& folder);

/// Writes it whole or not at all. Throws Error(usage) on a name that cannot be.
void write_manifest(const ShardManifest& manifest, const std::filesystem::path& folder);

/// Whether a path is a folder of shards.
bool is_sharded(const std::filesystem::path& path);

/// Writes the rows of an index as so many shards into a folder, which is made if need be, and then
/// the manifest. Throws Error(usage) where the folder has one already, or there are fewer rows than
/// shards.
void split(const Index& index, std::size_t shards, Sharing sharing,
           const std::filesystem::path& folder, const ProgressCallback& progress = {});

/// Makes index files of a folder its shards, in this order: the manifest is written, and replaces
/// one that is there. `vocabulary`: of texts, the file of it in the folder. Throws Error(bad_input)
/// where they were not made in the same way.
void make_shards(const std::filesystem::path& folder, std::span<const std::string> files,
                 const std::string& vocabulary);

/// The index of a file, or of a folder of shards: the whole of it, in memory, with the rows in
/// their order. Throws as open_index and Shards do.
Index open_whole(const std::filesystem::path& path);

/// A folder of shards, and what is ready of it. Calls may come from any number of threads.
///
/// Everything throws an error that names the shard where its file is missing, damaged, of another
/// version, or not the one that the manifest names.
class Shards {
 public:
  explicit Shards(const std::filesystem::path& folder);
  ~Shards();
  Shards(Shards&&) noexcept;
  Shards& operator=(Shards&&) noexcept;

  [[nodiscard]] const std::filesystem::path& folder() const noexcept;
  [[nodiscard]] const ShardManifest& manifest() const noexcept;

  /// The numbers that the rows of a shard have in the whole, ascending.
  [[nodiscard]] std::vector<std::uint64_t> rows_of(std::size_t shard) const;

  [[nodiscard]] Index open(std::size_t shard) const;
  /// Of texts: it encodes queries for all shards. Throws Error(usage) where there is none.
  [[nodiscard]] Index vocabulary() const;

  /// The parts of the work that all rows against all make: pairs of shards, those of a shard with
  /// itself first, since what they find are limits for the others.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs() const;

  /// What tells the work of a question from others, as Lists::work.
  [[nodiscard]] std::uint64_t work(const Index& queries, const SearchOptions& options) const;
  [[nodiscard]] std::uint64_t knn_work(const SearchOptions& options) const;

  /// Queries against the rows of one shard; queries without weight have no matches. Texts must have
  /// been encoded by vocabulary(). Throws Error(bad_input) where they were not. The shards that
  /// were asked last stay ready, by backend. SearchOptions::among is not for shards, here and in
  /// knn.
  Lists search(std::size_t shard, const Index& queries, const SearchOptions& options,
               const std::string& backend = default_backend()) const;

  /// The rows of two shards against each other, for the lists of both, or those of one among
  /// themselves. `options.limits`: of the rows of `a`, then of those of `b`.
  Lists knn(std::size_t a, std::size_t b, const SearchOptions& options,
            const std::string& backend = default_backend()) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace navvy
