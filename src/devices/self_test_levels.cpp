// Kernels that are compiled for a number of levels: Phase 1 in its three ways, and the costs.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "devices/self_test_phases.hpp"

namespace navvy::devices::phases {
namespace {

Kernel of(const char* name, const plain::Levels& levels) {
  return {name, static_cast<int>(levels.count)};
}

// Phase 1 in its three ways, which make the same tables. Returns those of the last.
Memory* test_picks(TestBench& bench, const Prepared& with, const plain::Levels& levels,
                   const std::vector<float>& expected) {
  const U32 queries = with.sample.queries.size();
  const Placed& from = with.queries;

  Memory* sorted = bench.room<float>(expected.size());
  bench.run(of("pick_sorted", levels), {size, blocks, bench.items(lanes)},
            {with.neighbours, size, bench.put(plain::spread(with.sample, -1.0F)), from.offsets,
             U32{0}, queries, lanes, levels.charged, levels.only_at_zero, sorted});
  bench.expect(of("pick_sorted", levels), sorted, expected);

  // Lanes without a query are left as they are.
  Memory* picked = bench.room<float>(expected.size(), 0);
  std::vector<U32> words = count_up(0, size);
  std::ranges::reverse(words);
  std::vector<U32> places;
  for (const SampleBin& bin : with.sample.queries.bins) places.push_back(size - 1 - bin.id());
  Memory* word_places = bench.put(places);
  constexpr U32 stripe = 41;
  const std::size_t items = bench.items(32);
  for (U32 first = 0; first < size; first += stripe) {
    const U32 count = std::min(stripe, size - first);
    Memory* squares = bench.room<float>(std::size_t{count} * size);
    run_squares(bench, with, infinite, count_up(first, count), words, squares);
    bench.run(of("pick", levels), {quotient_up(count, items), queries, items},
              {squares, count, first, count, size, from.offsets, from.bins, word_places, U32{0},
               lanes, levels.charged, levels.only_at_zero, picked});
  }
  bench.expect(of("pick", levels), picked, expected);

  Memory* fused = bench.room<float>(expected.size(), 0);
  bench.run(of("pick_fused", levels), {quotient_up(size, items), queries, items},
            {with.coordinates, dimensions, with.norms, infinite, size, from.offsets, from.bins,
             U32{0}, lanes, levels.charged, levels.only_at_zero, fused});
  bench.expect(of("pick_fused", levels), fused, expected);
  return fused;
}

// The costs of all rows into one query, by its table.
std::vector<float> costs_into(const Sample& sample, const std::vector<float>& tables,
                              const plain::Levels& levels, std::size_t query) {
  std::vector<float> costs;
  for (std::size_t row = 0; row < sample.rows.size(); ++row) {
    std::vector<std::vector<float>> planes;
    for (const SampleBin& bin : sample.rows[row]) {
      const std::size_t entry = (query / lanes * size + bin.id()) * levels.planes();
      planes.emplace_back();
      for (std::size_t plane = 0; plane < levels.planes(); ++plane)
        planes.back().push_back(tables[(entry + plane) * lanes + query % lanes]);
    }
    costs.push_back(plain::cost(sample.rows[row], planes, levels.count));
  }
  return costs;
}

void test_row_costs(TestBench& bench, const Prepared& with, const plain::Levels& levels,
                    const std::vector<float>& tables, const Memory* on_device) {
  constexpr U32 columns = blocks * lanes;
  const U32 rows = with.sample.rows.size();
  std::vector<float> expected(std::size_t{rows} * columns);  // 0 in lanes without a query
  for (std::size_t query = 0; query < with.sample.queries.size(); ++query) {
    const std::vector<float> costs = costs_into(with.sample, tables, levels, query);
    for (std::size_t row = 0; row < rows; ++row) expected[row * columns + query] = costs[row];
  }
  Memory* costs = bench.room<float>(expected.size());
  bench.run(of("row_costs", levels), {rows, blocks, bench.items(lanes / 2)},
            {with.rows.offsets, with.rows.bins, U32{0}, on_device, size, lanes, costs, columns});
  bench.expect(of("row_costs", levels), costs, expected);
}

// A table of one lane.
void test_row_costs_of_one(TestBench& bench, const Prepared& with, const plain::Levels& levels,
                           const std::vector<float>& tables) {
  constexpr U32 query = 37;
  const U32 rows = with.sample.rows.size();
  const std::size_t items = bench.items(16);
  Memory* table = bench.room<float>(size * levels.planes());
  bench.run(of("pick_fused", levels), {quotient_up(size, items), 1, items},
            {with.coordinates, dimensions, with.norms, infinite, size, with.queries.offsets,
             with.queries.bins, query, U32{1}, levels.charged, levels.only_at_zero, table});
  Memory* costs = bench.room<float>(rows);
  bench.run(of("row_costs_of_one", levels), {quotient_up(rows, items), 1, items},
            {with.rows.offsets, with.rows.bins, rows, table, costs});
  bench.expect(of("row_costs_of_one", levels), costs,
               costs_into(with.sample, tables, levels, query));
}

// One query into some rows, whose bins stand one after the other.
struct IntoRows {
  static constexpr std::size_t query = 22;

