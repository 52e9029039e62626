// Chosen rows against one query. Lanes are levels of overflow.

constexpr hn::CappedTag<float, 8> eight;
using Eight = hn::Vec<decltype(eight)>;
constexpr std::size_t eight_width = hn::MaxLanes(eight);

// The table from its first level of n vectors on.
template <class Width>
struct Levels {
  const float* capacities;
  Width width;
};

// One row on its way through its segments, n vectors of levels at a time.
template <std::size_t n>
struct Walk {
  const std::uint32_t* coordinates;
  const float* weights;
  const std::uint32_t* end;
  const std::uint32_t* last_end;
  std::uint32_t bin = 0;
  Eight sums[n];
  Eight totals[n];

  HWY_INLINE Walk(const Rows& rows, std::uint32_t row)
      : coordinates(rows.coordinates + rows.offsets[row]),
        weights(rows.weights + rows.offsets[row]),
        end(rows.segment_ends + rows.segment_offsets[row]),
        last_end(rows.segment_ends + rows.segment_offsets[row + 1]) {
    clear(sums);
    clear(totals);
  }

  // Level 0 has capacity 0, and max(0, x - 0) is x: it needs no code of its own.
  template <class Width>
  HWY_INLINE void step(Levels<Width> levels) {
    const float* capacity = levels.capacities + 2 * levels.width * coordinates[bin];
    const Eight mass = hn::Set(eight, weights[bin]);
    for (std::size_t i = 0; i < n; ++i) {
      const Eight rest = hn::Sub(mass, hn::LoadU(eight, capacity + i * eight_width));
      const Eight over = hn::Max(rest, hn::Zero(eight));
      const Eight charge = hn::LoadU(eight, capacity + levels.width + i * eight_width);
      sums[i] = fused(over, charge, sums[i]);
    }
    ++bin;
  }

  template <class Width>
  HWY_INLINE void finish_segment(Levels<Width> levels) {
    for (const std::uint32_t segment_end = *end; bin != segment_end;) step(levels);
    for (std::size_t i = 0; i < n; ++i) totals[i] = hn::Add(totals[i], sums[i]);
    clear(sums);
    ++end;
  }

  template <class Width>
  HWY_INLINE float finish(Levels<Width> levels, float cost) {
    while (end != last_end) finish_segment(levels);
    HWY_ALIGN float lanes[n * eight_width];
    for (std::size_t i = 0; i < n; ++i) hn::StoreU(totals[i], eight, lanes + i * eight_width);
    for (const float lane : lanes) cost += lane;
    return cost;
  }
};

// Two rows side by side: the sums of one are a chain of dependent additions, too slow alone.
template <std::size_t n, class Width>
HWY_INLINE void walk_together(Walk<n>& a, Walk<n>& b, Levels<Width> levels) {
  while (a.end != a.last_end && b.end != b.last_end) {
    const std::uint32_t a_left = *a.end - a.bin;
    const std::uint32_t b_left = *b.end - b.bin;
    for (std::uint32_t left = a_left < b_left ? a_left : b_left; left != 0; --left) {
      a.step(levels);
      b.step(levels);
    }
    a.finish_segment(levels);
    b.finish_segment(levels);
  }
}

// Candidates are scattered over a database larger than the caches: without this, fetching a row
// takes longer than walking it.
HWY_INLINE void prefetch_row(const Rows& rows, std::uint32_t row) {
  constexpr std::size_t line = 64 / sizeof(float);
  const std::size_t first = rows.offsets[row];
  const std::size_t last = rows.offsets[row + 1];
  for (std::size_t bin = first; bin < last; bin += line) {
    hwy::Prefetch(rows.coordinates + bin);
    hwy::Prefetch(rows.weights + bin);
  }
  hwy::Prefetch(rows.segment_ends + rows.segment_offsets[row]);
}

template <std::size_t n, class Width>
HWY_INLINE void add_costs(const Rows& rows, const std::uint32_t* listed, std::size_t count,
                          Levels<Width> levels, float* costs) {
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    for (std::size_t ahead = i + 2; ahead < i + 4 && ahead < count; ++ahead) {
      prefetch_row(rows, listed[ahead]);
    }
    Walk<n> a(rows, listed[i]);
    Walk<n> b(rows, listed[i + 1]);
    walk_together(a, b, levels);
    costs[i] = a.finish(levels, costs[i]);
    costs[i + 1] = b.finish(levels, costs[i + 1]);
  }
  if (i < count) costs[i] = Walk<n>(rows, listed[i]).finish(levels, costs[i]);
}

void candidate_costs(const Rows& rows, const std::uint32_t* listed, std::size_t count,
                     const LevelTable& table, float* costs) noexcept {
  for (std::size_t i = 0; i < count; ++i) costs[i] = 0;
  for_lane_groups<2, eight_width>(table.width, [&](auto n, std::size_t level) {
    with_constant<n * eight_width>(table.width, [&](auto width_of_table) {
      const Levels<decltype(width_of_table)> levels{table.values + level, width_of_table};
      add_costs<n>(rows, listed, count, levels, costs);
    });
  });
}
