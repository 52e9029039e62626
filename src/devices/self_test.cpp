// Every kernel of the text once or more, each against the plain loops of self_test_plain.cpp.
#include "devices/self_test.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "devices/self_test_phases.hpp"

namespace navvy::devices {
namespace phases {

std::vector<U32> count_up(U32 first, U32 count) {
  std::vector<U32> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

void run_squares(TestBench& bench, const Prepared& with, float largest, std::span<const U32> a,
                 std::span<const U32> b, Memory* out) {
  Memory* a_ids = bench.put(std::vector<U32>(a.begin(), a.end()));
  Memory* b_ids = bench.put(std::vector<U32>(b.begin(), b.end()));
  const auto a_count = static_cast<U32>(a.size());
  const auto b_count = static_cast<U32>(b.size());
  const auto part = [&](U32 first, U32 count) {
    bench.run({"squares"}, {quotient_up(a_count, 64), quotient_up(count, 64), bench.items(256)},
              {with.coordinates, dimensions, with.norms, largest, a_ids, U32{0}, a_count, b_ids,
               first, count, out, U64{first} * a_count, a_count});
  };
  part(0, b_count / 7);
  part(b_count / 7, b_count - b_count / 7);
}

namespace {

void test_ground(TestBench& bench, Prepared& with) {
  const std::vector<float> norms = plain::squared_norms(with.sample);
  with.coordinates = bench.put(with.sample.coordinates);
  with.norms = bench.room<float>(size);
  const std::size_t items = bench.items(32);
  bench.run({"squared_norms"}, {quotient_up(size, items), 1, items},
            {with.coordinates, dimensions, size, with.norms});
  bench.expect({"squared_norms"}, with.norms, norms);

  const std::vector<U32> all = count_up(0, size);
  with.squares = plain::squares(with.sample, norms, infinite);
  for (const float largest : {17.3F, infinite}) {
    Memory* squares = bench.room<float>(std::size_t{size} * size);
    run_squares(bench, with, largest, all, all, squares);
    bench.expect({"squares"}, squares, plain::squares(with.sample, norms, largest));
  }
}

// Of squares [coordinate][coordinate]; returns the neighbours of all.
Memory* sort_neighbours(TestBench& bench, const std::vector<float>& squares) {
  const U32 padded = std::bit_ceil(size);
  const U32 half = size / 2;
  Memory* on_device = bench.put(squares);
  Memory* scratch = bench.room<U64>(std::size_t{padded} * (size - half));
  Memory* out = bench.room<plain::Neighbour>(std::size_t{size} * size);
  for (const auto& [first, count] : {std::pair(U32{0}, half), std::pair(half, size - half)})
    bench.run({"sort_neighbours"}, {count, 1, bench.items(64)},
              {on_device, size, first, padded, scratch, out});
  std::vector<U32> ids[2];
  std::vector<float> distances[2];
  const auto split = [&](const std::vector<plain::Neighbour>& all, int which) {
    for (const plain::Neighbour& neighbour : all) {
      ids[which].push_back(neighbour.coordinate);
      distances[which].push_back(neighbour.distance);
    }
  };
  split(bench.read<plain::Neighbour>(out, squares.size()), 0);
  split(plain::neighbours(squares, size), 1);
  bench.compare({"sort_neighbours"}, ids[0], ids[1]);
  bench.compare({"sort_neighbours"}, distances[0], distances[1]);
  return out;
}

void test_neighbours(TestBench& bench, Prepared& with) {
  sort_neighbours(bench, sample_squares(std::size_t{size} * size));
  with.neighbours = sort_neighbours(bench, with.squares);
}

Placed place(TestBench& bench, const SampleHistograms& histograms) {
  return {bench.put(histograms.offsets), bench.put(histograms.bins)};
}

void test_spread(TestBench& bench, Prepared& with) {
  with.rows = place(bench, with.sample.rows);
  with.queries = place(bench, with.sample.queries);
  Memory* weights =
      bench.room<float>(std::size_t{blocks} * size * lanes, std::bit_cast<U32>(-1.0F));
  bench.run({"spread"}, {with.sample.queries.size(), 1, bench.items(16)},
            {with.queries.offsets, with.queries.bins, U32{0}, lanes, size, weights});
  bench.expect({"spread"}, weights, plain::spread(with.sample, -1.0F));
}

void test_combine(TestBench& bench) {
  constexpr U32 i_count = 37;
  constexpr U32 j_count = 45;
  constexpr U32 columns = 50;
  for (const U32 how : {0U, 1U, 2U}) {  // the larger, exchanged, ours
    SampleNumbers numbers(7 + how);
    std::vector<float> ours(std::size_t{i_count} * columns);
    std::vector<float> theirs(std::size_t{j_count} * columns);
    for (float& value : ours) value = numbers.digits();
    for (float& value : theirs) value = numbers.digits();
    Memory* ours_there = bench.put(ours);
    Memory* theirs_there = bench.put(theirs);
    bench.run({"combine"}, {quotient_up(j_count, 32), quotient_up(i_count, 32), bench.items(64)},
              {ours_there, theirs_there, i_count, j_count, columns, how});
    for (std::size_t i = 0; i < i_count; ++i)
      for (std::size_t j = 0; j < j_count; ++j) {
        float& own = ours[i * columns + j];
        float& other = theirs[j * columns + i];
        if (how == 0) own = other = std::max(own, other);
        if (how == 1) std::swap(own, other);
        if (how == 2) other = own;
      }
    bench.expect({"combine"}, ours_there, ours);
    bench.expect({"combine"}, theirs_there, theirs);
  }
}

// Candidates that are offered to some lists of nearest rows.
struct Offers {
  static constexpr U32 first_list = 3;
  static constexpr U32 lists = 53;
  static constexpr U32 first_candidate = 20;
  static constexpr U32 candidates = 47;
  static constexpr U32 columns = 49;
  static constexpr U32 top = 7;

  std::vector<U64> limits;
  std::vector<U64> kept;  // lists as they are: full, half full, empty
  std::vector<U32> wanted;
  std::vector<float> distances;

  static U64 key(float distance, U32 row) {
    return U64{std::bit_cast<U32>(distance)} << 32 | U64{row};
  }

  Offers() {
    constexpr U64 none = ~U64{0};
    SampleNumbers numbers(5);
    for (U32 list = 0; list < first_list + lists; ++list) {
      limits.push_back(list % 5 == 0 ? key(1.25F, 0) : none);
      for (U32 i = 0; i < top; ++i)
        kept.push_back(i < list % 3 * 4 ? key(1.0F + 0.125F * static_cast<float>(i), i) : none);
    }
    for (U32 i = 0; i < first_candidate + candidates; ++i) wanted.push_back(i % 7 == 3 ? 0 : 1);
    for (U32 i = 0; i < lists * columns; ++i)  // with ties
      distances.push_back(1.0F + static_cast<float>(numbers.below(64)) / 64);
  }

  // What a list, counted from the first, should be afterwards.
  [[nodiscard]] std::vector<U64> list_of(U32 list) const {
    const U32 own = first_list + list;
    std::vector<U64> keys(&kept[std::size_t{own} * top], &kept[std::size_t{own} * top] + top);
    for (U32 i = 0; i < candidates; ++i) {
      const U32 row = first_candidate + i;
      const U64 offered = key(distances[std::size_t{list} * columns + i], row);
      if (offered < limits[own] && row != own && wanted[row] != 0) keys.push_back(offered);
    }
    std::ranges::sort(keys);
    keys.resize(top);
    return keys;
  }
};

void test_update_lists(TestBench& bench) {
  const Offers offers;
  std::vector<U64> expected = offers.kept;
  for (U32 list = 0; list < Offers::lists; ++list)
    std::ranges::copy(offers.list_of(list),
                      &expected[std::size_t{Offers::first_list + list} * Offers::top]);
  Memory* lists = bench.put(offers.kept);
  const U32 room = std::bit_ceil(Offers::candidates + Offers::top);
  bench.run(
      {"update_lists"}, {Offers::lists, 1, bench.items(16)},
      {bench.put(offers.distances), Offers::columns, Offers::first_list, Offers::first_candidate,
       Offers::candidates, bench.put(offers.wanted), bench.put(offers.limits), lists, Offers::top,
       bench.room<U64>(std::size_t{Offers::lists} * room), room});
  bench.expect({"update_lists"}, lists, expected);
}

Memory* run_lengths(TestBench& bench, const Placed& from, const SampleHistograms& histograms) {
  const U32 count = histograms.size();
  const std::size_t items = bench.items(16);
  Memory* lengths = bench.room<double>(count);
  bench.run({"squared_lengths"}, {quotient_up(count, items), 1, items},
            {from.offsets, from.bins, U32{0}, count, lengths});
  bench.expect({"squared_lengths"}, lengths, plain::squared_lengths(histograms));
  return lengths;
}

void test_bow(TestBench& bench, const Prepared& with) {
  const U32 queries = with.sample.queries.size();
  const U32 rows = with.sample.rows.size();
  Memory* row_lengths = run_lengths(bench, with.rows, with.sample.rows);
  Memory* query_lengths = run_lengths(bench, with.queries, with.sample.queries);
  Memory* costs = bench.room<float>(std::size_t{rows} * queries);
  bench.run({"bow_costs"}, {rows, blocks, bench.items(16)},
            {with.rows.offsets, with.rows.bins, U32{0}, bench.put(plain::spread(with.sample, 0.0F)),
             size, lanes, row_lengths, query_lengths, queries, costs, queries});
  bench.expect({"bow_costs"}, costs, plain::bow_costs(with.sample));
}

Memory* run_centroids(TestBench& bench, const Prepared& with, const Placed& from,
                      const SampleHistograms& histograms) {
  const U32 count = histograms.size();
  Memory* centroids = bench.room<double>(std::size_t{count} * dimensions);
  bench.run({"centroids"}, {count, 1, bench.items(16)},
            {with.coordinates, dimensions, from.offsets, from.bins, U32{0}, centroids});
  bench.expect({"centroids"}, centroids, plain::centroids(with.sample, histograms));
  return centroids;
}

void test_wcd(TestBench& bench, const Prepared& with) {
  const U32 queries = with.sample.queries.size();
  const U32 rows = with.sample.rows.size();
  Memory* of_rows = run_centroids(bench, with, with.rows, with.sample.rows);
  Memory* of_queries = run_centroids(bench, with, with.queries, with.sample.queries);
  Memory* costs = bench.room<float>(std::size_t{rows} * queries);
  bench.run({"wcd_costs"}, {rows, 1, bench.items(16)},
            {of_rows, U32{0}, of_queries, U32{0}, queries, dimensions, costs, queries});
  bench.expect({"wcd_costs"}, costs, plain::wcd_costs(with.sample));
}

}  // namespace
}  // namespace phases

std::string self_test(Device& device) {
  using namespace phases;
  TestBench bench(device);
  Prepared with;
  test_ground(bench, with);
  test_neighbours(bench, with);
  test_spread(bench, with);
  test_combine(bench);
  test_update_lists(bench);
  if (device.facts().has_doubles) {
    test_bow(bench, with);
    test_wcd(bench, with);
    test_sinkhorn(bench, with);
  }
  for (const int levels : kernel_levels) {
    if (!bench.failure().empty()) break;
    const auto count = static_cast<U32>(levels);
    test_levels(bench, with, {count, count, 0});
    test_levels(bench, with, {count, (2 * count + 2) / 3, 1});
  }
  return bench.failure();
}

}  // namespace navvy::devices
