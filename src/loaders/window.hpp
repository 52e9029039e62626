// Looking ahead in a stream by as much as a record needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/input.hpp"

namespace navvy::loaders {

/// A view that slides over a stream, for records whose size shows only when they are looked at.
/// Bytes are handed out in place: a view holds until the next call of `ensure`.
class Window {
 public:
  explicit Window(InputStream& stream) : stream_(stream), buffer_(chunk) {}

  /// What is at hand: at least `count` bytes, fewer only at the end of the stream.
  std::string_view ensure(std::size_t count) {
    if (end_ - begin_ < count && !finished_) fill(count);
    return {buffer_.data() + begin_, end_ - begin_};
  }

  void consume(std::size_t count) noexcept { begin_ += count; }

 private:
  // Large enough that calls of the system do not count, small enough for the second-level cache.
  static constexpr std::size_t chunk = std::size_t{1} << 18;

  void fill(std::size_t count) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() < count) buffer_.resize(std::max(count, 2 * buffer_.size()));
    const std::size_t asked = buffer_.size() - end_;
    const std::size_t got = stream_.read(std::as_writable_bytes(std::span(buffer_)).subspan(end_));
    end_ += got;
    finished_ = got < asked;
  }

  InputStream& stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool finished_ = false;
};

}  // namespace navvy::loaders
