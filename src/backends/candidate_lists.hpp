// Lists of the nearest candidates of many rows at once, filled by a backend's threads while their
// limits tighten: the one thing that both sides of the seam share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/range.hpp"
#include "core/run.hpp"
#include "core/top.hpp"

namespace navvy::backends {

/// A candidate of a list with its bound, or its distance.
struct Found {
  std::uint32_t list;
  std::uint32_t candidate;
  float bound;
};

/// Per list the `length` smallest bounds that were offered; ties go by candidate. Lists and
/// candidates are numbered by places. Any thread may ask and offer; which thread offers what, and
/// when, changes nothing.
class CandidateLists {
  using List = core::TopList<float>;

 public:
  /// Lists have less room to work in where the budget is small.
  CandidateLists(std::size_t lists, std::size_t length, core::Run& run);

  /// Bytes that so many lists take at least.
  static std::uint64_t least_memory(std::size_t lists, std::size_t length) {
    return std::uint64_t{lists} * List::memory(List::least_room(length));
  }

  [[nodiscard]] std::size_t size() const noexcept { return lists_.size(); }
  [[nodiscard]] std::size_t length() const noexcept { return length_; }

  /// Before anything is offered: only places whose entry is not 0 have lists and are candidates.
  void restrict_to(std::vector<std::uint8_t> wanted) { wanted_ = std::move(wanted); }

  /// Before anything is offered: only pairs of a place before this one, which is
  /// not the first, with one from it on count.
  void separate(std::size_t border) { border_ = border; }

  /// By place whether it is wanted; empty: all are.
  [[nodiscard]] std::span<const std::uint8_t> wanted() const noexcept { return wanted_; }

  /// Before anything is offered: nothing beyond this limit is wanted.
  void start(std::size_t list, float limit) { lists_[list] = List(length_, limit, room_); }

  /// The present limits of some lists: bounds beyond cannot enter. A limit that has grown old is
  /// only larger. Lists that want nothing have a limit below 0.
  void limits(core::Range lists, std::span<float> out) const;

  /// Offers candidates to lists out of one range.
  void offer(core::Range lists, std::span<const Found> found);

  /// What is in a list, in any order, between offers: offered to another such list, it stands for
  /// all that was offered here.
  std::span<const core::Candidate<float>> kept(std::size_t list) { return lists_[list].kept(); }

  /// What is in a list, nearest first; after all offers. Different lists may be asked for at once.
  std::span<const core::Candidate<float>> sorted(std::size_t list) { return lists_[list].sorted(); }

  /// What is wanted but not in a list is at least this far; infinity: everything is in it. After
  /// sorted().
  [[nodiscard]] float beyond(std::size_t list) const {
    return lists_[list].is_full() ? lists_[list].threshold()
                                  : std::numeric_limits<float>::infinity();
  }

 private:
  // Lists that stand together share a lock: a tile asks and offers for a thousand of them at once.
  static constexpr std::size_t lists_per_lock = 1024;

  template <class Body>
  void for_locked(core::Range lists, const Body& body) const;

  std::size_t length_;
  std::size_t room_;
  core::Reservation reserved_;
  std::vector<List> lists_;
  std::vector<std::uint8_t> wanted_;  // empty: all
  std::size_t border_ = 0;            // 0: none
  mutable std::vector<std::mutex> locks_;
};

}  // namespace navvy::backends
