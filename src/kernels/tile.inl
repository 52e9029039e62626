// Tiles of costs: turned around, compared, searched; and the peak of the machine.

// Calls take(r, c, four rows of the transposed block at (c, r)) for blocks of 4 x 4 and one(r, c)
// for what is left.
template <class Take, class One>
HWY_INLINE void for_blocks([[maybe_unused]] const float* from, [[maybe_unused]] std::size_t stride,
                           std::size_t rows, std::size_t columns, [[maybe_unused]] const Take& take,
                           const One& one) {
  std::size_t r = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr hn::FixedTag<float, 4> four;
  for (; r + 4 <= rows; r += 4) {
    const float* row = from + r * stride;
    std::size_t c = 0;
    for (; c + 4 <= columns; c += 4) {
      const auto a = hn::LoadU(four, row + c);
      const auto b = hn::LoadU(four, row + stride + c);
      const auto x = hn::LoadU(four, row + 2 * stride + c);
      const auto y = hn::LoadU(four, row + 3 * stride + c);
      const auto ab = hn::InterleaveLower(four, a, b);
      const auto xy = hn::InterleaveLower(four, x, y);
      const auto ab_upper = hn::InterleaveUpper(four, a, b);
      const auto xy_upper = hn::InterleaveUpper(four, x, y);
      take(r, c, hn::ConcatLowerLower(four, xy, ab));
      take(r, c + 1, hn::ConcatUpperUpper(four, xy, ab));
      take(r, c + 2, hn::ConcatLowerLower(four, xy_upper, ab_upper));
      take(r, c + 3, hn::ConcatUpperUpper(four, xy_upper, ab_upper));
    }
    for (; c < columns; ++c) {
      for (std::size_t i = r; i < r + 4; ++i) one(i, c);
    }
  }
#endif
  for (; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) one(r, c);
  }
}

void transpose(const float* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
               float* to, std::size_t to_stride) noexcept {
  for_blocks(
      from, from_stride, rows, columns,
      [&](std::size_t r, std::size_t c, auto column) {
        hn::StoreU(column, hn::DFromV<decltype(column)>(), to + c * to_stride + r);
      },
      [&](std::size_t r, std::size_t c) { to[c * to_stride + r] = from[r * from_stride + c]; });
}

void larger_with_transposed(float* a, std::size_t a_stride, std::size_t rows, std::size_t columns,
                            const float* b, std::size_t b_stride) noexcept {
  for_blocks(
      b, b_stride, columns, rows,
      [&](std::size_t c, std::size_t r, auto column) {
        const hn::DFromV<decltype(column)> four;
        float* entry = a + r * a_stride + c;
        hn::StoreU(hn::Max(hn::LoadU(four, entry), column), four, entry);
      },
      [&](std::size_t c, std::size_t r) {
        float& entry = a[r * a_stride + c];
        const float other = b[c * b_stride + r];
        entry = entry < other ? other : entry;
      });
}

// Few entries pass, so the common case is one comparison per vector.
std::size_t below(const float* values, std::size_t rows, std::size_t lanes,
                  const Thresholds& thresholds, std::uint32_t* places) noexcept {
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const Vector row_threshold = broadcast(thresholds.rows[row]);
    for (std::size_t lane = 0; lane < lanes; lane += width) {
      const Vector threshold = hn::Max(row_threshold, load(thresholds.lanes + lane));
      const std::size_t first = row * lanes + lane;
      const auto passes = hn::Lt(load(values + first), threshold);
      if (HWY_LIKELY(hn::AllFalse(floats, passes))) continue;
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(floats, passes, bits);
      for (std::size_t i = 0; i < width; ++i) {
        if (bits[i / 8] >> (i % 8) & 1) places[count++] = static_cast<std::uint32_t>(first + i);
      }
    }
  }
  return count;
}

// Twelve independent sums: more than latency times units of any current machine.
std::uint64_t fma_peak(std::uint64_t count) noexcept {
  constexpr std::size_t chains = 12;
  Vector sums[chains];
  for (std::size_t i = 0; i < chains; ++i) sums[i] = broadcast(static_cast<float>(i));
  const Vector factor = broadcast(0.5F);
  const Vector term = broadcast(1.0F);
  const std::uint64_t rounds = count / (chains * width) + 1;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < chains; ++i) sums[i] = fused(sums[i], factor, term);
  }
  Vector total = sums[0];
  for (std::size_t i = 1; i < chains; ++i) total = hn::Add(total, sums[i]);
  // Every sum tends to 2 and stays positive; the compiler does not know and keeps the loop.
  return hn::GetLane(total) < 0 ? 0 : rounds * chains * width;
}
