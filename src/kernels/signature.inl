// Sums of absolute differences of bytes. Integers, so any order gives the same.

// One after the other where vectors are narrower than what is summed up at once.
HWY_INLINE std::uint32_t difference(const std::uint8_t* a, const std::uint8_t* b) {
#if HWY_TARGET == HWY_SCALAR
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < signature_bytes; ++i)
    sum += static_cast<std::uint32_t>(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
  return sum;
#else
  constexpr hn::CappedTag<std::uint8_t, signature_bytes> bytes;
  constexpr hn::Repartition<std::uint64_t, decltype(bytes)> sums_of_8;
  auto sums = hn::Zero(sums_of_8);
  for (std::size_t i = 0; i < signature_bytes; i += hn::MaxLanes(bytes)) {
    const auto x = hn::LoadU(bytes, a + i);
    const auto y = hn::LoadU(bytes, b + i);
    // One of the two is zero.
    const auto apart = hn::Or(hn::SaturatedSub(x, y), hn::SaturatedSub(y, x));
    sums = hn::Add(sums, hn::SumsOf8(apart));
  }
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(sums_of_8, sums)));
#endif
}

void signature_bounds(const Signatures& rows, const std::uint8_t* query, std::uint32_t slack,
                      float unit, float* out) noexcept {
  for (std::size_t row = 0; row < rows.count; ++row) {
    const std::uint32_t apart = difference(rows.bytes + row * signature_bytes, query);
    const std::uint32_t taken = slack + rows.slacks[row];
    out[row] = static_cast<float>(apart > taken ? apart - taken : 0) * unit;
  }
}
