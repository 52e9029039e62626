// Counts what is reserved, and refuses what goes beyond the limit.
#include "core/budget.hpp"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "navvy/error.hpp"

namespace navvy::core {
namespace {

// Rounded up.
std::string size_text(std::uint64_t bytes) {
  const bool small = bytes < (1U << 20U);
  const unsigned shift = small ? 10 : 20;
  return std::to_string((bytes + (1U << shift) - 1) >> shift) + (small ? " KB" : " MB");
}

}  // namespace

std::uint64_t physical_memory() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  constexpr std::uint64_t fallback = std::uint64_t{4} << 30U;
  if (pages <= 0 || page_size <= 0) return fallback;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
}

Reservation::Reservation(MemoryCount count, std::uint64_t bytes) noexcept
    : count_(std::move(count)), bytes_(bytes) {}

Reservation::Reservation(Reservation&& other) noexcept
    : count_(std::move(other.count_)), bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  Reservation old(std::move(*this));
  count_ = std::move(other.count_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

Reservation::~Reservation() {
  if (count_) *count_ -= bytes_;
}

void Reservation::merge(Reservation&& other) noexcept {
  assert(!count_ || !other.count_ || count_ == other.count_);
  if (!count_) count_ = other.count_;
  bytes_ += std::exchange(other.bytes_, 0);
}

Budget::Budget(std::uint64_t bytes, const Ledger& ledger, const char* option)
    : total_(bytes != 0 ? bytes : physical_memory() / 2),
      option_(option),
      kept_(ledger.held_),
      own_(std::make_shared<std::atomic<std::uint64_t>>(0)),
      charged_(own_) {}

Budget::Budget(const Budget& other, MemoryCount charged)
    : total_(other.total_),
      option_(other.option_),
      kept_(other.kept_),
      own_(other.own_),
      charged_(std::move(charged)) {}

std::uint64_t Budget::left() const noexcept {
  const std::uint64_t used = *kept_ + *own_;
  return total_ - std::min(total_, used);
}

std::optional<Reservation> Budget::try_reserve(std::uint64_t bytes) const noexcept {
  const MemoryCount& other = charged_ == own_ ? kept_ : own_;
  std::uint64_t used = *charged_;
  do {
    const std::uint64_t all = used + *other;
    if (all > total_ || bytes > total_ - all) return std::nullopt;
  } while (!charged_->compare_exchange_weak(used, used + bytes));
  return Reservation(charged_, bytes);
}

Reservation Budget::reserve(std::uint64_t bytes, std::string_view what) const {
  if (std::optional<Reservation> reserved = try_reserve(bytes)) return *std::move(reserved);
  throw Error(ErrorCode::limit, std::string(what) + " needs " + size_text(bytes) + ", but " +
                                    size_text(left()) + " of the memory budget of " +
                                    size_text(total_) + " are left; raise it (" + option_ + ")");
}

}  // namespace navvy::core
