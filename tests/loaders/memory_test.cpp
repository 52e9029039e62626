// Heads that claim much and hold little: memory stays near the size of the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "loaders/bytes.hpp"
#include "loaders/histograms.hpp"
#include "loaders/idx.hpp"
#include "support/expect_error.hpp"

namespace {

std::atomic<std::size_t> largest_request = 0;

void* allocate(std::size_t size) noexcept {
  std::size_t known = largest_request;
  while (size > known && !largest_request.compare_exchange_weak(known, size)) {
  }
  return std::malloc(size > 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size) {
  void* memory = allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// For the whole test program: remember the largest piece of memory that was ever asked for.
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace navvy {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Reads `bytes`, which must be refused, and returns the largest request for memory on the way.
template <class Read>
std::size_t largest_request_of(const std::string& bytes, const Read& read) {
  largest_request = 0;
  test::error_of(ErrorCode::bad_input, [&] {
    test::MemoryInput input(bytes);
    read(*input);
  });
  return largest_request;
}

// Plain files are refused before anything is read; packed ones when their real bytes end.
template <class Read>
void expect_small(const std::string& bytes, const Read& read) {
  EXPECT_LE(largest_request_of(bytes, read), mebibyte / 4);
  EXPECT_LE(largest_request_of(test::gzip(bytes), read), 2 * mebibyte);
}

TEST(Memory, TheWatchWorks) {
  largest_request = 0;
  const std::vector<char> memory(3 * mebibyte);
  EXPECT_GE(largest_request, memory.size());
}

TEST(Memory, IdxHeadsReserveNothing) {
  for (const std::uint32_t count : {1000000U, 0xffffffffU}) {
    expect_small(test::idx_images(count, 28, 28, "short"), loaders::read_idx_images);
    expect_small(test::idx_images(count, count, count, "short"), loaders::read_idx_images);
    expect_small(test::big_endian(0x801) + test::big_endian(count) + "short", loaders::read_labels);
  }
}

TEST(Memory, NpyHeadsReserveNothing) {
  for (const char* shape : {"(1000000000, 8)", "(18446744073709551615, 2)"}) {
    for (const char* type : {"<f8", "|i1"}) {
      expect_small(test::npy(type, shape, "short"), loaders::read_coordinates);
    }
  }
  for (const char* type : {"<U16777216", "|S16777216", "|i1"}) {
    expect_small(test::npy(type, "(1000000000,)", "short"), loaders::read_labels);
  }
  const auto histograms = [](loaders::InputStream& input) {
    loaders::read_histograms(input, ZeroBins::keep);
  };
  // Without columns there are no bytes, whatever the number of rows.
  expect_small(test::npy("<f8", "(18446744073709551615, 0)", ""), histograms);
  expect_small(test::npy("<f8", "(0, 18446744073709551615)", ""), histograms);
}

TEST(Memory, NpzMembersReserveNothing) {
  const auto read = [](loaders::InputStream& input) {
    loaders::read_histograms(input, ZeroBins::keep);
  };
  for (const char* member : {"indptr.npy", "indices.npy", "data.npy", "shape.npy"}) {
    auto members = test::csr_members();
    members[member] = test::npy("<i8", "(1000000000000,)", "short");
    EXPECT_LE(largest_request_of(test::zip(members), read), 2 * mebibyte);
  }
  auto members = test::csr_members();
  members["shape.npy"] =
      test::npy("<i8", "(2,)", test::raw<std::int64_t>({4000000000, 4000000000}));
  EXPECT_LE(largest_request_of(test::zip(members), read), mebibyte);
}

}  // namespace
}  // namespace navvy
