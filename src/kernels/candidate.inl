// Chosen rows against one query. Lanes are levels of overflow.

// At most 8 lanes; measures of few levels use 4, whose table fits the first-level cache.
template <std::size_t most>
using LevelLanes = hn::CappedTag<float, most>;

// The table from its first level of n vectors on.
template <class Width>
struct Levels {
  const float* capacities;
  Width width;
};

// One row on its way through its segments, n vectors of levels at a time.
template <std::size_t most, std::size_t n>
struct Walk {
  static constexpr LevelLanes<most> lanes{};
  using Lanes = hn::Vec<LevelLanes<most>>;
  static constexpr std::size_t lane_width = hn::MaxLanes(lanes);

  const std::uint32_t* coordinates;
  const float* weights;
  const std::uint32_t* end;
  const std::uint32_t* last_end;
  std::uint32_t bin = 0;
  Lanes sums[n];
  Lanes totals[n];

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
    const Lanes mass = hn::Set(lanes, weights[bin]);
    for (std::size_t i = 0; i < n; ++i) {
      const Lanes rest = hn::Sub(mass, hn::LoadU(lanes, capacity + i * lane_width));
      const Lanes over = hn::Max(rest, hn::Zero(lanes));
      const Lanes charge = hn::LoadU(lanes, capacity + levels.width + i * lane_width);
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
    HWY_ALIGN float levels_apart[n * lane_width];
    for (std::size_t i = 0; i < n; ++i) hn::StoreU(totals[i], lanes, levels_apart + i * lane_width);
    for (const float level : levels_apart) cost += level;
    return cost;
  }
};

// Two rows side by side: the sums of one are a chain of dependent additions, too slow alone.
template <class RowWalk, class Width>
HWY_INLINE void walk_together(RowWalk& a, RowWalk& b, Levels<Width> levels) {
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

template <class RowWalk, class Width>
HWY_INLINE void add_costs(const Rows& rows, const std::uint32_t* listed, std::size_t count,
                          Levels<Width> levels, float* costs) {
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    for (std::size_t ahead = i + 2; ahead < i + 4 && ahead < count; ++ahead) {
      prefetch_row(rows, listed[ahead]);
    }
    RowWalk a(rows, listed[i]);
    RowWalk b(rows, listed[i + 1]);
    walk_together(a, b, levels);
    costs[i] = a.finish(levels, costs[i]);
    costs[i + 1] = b.finish(levels, costs[i + 1]);
  }
  if (i < count) costs[i] = RowWalk(rows, listed[i]).finish(levels, costs[i]);
}

template <std::size_t most>
HWY_INLINE void add_level_groups(const Rows& rows, const std::uint32_t* listed, std::size_t count,
                                 const LevelTable& table, float* costs) {
  constexpr std::size_t lane_width = hn::MaxLanes(LevelLanes<most>());
  for_lane_groups<2, lane_width>(table.width, [&](auto n, std::size_t level) {
    with_constant<n * lane_width>(table.width, [&](auto width_of_table) {
      const Levels<decltype(width_of_table)> levels{table.values + level, width_of_table};
      add_costs<Walk<most, n>>(rows, listed, count, levels, costs);
    });
  });
}

void candidate_costs(const Rows& rows, const std::uint32_t* listed, std::size_t count,
                     const LevelTable& table, float* costs) noexcept {
  for (std::size_t i = 0; i < count; ++i) costs[i] = 0;
  if (table.width == 4) {
    add_level_groups<4>(rows, listed, count, table, costs);
  } else {
    add_level_groups<8>(rows, listed, count, table, costs);
  }
}
