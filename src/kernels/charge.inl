// Phases 2 and 3: what the bins of database rows pay. Lanes are queries.

// One load into an integer register for both halves of a bin: the load ports that serve vectors
// are what bounds these loops.
HWY_INLINE Bin read(const Bin* bin) {
#if HWY_ARCH_X86_64
  std::uint64_t both;
  std::memcpy(&both, bin, sizeof both);
  asm("" : "+r"(both));
  const auto weight_bits = static_cast<std::uint32_t>(both >> 32);
  Bin result = {static_cast<std::uint32_t>(both), 0};
  std::memcpy(&result.weight, &weight_bits, sizeof weight_bits);
  return result;
#else
  return *bin;
#endif
}

// Stride is a number or a constant, see with_constant.
template <class Stride>
struct NearestCharge {
  const float* values;
  Stride stride;

  template <std::size_t n>
  HWY_INLINE void add(Bin bin, Vector (&sums)[n]) const {
    const float* value = in_register(values + bin.coordinate * stride);
    const Vector mass = broadcast(bin.weight);
    for (std::size_t i = 0; i < n; ++i) sums[i] = fused(mass, load(value + i * width), sums[i]);
  }
  HWY_INLINE void prefetch(std::uint32_t coordinate) const {
    hwy::Prefetch(values + coordinate * stride);
  }
};

template <class Stride>
struct OverflowCharge {
  const float* capacities;
  const float* steps;
  Stride stride;

  template <std::size_t n>
  HWY_INLINE void add(Bin bin, Vector (&sums)[n]) const {
    const float* capacity = in_register(capacities + bin.coordinate * stride);
    const float* step = in_register(steps + bin.coordinate * stride);
    const Vector mass = broadcast(bin.weight);
    for (std::size_t i = 0; i < n; ++i) {
      const Vector rest = hn::Sub(mass, load(capacity + i * width));
      const Vector over = hn::Max(rest, hn::Zero(floats));
      sums[i] = fused(over, load(step + i * width), sums[i]);
    }
  }
  HWY_INLINE void prefetch(std::uint32_t coordinate) const {
    hwy::Prefetch(capacities + coordinate * stride);
    hwy::Prefetch(steps + coordinate * stride);
  }
};

template <std::size_t n>
HWY_INLINE void add_to(float* row, const Vector (&sums)[n]) {
  row = in_register(row);
  for (std::size_t i = 0; i < n; ++i) {
    store(hn::Add(load(row + i * width), sums[i]), row + i * width);
  }
}

template <std::size_t n, class Charge>
HWY_INLINE void charge_segments(const Segments& work, Charge charge, std::size_t lanes,
                                float* out) {
  const Bin* bin = work.bins;
  const Segment* last = work.segments + work.count;
  for (const Segment* segment = work.segments; segment != last; ++segment) {
    Vector sums[n];
    clear(sums);
    const Bin* end = bin + segment->count;
    do {
      charge.add(read(bin), sums);
    } while (++bin != end);
    add_to(out + segment->row * lanes, sums);
  }
}

// Tables of few lanes are those of large vocabularies: out of the second-level cache, so that what
// comes is fetched ahead, and walked row by row with few bins per segment, so that the sum of a row
// stays in registers.
template <std::size_t n, class Charge>
HWY_INLINE void charge_rows(const Segments& work, Charge charge, std::size_t lanes, float* out) {
  constexpr std::ptrdiff_t ahead = 12;
  const Bin* bin = work.bins;
  const Segment* segment = work.segments;
  const Segment* last = segment + work.count;
  while (segment != last) {
    const std::uint32_t row = segment->row;
    float* total = in_register(out + row * lanes);
    Vector totals[n];
    for (std::size_t i = 0; i < n; ++i) totals[i] = load(total + i * width);
    do {
      Vector sums[n];
      clear(sums);
      const Bin* end = bin + segment->count;
      do {
        charge.prefetch((work.last - bin > ahead ? bin + ahead : bin)->coordinate);
        charge.add(read(bin), sums);
      } while (++bin != end);
      for (std::size_t i = 0; i < n; ++i) totals[i] = hn::Add(totals[i], sums[i]);
    } while (++segment != last && segment->row == row);
    for (std::size_t i = 0; i < n; ++i) store(totals[i], total + i * width);
  }
}

template <std::size_t n, class Charge>
HWY_INLINE void charge_lanes(const Segments& work, Charge charge, std::size_t lanes, float* out) {
  if constexpr (n * width <= 16) {
    charge_rows<n>(work, charge, lanes, out);
  } else {
    charge_segments<n>(work, charge, lanes, out);
  }
}

// Eight sums in flight keep two multiply-add units of latency four busy.
void charge_nearest(const Segments& work, const LaneTable& table, float* out) noexcept {
  for_lane_groups<8>(table.lanes, [&](auto n, std::size_t lane) {
    with_constant<64>(table.stride, [&](auto stride) {
      const NearestCharge<decltype(stride)> charge{table.values + lane, stride};
      charge_lanes<n>(work, charge, table.lanes, out + lane);
    });
  });
}

void charge_overflow(const Segments& work, const OverflowTable& table, float* out) noexcept {
  for_lane_groups<8>(table.lanes, [&](auto n, std::size_t lane) {
    with_constant<128>(table.stride, [&](auto stride) {
      const OverflowCharge<decltype(stride)> charge{table.capacities + lane, table.steps + lane,
                                                    stride};
      charge_lanes<n>(work, charge, table.lanes, out + lane);
    });
  });
}

// The product of two floats is exact in double, so fused or not the bits are the same.
template <std::size_t n>
HWY_INLINE void dot_segments(const Segments& work, const float* values, std::size_t stride,
                             std::size_t lanes, double* out) {
  constexpr hn::CappedTag<double, 8> doubles;
  constexpr hn::Rebind<float, decltype(doubles)> halves;
  constexpr std::size_t step = hn::MaxLanes(doubles);
  const Bin* next = work.bins;
  for (const Segment* s = work.segments; s != work.segments + work.count; ++s) {
    hn::Vec<decltype(doubles)> sums[n];
    clear(sums);
    for (const Bin* end = next + s->count; next != end; ++next) {
      const float* value = values + next->coordinate * stride;
      const auto mass = hn::Set(doubles, static_cast<double>(next->weight));
      for (std::size_t i = 0; i < n; ++i) {
        const auto factor = hn::PromoteTo(doubles, hn::LoadU(halves, value + i * step));
        sums[i] = hn::MulAdd(mass, factor, sums[i]);
      }
    }
    double* row = out + s->row * lanes;
    for (std::size_t i = 0; i < n; ++i) {
      hn::StoreU(hn::Add(hn::LoadU(doubles, row + i * step), sums[i]), doubles, row + i * step);
    }
  }
}

void dot(const Segments& work, const LaneTable& table, double* out) noexcept {
  constexpr std::size_t doubles = hn::MaxLanes(hn::CappedTag<double, 8>());
  for_lane_groups<8, doubles>(table.lanes, [&](auto n, std::size_t lane) {
    dot_segments<n>(work, table.values + lane, table.stride, table.lanes, out + lane);
  });
}
