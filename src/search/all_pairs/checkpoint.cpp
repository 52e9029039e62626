// The file, and how much is done between two saves of it. It holds a head, the outcome, and a
// fingerprint of both.
#include "search/all_pairs/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

#include "core/atomic_file.hpp"
#include "core/clock.hpp"
#include "navvy/error.hpp"

namespace navvy::search {
namespace {

// Saving takes at most about a twentieth of the time.
constexpr double work_per_saving = 20;

constexpr std::array<char, 8> magic = {'n', 'a', 'v', 'v', 'y', 'c', 'k', '1'};

struct Head {
  std::array<char, 8> magic;
  std::uint64_t work;
  std::uint64_t units;
  std::uint64_t done;
  std::uint64_t check;  // of the fields before
};

Head head_of(std::uint64_t work, std::uint64_t units, std::uint64_t done) {
  core::Fingerprint check;
  for (const std::uint64_t field : {work, units, done}) check.add(field);
  return {magic, work, units, done, check.value()};
}

void save(ResumableWork& work, std::size_t done, const Saving& saving) {
  core::AtomicFile file(saving.checkpoint.file);
  core::CheckedWriter writer([&](std::span<const std::byte> bytes) { file.write(bytes); });
  const Head head = head_of(saving.work.value(), work.units(), done);
  writer.write(std::span(&head, 1));
  work.save(done, writer);
  writer.finish();
  file.commit();
}

// How many units are done.
std::size_t load(ResumableWork& work, const Saving& saving) {
  if (!std::filesystem::exists(saving.checkpoint.file)) return 0;
  core::CheckedReader reader =
      core::read_checked(saving.checkpoint.file, "; remove it to start anew");
  Head head{};
  reader.read(std::span(&head, 1));
  reader.require(head.magic == magic, "it is not a checkpoint of this version");
  reader.require(head.check == head_of(head.work, head.units, head.done).check,
                 "its head has changed");
  if (head.work != saving.work.value() || head.units != work.units())
    throw Error(
        ErrorCode::usage,
        reader.name() + ": belongs to another index or other options; remove it to start anew");
  reader.require(head.done <= head.units, "more is done than there is to do");
  work.load(head.done, reader);
  reader.finish();
  return head.done;
}

// As many units as take an interval, judged by the last part, which may have been short or slow.
std::size_t next_step(std::size_t count, double seconds, double interval, std::size_t least) {
  const auto units = static_cast<double>(count);
  const double wanted = std::min(4 * units, units * interval / std::max(seconds, 1e-9));
  return std::max(least, static_cast<std::size_t>(wanted));
}

}  // namespace

void run_saved(ResumableWork& work, const Saving& saving, const core::Run& run) {
  const std::size_t units = work.units();
  const double least_interval = saving.checkpoint.seconds;
  if (saving.checkpoint.file.empty()) return work.run({0, units});
  std::size_t done = load(work, saving);
  const std::size_t least_step = least_interval > 0 ? run.pool.threads() : 1;
  std::size_t step = least_step;
  double interval = least_interval;
  double unsaved = 0;  // seconds of work
  while (done < units) {
    const auto start = core::Clock::now();
    const std::size_t count = std::min(step, units - done);
    work.run({done, done + count});
    done += count;
    const double seconds = core::seconds_since(start);
    step = next_step(count, seconds, interval, least_step);
    unsaved += seconds;
    if (unsaved < interval || done == units) continue;
    const auto saving_start = core::Clock::now();
    save(work, done, saving);
    unsaved = 0;
    if (interval > 0)
      interval = std::max(least_interval, work_per_saving * core::seconds_since(saving_start));
  }
}

}  // namespace navvy::search
