// Chosen rows against one query. Lanes are levels of overflow.

constexpr hn::CappedTag<float, 8> eight;
using Eight = hn::Vec<decltype(eight)>;
constexpr std::size_t eight_width = hn::MaxLanes(eight);

// Level 0 has capacity 0, and max(0, x - 0) is x: it needs no code of its own.
template <std::size_t n>
HWY_INLINE void add_levels(const float* capacity, std::size_t levels, float weight,
                           Eight (&sums)[n]) {
  const Eight mass = hn::Set(eight, weight);
  for (std::size_t i = 0; i < n; ++i) {
    const Eight rest = hn::Sub(mass, hn::LoadU(eight, capacity + i * eight_width));
    const Eight over = hn::Max(rest, hn::Zero(eight));
    sums[i] = fused(over, hn::LoadU(eight, capacity + levels + i * eight_width), sums[i]);
  }
}

// Adds the costs of n * eight_width levels, in order, to the row's cost so far.
template <std::size_t n>
HWY_INLINE float add_row(const Rows& rows, std::uint32_t row, const float* capacities,
                         std::size_t levels, float cost) {
  const std::uint32_t* coordinates = rows.coordinates + rows.offsets[row];
  const float* weights = rows.weights + rows.offsets[row];
  Eight totals[n];
  clear(totals);
  std::uint32_t bin = 0;
  for (std::uint64_t s = rows.segment_offsets[row]; s < rows.segment_offsets[row + 1]; ++s) {
    Eight sums[n];
    clear(sums);
    for (const std::uint32_t end = rows.segment_ends[s]; bin != end; ++bin) {
      add_levels(capacities + 2 * levels * coordinates[bin], levels, weights[bin], sums);
    }
    for (std::size_t i = 0; i < n; ++i) totals[i] = hn::Add(totals[i], sums[i]);
  }
  HWY_ALIGN float lanes[n * eight_width];
  for (std::size_t i = 0; i < n; ++i) hn::StoreU(totals[i], eight, lanes + i * eight_width);
  for (const float lane : lanes) cost += lane;
  return cost;
}

void candidate_costs(const Rows& rows, const std::uint32_t* listed, std::size_t count,
                     const LevelTable& table, float* costs) noexcept {
  for (std::size_t i = 0; i < count; ++i) costs[i] = 0;
  for_lane_groups<2, eight_width>(table.width, [&](auto n, std::size_t level) {
    for (std::size_t i = 0; i < count; ++i) {
      costs[i] = add_row<n>(rows, listed[i], table.values + level, table.width, costs[i]);
    }
  });
}
