// Lists in files: a head that tells all sizes, the columns, and a fingerprint of both.
#include "navvy/lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/checked_stream.hpp"
#include "core/files.hpp"
#include "navvy/error.hpp"
#include "navvy/shards.hpp"

namespace navvy {
namespace {

constexpr std::array<char, 8> magic = {'n', 'a', 'v', 'v', 'y', 'l', 's', '1'};
constexpr std::size_t longest_question = 4096;
constexpr std::int64_t row_numbers = std::int64_t{1} << 62U;  // more than any manifest tells

struct Head {
  std::array<char, 8> magic;
  std::uint64_t work;
  std::uint64_t question_bytes;
  std::uint64_t parts;
  std::uint64_t queries;
  std::uint64_t top;
  std::uint32_t shards;
  std::uint32_t flags;
};
static_assert(sizeof(Head) == 56);

constexpr std::uint32_t flag_bounds = 1;
constexpr std::uint32_t flag_uncut = 2;

using Part = std::pair<std::uint32_t, std::uint32_t>;
static_assert(sizeof(Part) == 8);

// What of a proof is saved: all but its stages.
struct ProofNumbers {
  std::array<std::uint64_t, 5> counts;
  double beyond, seconds;
};
static_assert(sizeof(ProofNumbers) == 56);

void write(const Lists& lists, core::CheckedWriter& writer) {
  const Matches& matches = lists.matches;
  const Head head{magic,
                  lists.work,
                  lists.question.size(),
                  lists.parts.size(),
                  matches.queries,
                  matches.top,
                  lists.shards,
                  (matches.has_bounds() ? flag_bounds : 0) | (lists.uncut ? flag_uncut : 0)};
  writer.write(std::span(&head, 1));
  writer.write(std::span<const char>(lists.question));
  for (const auto& [owner, shard] : lists.parts) {
    const std::array<std::uint32_t, 2> part{owner, shard};
    writer.write(std::span<const std::uint32_t>(part));
  }
  writer.write(std::span<const std::uint32_t>(lists.owners));
  writer.write(std::span<const std::int64_t>(lists.queries));
  writer.write(std::span<const std::int64_t>(matches.rows));
  writer.write(std::span<const double>(matches.distances));
  if (matches.has_bounds()) {
    writer.write(std::span<const double>(matches.lower));
    writer.write(std::span<const double>(matches.upper));
    writer.write(std::span<const std::uint8_t>(matches.exact));
    for (const Proof& proof : matches.proofs) {
      const ProofNumbers numbers{
          {proof.rows, proof.solves, proof.undecided, proof.matches, proof.certain},
          proof.beyond,
          proof.seconds};
      writer.write(std::span(&numbers, 1));
    }
  }
  writer.finish();
}

class ListsReader {
 public:
  ListsReader(core::CheckedReader reader, std::uint64_t bytes)
      : reader_(std::move(reader)), bytes_(bytes) {}

  Lists read() {
    Head head{};
    reader_.read(std::span(&head, 1));
    check(head);
    Lists lists;
    lists.work = head.work;
    lists.shards = head.shards;
    lists.uncut = (head.flags & flag_uncut) != 0;
    lists.question.resize(head.question_bytes);
    reader_.read(std::span(lists.question));
    read_parts(head, lists);
    read_queries(head, lists);
    read_matches(head, lists.matches);
    reader_.finish();
    return lists;
  }

 private:
  // Before memory is taken: sizes must add up to that of the file.
  void check(const Head& head) {
    reader_.require(head.magic == magic, "these are no lists of this version");
    const bool bounds = (head.flags & flag_bounds) != 0;
    const std::uint64_t per_match = 2 * sizeof(double) + (bounds ? 2 * sizeof(double) + 1 : 0);
    const std::uint64_t per_query = sizeof(std::uint32_t) + sizeof(std::int64_t) +
                                    (bounds ? sizeof(ProofNumbers) : std::size_t{0});
    const bool small = head.question_bytes <= longest_question &&
                       head.parts <= bytes_ / sizeof(Part) && head.queries <= bytes_ / per_query &&
                       head.top <= bytes_ / per_match / std::max<std::uint64_t>(head.queries, 1) &&
                       head.shards >= 1 && head.shards <= most_shards &&
                       head.flags <= (flag_bounds | flag_uncut);
    reader_.require(small, "its head tells sizes that do not fit the file");
    const std::uint64_t expected = sizeof(Head) + head.question_bytes + head.parts * sizeof(Part) +
                                   head.queries * per_query + head.queries * head.top * per_match +
                                   sizeof(std::uint64_t);
    reader_.require(expected == bytes_, "it has " + std::to_string(bytes_) + " bytes, expected " +
                                            std::to_string(expected));
  }

