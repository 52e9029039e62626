// The nearest of many candidates, in order of distance and row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace navvy::core {

/// One entry of a nearest-neighbour list. Ties go by row, everywhere.
template <class Real>
struct Candidate {
  Real distance;
  std::uint32_t row;

  friend bool operator<(const Candidate& a, const Candidate& b) noexcept {
    return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
  }
  bool operator==(const Candidate&) const = default;
};

/// Keeps the `top` smallest of the candidates offered, whatever their order. Works on a buffer of
/// somewhat more room that is cut down when full: a candidate costs one comparison when it is too
/// far, and a constant amount otherwise.
template <class Real>
class TopList {
 public:
  /// Room for so many candidates. Cutting costs a pass over them all, so the room beyond `top` sets
  /// how often it is paid: the usual room is quick, the least is for many lists at once.
  static std::size_t usual_room(std::size_t top) {
    return top + std::max(top / 4, std::min<std::size_t>(top, 256)) + 32;
  }
  static std::size_t least_room(std::size_t top) { return top + top / 8 + 8; }

  /// Candidates beyond `limit` are not wanted.
  explicit TopList(std::size_t top, Real limit = std::numeric_limits<Real>::infinity())
      : TopList(top, limit, usual_room(top)) {}
  TopList(std::size_t top, Real limit, std::size_t room)
      : top_(top), room_(room), threshold_(limit) {}

  /// Bytes of a list with that room.
  static std::uint64_t memory(std::size_t room) {
    return sizeof(TopList) + room * sizeof(Candidate<Real>);
  }

  /// Candidates at or beyond this distance cannot enter unless they tie; for quick rejection use
  /// `distance > threshold()`. Whatever was offered below it is in the list.
  [[nodiscard]] Real threshold() const noexcept { return threshold_; }

  /// Whether anything may have been turned away for want of room: nothing that was is nearer than
  /// threshold().
  [[nodiscard]] bool is_full() const noexcept { return exact_ == top_; }

  void offer(Real distance, std::uint32_t row) {
    if (distance > threshold_ || top_ == 0) return;
    if (buffer_.capacity() == 0) buffer_.reserve(room_);
    buffer_.push_back({distance, row});
    if (buffer_.size() >= room_) cut();
  }

  /// The kept candidates in any order. The list can go on taking offers.
  std::vector<Candidate<Real>>& kept() {
    cut();
    return buffer_;
  }

  /// The kept candidates in order. The list can go on taking offers.
  const std::vector<Candidate<Real>>& sorted() {
    cut();
    std::sort(buffer_.begin(), buffer_.end());
    return buffer_;
  }

 private:
  void cut() {
    if (buffer_.size() <= exact_ || top_ == 0) return;
    const auto last = buffer_.begin() + static_cast<std::ptrdiff_t>(top_ - 1);
    std::nth_element(buffer_.begin(), last, buffer_.end());
    threshold_ = last->distance;
    buffer_.resize(top_);
    exact_ = top_;
  }

  std::size_t top_;
  std::size_t room_;
  std::size_t exact_ = top_ - 1;  // up to this many, the threshold needs no change
  Real threshold_;
  std::vector<Candidate<Real>> buffer_;
};

}  // namespace navvy::core
