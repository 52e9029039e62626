// Keeps blocks that were given back, as many as a share of the memory limit allows.
#include "core/workspaces.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace navvy::core {
namespace {

constexpr std::align_val_t alignment{64};

// Smaller blocks come from the system as quickly.
constexpr std::size_t least_kept = std::size_t{64} << 10U;
// More would weigh on a process that has become idle.
constexpr std::uint64_t most_kept = std::uint64_t{64} << 20U;
constexpr std::uint64_t share_of_limit = 16;
constexpr std::size_t most_blocks = 32;

}  // namespace

Block::Block(std::size_t bytes)
    : data_(::operator new[](bytes, alignment)), capacity_(bytes), used_(bytes) {}

Block::Block(Block&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      used_(std::exchange(other.used_, 0)),
      home_(std::exchange(other.home_, nullptr)) {}

Block& Block::operator=(Block&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(used_, other.used_);
  std::swap(home_, other.home_);
  return *this;
}

Block::~Block() {
  if (home_ != nullptr)
    std::exchange(home_, nullptr)->give(std::move(*this));
  else
    ::operator delete[](data_, alignment);
}

Workspaces::Workspaces() { idle_.reserve(most_blocks + 1); }

std::uint64_t Workspaces::keep_for(std::uint64_t limit) {
  const std::uint64_t most = std::min(most_kept, limit / share_of_limit);
  most_ = most;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) shrink();
  return most;
}

Block Workspaces::take(std::size_t bytes) {
  Block block;
  if (bytes < least_kept) return Block(bytes);
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) {
    auto best = idle_.end();
    for (auto i = idle_.begin(); i != idle_.end(); ++i)
      if (i->capacity_ >= bytes && (best == idle_.end() || i->capacity_ < best->capacity_))
        best = i;
    if (best != idle_.end()) {
      block = std::move(*best);
      idle_.erase(best);
      spare_ -= bytes;
    }
  }
  if (block.data_ == nullptr) block = Block(bytes);
  block.used_ = bytes;
  block.home_ = this;
  return block;
}

void Workspaces::give(Block block) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) {
    spare_ -= block.capacity_ - block.used_;
    return;
  }
  spare_ += block.used_;
  idle_.push_back(std::move(block));
  shrink();
}

void Workspaces::shrink() noexcept {
  while (!idle_.empty() && (spare_ > most_ || idle_.size() > most_blocks)) {
    spare_ -= idle_.front().capacity_;
    idle_.erase(idle_.begin());
  }
}

}  // namespace navvy::core
