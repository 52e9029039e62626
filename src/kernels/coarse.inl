// Lower bounds of costs in 16-bit integers: half the bytes and twice the lanes of floats. Lanes are
// queries.

using Shorts = hn::CappedTag<std::uint16_t, 32>;
using ShortVector = hn::Vec<Shorts>;
constexpr Shorts shorts;
constexpr std::size_t short_width = hn::MaxLanes(shorts);
constexpr std::size_t short_vectors = coarse_lanes / short_width;

HWY_INLINE ShortVector load(const std::uint16_t* from) { return hn::LoadU(shorts, from); }

void charge_coarse(const CoarseSegments& work, const std::uint16_t* nearest,
                   std::uint16_t* out) noexcept {
  const CoarseBin* bin = work.bins;
  for (const Segment* segment = work.segments; segment != work.segments + work.count; ++segment) {
    ShortVector sums[short_vectors];
    clear(sums);
    const CoarseBin* end = bin + segment->count;
    do {
      const std::uint16_t* entry = in_register(nearest + bin->coordinate * coarse_lanes);
      const ShortVector mass = hn::Set(shorts, bin->weight);
      for (std::size_t i = 0; i < short_vectors; ++i)
        sums[i] = hn::Add(sums[i], hn::MulHigh(mass, load(entry + i * short_width)));
    } while (++bin != end);
    std::uint16_t* row = in_register(out + segment->row * coarse_lanes);
    for (std::size_t i = 0; i < short_vectors; ++i) {
      std::uint16_t* entry = row + i * short_width;
      hn::StoreU(hn::Add(load(entry), sums[i]), shorts, entry);
    }
  }
}

using GroupLanes = hn::CappedTag<std::uint16_t, coarse_group>;
using GroupVector = hn::Vec<GroupLanes>;
constexpr GroupLanes group_lanes;
constexpr std::size_t group_width = hn::MaxLanes(group_lanes);
constexpr std::size_t group_vectors = coarse_group / group_width;

// Levels is a number or a constant, see with_constant.
template <class Levels>
HWY_INLINE void add_coarse_overflow(CoarseBin bin, const std::uint16_t* values, Levels levels,
                                    GroupVector (&sums)[group_vectors]) {
  const std::uint16_t* entry = values + bin.coordinate * levels * 2 * coarse_group;
  const GroupVector mass = hn::Set(group_lanes, bin.weight);
  for (std::size_t level = 0; level < levels; ++level, entry += 2 * coarse_group) {
    for (std::size_t i = 0; i < group_vectors; ++i) {
      const std::uint16_t* capacity = entry + i * group_width;
      const GroupVector over = hn::SaturatedSub(mass, hn::LoadU(group_lanes, capacity));
      const GroupVector step = hn::LoadU(group_lanes, capacity + coarse_group);
      sums[i] = hn::Add(sums[i], hn::MulHigh(over, step));
    }
  }
}

template <class Levels>
HWY_INLINE void charge_overflow_rows(const CoarseRowBins& bins, const std::uint32_t* rows,
                                     std::size_t count, const std::uint16_t* values, Levels levels,
                                     std::uint16_t* out) {
  for (const std::uint32_t* row = rows; row != rows + count; ++row) {
    GroupVector sums[group_vectors];
    clear(sums);
    const CoarseBin* end = bins.bins + bins.offsets[*row + 1];
    for (const CoarseBin* bin = bins.bins + bins.offsets[*row]; bin != end; ++bin)
      add_coarse_overflow(*bin, values, levels, sums);
    for (std::size_t i = 0; i < group_vectors; ++i) {
      std::uint16_t* entry = out + *row * coarse_lanes + i * group_width;
      hn::StoreU(hn::Add(hn::LoadU(group_lanes, entry), sums[i]), group_lanes, entry);
    }
  }
}

void charge_coarse_overflow(const CoarseRowBins& bins, const std::uint32_t* rows, std::size_t count,
                            const CoarseOverflow& table, std::uint16_t* out) noexcept {
  with_constant<1>(table.levels, [&](auto one_or_more) {
    with_constant<2>(one_or_more, [&](auto levels) {
      charge_overflow_rows(bins, rows, count, table.values, levels, out);
    });
  });
}

constexpr std::size_t turned_rows = 8;

// turned[r * 64 + lane] = from[lane * coarse_lanes + r] for eight r.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void turn(const std::uint16_t* from, std::uint16_t* turned) {
  for (std::size_t lane = 0; lane < coarse_square; ++lane) {
    for (std::size_t r = 0; r < turned_rows; ++r)
      turned[r * coarse_square + lane] = from[lane * coarse_lanes + r];
  }
}
#else
// Interleaving the first half of the vectors with the second rotates the number of an entry by one
// bit; three times exchange row and column of a block of 8 x 8.
template <class V>
HWY_INLINE void interleave(V (&block)[turned_rows]) {
  const hn::DFromV<V> tag;
  V result[turned_rows];
  for (std::size_t i = 0; i < turned_rows / 2; ++i) {
    result[2 * i] = hn::InterleaveLower(tag, block[i], block[i + turned_rows / 2]);
    result[2 * i + 1] = hn::InterleaveUpper(tag, block[i], block[i + turned_rows / 2]);
  }
  for (std::size_t i = 0; i < turned_rows; ++i) block[i] = result[i];
}

HWY_INLINE void turn(const std::uint16_t* from, std::uint16_t* turned) {
  constexpr hn::FixedTag<std::uint16_t, turned_rows> eight;
  for (std::size_t lane = 0; lane < coarse_square; lane += turned_rows) {
    hn::Vec<decltype(eight)> block[turned_rows];
    for (std::size_t i = 0; i < turned_rows; ++i)
      block[i] = hn::LoadU(eight, from + (lane + i) * coarse_lanes);
    for (int round = 0; round < 3; ++round) interleave(block);
    for (std::size_t i = 0; i < turned_rows; ++i)
      hn::StoreU(block[i], eight, turned + i * coarse_square + lane);
  }
}
#endif

// Few entries pass, so the common case is one comparison per vector.
std::size_t at_most(const CoarseSquare& square, const std::uint16_t* row_limits,
                    const std::uint16_t* lane_limits, std::uint32_t* places) noexcept {
  HWY_ALIGN std::uint16_t turned[turned_rows * coarse_square] = {};
  std::size_t count = 0;
  for (std::size_t row = 0; row < square.rows; ++row) {
    const std::size_t turned_row = row % turned_rows;
    if (square.backward != nullptr && turned_row == 0) turn(square.backward + row, turned);
    const ShortVector row_limit = hn::Set(shorts, row_limits[row]);
    for (std::size_t lane = 0; lane < coarse_square; lane += short_width) {
      const ShortVector limit = hn::Max(row_limit, load(lane_limits + lane));
      const ShortVector cost = hn::Max(load(square.forward + row * coarse_lanes + lane),
                                       load(turned + turned_row * coarse_square + lane));
      const auto passes = hn::Eq(hn::Max(cost, limit), limit);
      if (HWY_LIKELY(hn::AllFalse(shorts, passes))) continue;
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(shorts, passes, bits);
      std::uint64_t left;
      std::memcpy(&left, bits, sizeof left);
      const std::size_t first = row * coarse_square + lane;
      for (; left != 0; left &= left - 1)
        places[count++] =
            static_cast<std::uint32_t>(first + hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
    }
  }
  return count;
}
