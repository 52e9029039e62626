// Edits of an index file in place, in time and bytes proportional to what changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "navvy/index.hpp"
#include "navvy/progress.hpp"

namespace navvy {

struct WriterOptions {
  /// Seconds to wait for another writer before giving up.
  double wait = 10;
  /// Small segments are put together when they grow many, and the file is written anew when more of
  /// it is unused than used.
  bool tidy = true;
  ProgressCallback progress;
};

/// A segment of an index file, for people.
struct SegmentFacts {
  std::uint64_t rows = 0;
  std::uint64_t removed = 0;  ///< of these
  std::uint64_t bytes = 0;
};

/// What an index file is made of.
struct FileFacts {
  std::uint32_t version = 0;
  std::uint64_t edits = 0;  ///< since the file was written whole
  std::vector<SegmentFacts> segments;
  std::uint64_t bytes = 0;     ///< of the file
  std::uint64_t unused = 0;    ///< of these; `compact` gives them back
  std::uint64_t leftover = 0;  ///< of an edit that did not end; the next one clears them
  /// Rows that came or went since frequencies were fixed, as a share of the documents then; 0 where
  /// weights do not depend on them.
  double drift = 0;
};

/// Reads them from head, manifest and tables alone. Throws Error(damaged_index) or Error(failed).
FileFacts file_facts(const std::filesystem::path& path);

/// Beyond this drift, tfidf weights are worth computing anew: where what was added is about
/// something else, more than a twentieth of the ten nearest rows then differ
/// (bench/results/living.md).
inline constexpr double much_drift = 0.25;

/// Which state of a file was read; equal as long as nobody has edited or replaced the file.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t edits = 0;
  std::int64_t changed = 0;  ///< when, as the file system tells

  friend bool operator==(const FileState&, const FileState&) = default;
};

FileState file_state(const std::filesystem::path& path);

/// An index together with the state of the file that it is, and what tells that from others.
struct OpenedIndex {
  Index index;
  FileState state;
  std::uint64_t identity = 0;  ///< see index_identity
};

OpenedIndex open_with_state(const std::filesystem::path& path, const OpenOptions& options = {});

/// Replaces a file by an index that was made of what it was in that state. Throws Error(failed) and
/// changes nothing where others have edited or replaced it since: their work would be lost.
void save_index(const Index& index, const std::filesystem::path& path, const FileState& state,
                const ProgressCallback& progress = {});

/// Edits one index file. It holds the file's lock from construction to destruction, so that nobody
/// edits in between; readers are never kept waiting, and go on with the state that they opened.
///
/// Each call is one edit, durable when it returns: after a crash at any moment the file is what it
/// was before the call or after it. Where it throws, nothing has changed, unless the message says
/// that the edit is there but may not survive a power failure. A file of format version 1 becomes
/// one of version 2.
class IndexWriter {
 public:
  /// Throws Error(failed) where the lock cannot be had in time, saying who holds it.
  explicit IndexWriter(const std::filesystem::path& path, const WriterOptions& options = {});
  ~IndexWriter();
  IndexWriter(IndexWriter&&) noexcept;
  IndexWriter& operator=(IndexWriter&&) noexcept;

  /// What there is without what it weighs: kind, vocabulary, ids, properties, frequencies, names
  /// and types of fields, and as many rows as there are, none of which has bins. text_rows() takes
  /// it as the index to add to.
  [[nodiscard]] const Index& outline() const;

  /// Puts rows behind those that are there; they must have been made in the same way and are
  /// weighed against the same frequencies. Rows without ids get the next numbers. Throws
  /// Error(bad_input) as appended() does.
  void add(const Index& rows);

  /// Removes the rows of these ids. Throws Error(usage) naming the first that is not there.
  void remove(std::span<const std::string> ids);

  struct Update {
    std::size_t replaced = 0;
    std::size_t added = 0;
  };
  /// Replaces the rows that have the ids of these, and adds the others: one edit, after which all
  /// of them stand behind those that stayed. Rows must have ids.
  Update update(const Index& rows);

  /// Writes the file anew as one segment without what was removed; under tfidf, `reweigh` brings
  /// frequencies up to date.
  void compact(bool reweigh = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace navvy
