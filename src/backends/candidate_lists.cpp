// Lists under locks that are held one at a time and only while a few numbers are copied.
#include "backends/candidate_lists.hpp"

#include <algorithm>

namespace navvy::backends {

namespace {

using List = core::TopList<float>;

std::size_t room_for(std::size_t lists, std::size_t length, std::uint64_t left) {
  const std::size_t usual = List::usual_room(length);
  return lists * List::memory(usual) <= left / 4 ? usual : List::least_room(length);
}

}  // namespace

CandidateLists::CandidateLists(std::size_t lists, std::size_t length, core::Run& run)
    : length_(length),
      room_(room_for(lists, length, run.budget.left())),
      reserved_(run.budget.reserve(lists * List::memory(room_), "lists of nearest rows")),
      lists_(lists, List(length, std::numeric_limits<float>::infinity(), room_)),
      locks_((lists + lists_per_lock - 1) / lists_per_lock) {}

// Calls body(part) with the lock of each part of the range held, one lock at a time.
template <class Body>
void CandidateLists::for_locked(core::Range lists, const Body& body) const {
  for (std::size_t begin = lists.begin; begin < lists.end;) {
    const std::size_t lock = begin / lists_per_lock;
    const core::Range part{begin, std::min(lists.end, (lock + 1) * lists_per_lock)};
    const std::scoped_lock held(locks_[lock]);
    body(part);
    begin = part.end;
  }
}

void CandidateLists::limits(core::Range lists, std::span<float> out) const {
  for_locked(lists, [&](core::Range part) {
    for (std::size_t list = part.begin; list < part.end; ++list)
      out[list - lists.begin] =
          wanted_.empty() || wanted_[list] != 0 ? lists_[list].threshold() : -1.0F;
  });
}

void CandidateLists::offer(core::Range lists, std::span<const Found> found) {
  if (found.empty()) return;
  for_locked(lists, [&](core::Range part) {
    for (const Found& pair : found) {
      if (pair.list < part.begin || pair.list >= part.end) continue;
      if (!wanted_.empty() && (wanted_[pair.list] == 0 || wanted_[pair.candidate] == 0)) continue;
      if (border_ > 0 && (pair.list < border_) == (pair.candidate < border_)) continue;
      lists_[pair.list].offer(pair.bound, pair.candidate);
    }
  });
}

}  // namespace navvy::backends
