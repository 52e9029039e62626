// Lower bounds of costs in 16-bit integers: half the bytes and twice the lanes of floats. Lanes are
// queries.

using Shorts = hn::CappedTag<std::uint16_t, 32>;
using ShortVector = hn::Vec<Shorts>;
constexpr Shorts shorts;
constexpr std::size_t short_width = hn::MaxLanes(shorts);
constexpr std::size_t short_vectors = coarse_lanes / short_width;

HWY_INLINE ShortVector load(const std::uint16_t* from) { return hn::LoadU(shorts, from); }

// Levels is a number or a constant, see with_constant.
template <class Levels>
HWY_INLINE void add_coarse(CoarseBin bin, const std::uint16_t* values, Levels levels,
                           ShortVector (&sums)[short_vectors]) {
  const std::size_t stride = (2 * levels + 1) * coarse_lanes;
  const std::uint16_t* entry = in_register(values + bin.coordinate * stride);
  const ShortVector mass = hn::Set(shorts, bin.weight);
  for (std::size_t i = 0; i < short_vectors; ++i)
    sums[i] = hn::Add(sums[i], hn::MulHigh(mass, load(entry + i * short_width)));
  for (std::size_t level = 0; level < levels; ++level) {
    const std::uint16_t* capacity = entry + (2 * level + 1) * coarse_lanes;
    const std::uint16_t* step = capacity + coarse_lanes;
    for (std::size_t i = 0; i < short_vectors; ++i) {
      const ShortVector over = hn::SaturatedSub(mass, load(capacity + i * short_width));
      sums[i] = hn::Add(sums[i], hn::MulHigh(over, load(step + i * short_width)));
    }
  }
}

template <class Levels>
HWY_INLINE void charge_coarse_segments(const CoarseSegments& work, const std::uint16_t* values,
                                       Levels levels, std::uint16_t* out) {
  const CoarseBin* bin = work.bins;
  for (const Segment* segment = work.segments; segment != work.segments + work.count; ++segment) {
    ShortVector sums[short_vectors];
    clear(sums);
    const CoarseBin* end = bin + segment->count;
    do {
      add_coarse(*bin, values, levels, sums);
    } while (++bin != end);
    std::uint16_t* row = in_register(out + segment->row * coarse_lanes);
    for (std::size_t i = 0; i < short_vectors; ++i) {
      std::uint16_t* entry = row + i * short_width;
      hn::StoreU(hn::Add(load(entry), sums[i]), shorts, entry);
    }
  }
}

void charge_coarse(const CoarseSegments& work, const CoarseTable& table,
                   std::uint16_t* out) noexcept {
  if (table.levels == 0) {
    charge_coarse_segments(work, table.values, std::integral_constant<std::size_t, 0>(), out);
    return;
  }
  with_constant<1>(table.levels,
                   [&](auto levels) { charge_coarse_segments(work, table.values, levels, out); });
}

// Few entries pass, so the common case is one comparison per vector.
std::size_t at_most(const std::uint16_t* values, std::size_t rows, const std::uint16_t* row_limits,
                    const std::uint16_t* lane_limits, std::uint32_t* places) noexcept {
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const ShortVector row_limit = hn::Set(shorts, row_limits[row]);
    for (std::size_t lane = 0; lane < coarse_lanes; lane += short_width) {
      const ShortVector limit = hn::Max(row_limit, load(lane_limits + lane));
      const std::size_t first = row * coarse_lanes + lane;
      const auto passes = hn::Eq(hn::Max(load(values + first), limit), limit);
      if (HWY_LIKELY(hn::AllFalse(shorts, passes))) continue;
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(shorts, passes, bits);
      std::uint64_t left;
      std::memcpy(&left, bits, sizeof left);
      for (; left != 0; left &= left - 1)
        places[count++] =
            static_cast<std::uint32_t>(first + hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
    }
  }
  return count;
}
