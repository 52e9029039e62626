// Long work in parts whose outcome is saved in a file, so that interrupted work goes on.
#pragma once

#include <cstddef>

#include "core/checked_stream.hpp"
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

/// Work in units that are done in order, with an outcome that can be saved after each.
class ResumableWork {
 public:
  virtual ~ResumableWork() = default;

  [[nodiscard]] virtual std::size_t units() const = 0;
  virtual void run(core::Range units) = 0;

  /// The outcome of the first `done` units. load() is called before anything is run, if at all.
  virtual void save(std::size_t done, core::CheckedWriter& writer) = 0;
  virtual void load(std::size_t done, core::CheckedReader& reader) = 0;
};

/// Runs what is not done yet: at once where there is no checkpoint, otherwise in parts that are
/// saved at intervals. Throws Error(usage) where the checkpoint is of other work.
void run_saved(ResumableWork& work, const Saving& saving, const core::Run& run);

}  // namespace navvy::search