  void read_parts(const Head& head, Lists& lists) {
    for (std::uint64_t i = 0; i < head.parts; ++i) {
      std::array<std::uint32_t, 2> part{};
      reader_.read(std::span<std::uint32_t>(part));
      reader_.require(part[0] < head.shards && part[1] < head.shards, "it names a missing shard");
      lists.parts.emplace_back(part[0], part[1]);
      reader_.require(i == 0 || lists.parts[i - 1] < lists.parts[i], "its parts do not ascend");
    }
  }

  void read_queries(const Head& head, Lists& lists) {
    lists.owners.resize(head.queries);
    lists.queries.resize(head.queries);
    reader_.read(std::span(lists.owners));
    reader_.read(std::span(lists.queries));
    for (std::uint64_t i = 0; i < head.queries; ++i) {
      reader_.require(
          lists.owners[i] < head.shards && lists.queries[i] >= 0 && lists.queries[i] < row_numbers,
          "it names a missing query");
      reader_.require(i == 0 || std::pair(lists.owners[i - 1], lists.queries[i - 1]) <
                                    std::pair(lists.owners[i], lists.queries[i]),
                      "its queries do not ascend");
    }
  }

  void read_matches(const Head& head, Matches& matches) {
    matches = Matches(head.queries, head.top);
    reader_.read(std::span(matches.rows));
    reader_.read(std::span(matches.distances));
    for (std::uint64_t query = 0; query < head.queries; ++query) check_list(matches, query);
    if ((head.flags & flag_bounds) == 0) return;
    matches.add_bounds();
    reader_.read(std::span(matches.lower));
    reader_.read(std::span(matches.upper));
    reader_.read(std::span(matches.exact));
    for (std::size_t i = 0; i < matches.rows.size(); ++i)
      reader_.require(matches.rows[i] == no_row || has_bounds(matches, i), "it holds no bounds");
    for (Proof& proof : matches.proofs) {
      ProofNumbers numbers{};
      reader_.read(std::span(&numbers, 1));
      const auto& [rows, solves, undecided, count, certain] = numbers.counts;
      proof = {{}, rows, solves, undecided, count, certain, numbers.beyond, numbers.seconds};
    }
  }

  // Rows first, nearest first, then places without any.
  void check_list(const Matches& matches, std::uint64_t query) {
    const std::uint64_t first = query * matches.top;
    for (std::uint64_t i = first; i < first + matches.top; ++i) {
      const std::int64_t row = matches.rows[i];
      const double distance = matches.distances[i];
      if (row == no_row) {
        reader_.require(std::isnan(distance), "it holds the distance of no row");
        continue;
      }
      reader_.require(row >= 0 && row < row_numbers && distance >= 0 && std::isfinite(distance),
                      "it holds what is no match");
      const bool in_order =
          i == first ||
          (matches.rows[i - 1] != no_row &&
           std::pair(matches.distances[i - 1], matches.rows[i - 1]) < std::pair(distance, row));
      reader_.require(in_order, "its matches do not ascend");
    }
  }

  static bool has_bounds(const Matches& matches, std::size_t place) {
    return matches.lower[place] >= 0 && matches.upper[place] >= 0 && matches.exact[place] <= 1;
  }

  core::CheckedReader reader_;
  std::uint64_t bytes_;
};

}  // namespace

Array<double> Lists::limits() const {
  std::vector<double> limits(matches.queries, std::numeric_limits<double>::infinity());
  for (std::size_t query = 0; query < matches.queries && matches.top > 0 && !uncut; ++query)
    if (matches[query].size() == matches.top)
      limits[query] = matches[query].distance(matches.top - 1);
  return Array(std::move(limits));
}

void save_lists(const Lists& lists, const std::filesystem::path& path) {
  core::AtomicFile file(path);
  core::CheckedWriter writer([&](std::span<const std::byte> bytes) { file.write(bytes); });
  write(lists, writer);
  file.commit();
}

std::vector<std::byte> to_bytes(const Lists& lists) {
  std::vector<std::byte> all;
  core::CheckedWriter writer(
      [&](std::span<const std::byte> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); });
  write(lists, writer);
  return all;
}

Lists open_lists(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) core::throw_system_error(path, "read", error.value());
  return ListsReader(core::read_checked(path), bytes).read();
}

Lists open_lists(std::span<const std::byte> bytes) {
  const auto source = [left = bytes](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), left.size());
    std::copy_n(left.begin(), count, out.begin());
    left = left.subspan(count);
    return count;
  };
  return ListsReader(core::CheckedReader("lists in memory", source), bytes.size()).read();
}

}  // namespace navvy