  std::vector<U32> query_ids, rows, row_ids, starts{0};
  std::vector<float> weights, expected;

  IntoRows(const Prepared& with, const plain::Levels& levels) {
    for (const SampleBin& bin : with.sample.queries[query]) query_ids.push_back(bin.id());
    for (U32 row = 2; row < with.sample.rows.size(); row += 3) {
      rows.push_back(row);
      for (const SampleBin& bin : with.sample.rows[row]) {
        row_ids.push_back(bin.id());
        weights.push_back(bin.weight);
      }
      starts.push_back(static_cast<U32>(row_ids.size()));
      expected.push_back(cost(with, with.sample.rows[row], levels));
    }
  }

  [[nodiscard]] float cost(const Prepared& with, std::span<const SampleBin> row,
                           const plain::Levels& levels) const {
    std::vector<std::vector<float>> planes;
    for (const U32 id : query_ids) {
      std::vector<float> squares;
      for (const SampleBin& bin : row)
        squares.push_back(with.squares[std::size_t{id} * size + bin.id()]);
      planes.push_back(plain::planes(squares, row, levels));
    }
    return plain::cost(with.sample.queries[query], planes, levels.count);
  }
};

void test_query_costs(TestBench& bench, const Prepared& with, const plain::Levels& levels) {
  const IntoRows into(with, levels);
  const std::size_t count = into.expected.size();
  const auto bins = static_cast<U32>(into.query_ids.size());
  const U64 first = with.sample.queries.offsets[IntoRows::query];
  const Grid grid{count, 1, bench.items(16)};
  Memory* picked = bench.room<float>(count * levels.planes() * bins);

  Memory* squares = bench.room<float>(into.row_ids.size() * bins);
  run_squares(bench, with, infinite, into.query_ids, into.row_ids, squares);
  Memory* costs = bench.room<float>(count);
  bench.run(of("query_costs", levels), grid,
            {squares, bins, with.queries.bins, first, bins, bench.put(into.starts),
             bench.put(into.weights), levels.charged, levels.only_at_zero, picked, costs});
  bench.expect(of("query_costs", levels), costs, into.expected);

  Memory* again = bench.room<float>(count);
  bench.run(of("query_costs_sorted", levels), grid,
            {with.neighbours, size, with.queries.bins, first, bins, with.rows.offsets,
             with.rows.bins, bench.put(into.rows), levels.charged, levels.only_at_zero,
             bench.room<float>(count * size), picked, bins, again});
  bench.expect(of("query_costs_sorted", levels), again, into.expected);
}

}  // namespace

void test_levels(TestBench& bench, const Prepared& with, const plain::Levels& levels) {
  const std::vector<float> tables = plain::tables(with.sample, with.squares, levels);
  const Memory* on_device = test_picks(bench, with, levels, tables);
  test_row_costs(bench, with, levels, tables, on_device);
  test_row_costs_of_one(bench, with, levels, tables);
  test_query_costs(bench, with, levels);
}

}  // namespace navvy::devices::phases
