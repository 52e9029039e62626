// Long work in parts whose outcome is saved in a file, so that interrupted work goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/files.hpp"
#include "core/fingerprint.hpp"
#include "core/range.hpp"
#include "core/run.hpp"
#include "navvy/search.hpp"

namespace navvy::search {

/// Where work is saved, and what tells it from other work.
struct Saving {
  const Checkpoint& checkpoint;
  core::Fingerprint work{};
};

/// Takes an outcome, value by value, in the byte order of this machine.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(const std::filesystem::path& path) : file_(path) {}

  template <class T>
  void write(std::span<const T> values) {
    write_bytes(std::as_bytes(values));
  }

  /// The file is there, whole, once this returns.
  void finish();

 private:
  void write_bytes(std::span<const std::byte> bytes);
  void flush();

  core::AtomicFile file_;
  std::vector<std::byte> buffer_;
  core::Fingerprint written_;
};

/// Gives an outcome back in the pieces in which it was written.
class CheckpointReader {
 public:
  explicit CheckpointReader(std::filesystem::path path);

  /// Throws Error(bad_input) where the file ends too early.
  template <class T>
  void read(std::span<T> values) {
    read_bytes(std::as_writable_bytes(values));
  }

  /// Throws Error(bad_input) naming the file unless what was read can be right.
  void require(bool right, std::string_view otherwise) const;

  /// Throws Error(bad_input) unless all was read, as it was written.
  void finish();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  void read_bytes(std::span<std::byte> bytes);
  bool has_more();

  std::filesystem::path path_;
  core::OpenFile file_;
  std::vector<std::byte> buffer_;
  std::span<const std::byte> left_;  // of the buffer
  core::Fingerprint read_;
};

/// Work in units that are done in order, with an outcome that can be saved after each.
class ResumableWork {
 public:
  virtual ~ResumableWork() = default;

  [[nodiscard]] virtual std::size_t units() const = 0;
  virtual void run(core::Range units) = 0;

  /// The outcome of the first `done` units. load() is called before anything is run, if at all.
  virtual void save(std::size_t done, CheckpointWriter& writer) = 0;
  virtual void load(std::size_t done, CheckpointReader& reader) = 0;
};

/// Runs what is not done yet: at once where there is no checkpoint, otherwise in parts that are
/// saved at intervals. Throws Error(usage) where the checkpoint is of other work.
void run_saved(ResumableWork& work, const Saving& saving, const core::Run& run);

}  // namespace navvy::search
