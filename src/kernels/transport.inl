// Pricing of arcs from sources to targets: lanes are targets. Sums are one rounded addition each,
// and of equal ones the first counts, so the width of the vectors cannot show.

constexpr hn::CappedTag<double, 8> cost_doubles;
constexpr std::size_t cost_width = hn::MaxLanes(cost_doubles);

HWY_INLINE Vector raised(const ArcCosts& arcs, const float* row, std::size_t column) {
  return hn::Add(load(row + column), load(arcs.raises + column));
}

void smallest_in_rows(const ArcCosts& arcs, std::size_t first, std::size_t count,
                      float* smallest) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = arcs.costs + (first + i) * arcs.stride;
    Vector least[2] = {raised(arcs, row, 0), broadcast(std::numeric_limits<float>::infinity())};
    std::size_t column = width;
    for (; column + 2 * width <= arcs.stride; column += 2 * width)
      for (std::size_t v = 0; v < 2; ++v)
        least[v] = hn::Min(least[v], raised(arcs, row, column + v * width));
    for (; column < arcs.stride; column += width)
      least[0] = hn::Min(least[0], raised(arcs, row, column));
    smallest[i] = hn::GetLane(hn::MinOfLanes(floats, hn::Min(least[0], least[1])));
  }
}

std::size_t place_in_row(const ArcCosts& arcs, std::size_t row, float value) noexcept {
  const float* costs = arcs.costs + row * arcs.stride;
  const Vector wanted = broadcast(value);
  for (std::size_t column = 0; column < arcs.stride; column += width) {
    const auto found = hn::FindFirstTrue(floats, hn::Eq(raised(arcs, costs, column), wanted));
    if (found >= 0) return column + static_cast<std::size_t>(found);
  }
  return arcs.stride;
}

std::size_t places_below(const ArcCosts& arcs, std::size_t row, float limit,
                         std::uint32_t* places) noexcept {
  const float* costs = arcs.costs + row * arcs.stride;
  const Vector limits = broadcast(limit);
  std::size_t count = 0;
  for (std::size_t column = 0; column < arcs.stride; column += width) {
    const auto passes = hn::Lt(raised(arcs, costs, column), limits);
    if (HWY_LIKELY(hn::AllFalse(floats, passes))) continue;
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(floats, passes, bits);
    std::uint64_t left;
    std::memcpy(&left, bits, sizeof left);
    for (; left != 0; left &= left - 1)
      places[count++] =
          static_cast<std::uint32_t>(column + hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
  }
  return count;
}

double largest_double(const double* values, std::size_t count) noexcept {
  auto most = hn::Zero(cost_doubles);
  std::size_t i = 0;
  for (; i + cost_width <= count; i += cost_width)
    most = hn::Max(most, hn::LoadU(cost_doubles, values + i));
  double largest = hn::GetLane(hn::MaxOfLanes(cost_doubles, most));
  for (; i < count; ++i) largest = values[i] > largest ? values[i] : largest;
  return largest;
}

void scaled_floats(const double* values, std::size_t count, const double* factors,
                   float* scaled) noexcept {
  const hn::Rebind<float, decltype(cost_doubles)> narrow;
  const auto first = hn::Set(cost_doubles, factors[0]);
  const auto second = hn::Set(cost_doubles, factors[1]);
  std::size_t i = 0;
  for (; i + cost_width <= count; i += cost_width) {
    const auto value = hn::Mul(hn::Mul(hn::LoadU(cost_doubles, values + i), first), second);
    hn::StoreU(hn::DemoteTo(narrow, value), narrow, scaled + i);
  }
  for (; i < count; ++i) scaled[i] = static_cast<float>(values[i] * factors[0] * factors[1]);
}

// Sums stay in registers while all dimensions pass.
void exact_distances(const float* point, std::size_t dimensions, const double* columns,
                     std::size_t size, double* distances) noexcept {
  const std::size_t whole = size / cost_width * cost_width;
  for_lane_groups<4, cost_width>(whole, [&](auto vectors, std::size_t first) {
    hn::Vec<decltype(cost_doubles)> sums[vectors];
    clear(sums);
    // Without dimensions there are no columns to point into.
    const double* column = dimensions > 0 ? columns + first : columns;
    for (std::size_t d = 0; d < dimensions; ++d, column += size) {
      const auto own = hn::Set(cost_doubles, static_cast<double>(point[d]));
      for (std::size_t v = 0; v < vectors; ++v) {
        const auto difference = hn::Sub(own, hn::LoadU(cost_doubles, column + v * cost_width));
        sums[v] = hn::Add(sums[v], hn::Mul(difference, difference));
      }
    }
    for (std::size_t v = 0; v < vectors; ++v)
      hn::StoreU(hn::Sqrt(sums[v]), cost_doubles, distances + first + v * cost_width);
  });
  for (std::size_t j = whole; j < size; ++j) {
    double sum = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double difference = static_cast<double>(point[d]) - columns[d * size + j];
      sum += difference * difference;
    }
    distances[j] = __builtin_sqrt(sum);
  }
}

void least_differences(const float* distances, std::size_t count, const float* values,
                       float* least) noexcept {
  constexpr hn::CappedTag<float, function_lanes> some;
  constexpr std::size_t lanes = hn::MaxLanes(some);
  for (std::size_t lane = 0; lane < function_lanes; lane += lanes) {
    // Four at a time: the smallest of some values is the same in any order.
    hn::Vec<decltype(some)> smallest[4];
    for (auto& value : smallest) value = hn::Set(some, std::numeric_limits<float>::infinity());
    const auto take = [&](std::size_t i, std::size_t chain) {
      const auto value = hn::LoadU(some, values + i * function_lanes + lane);
      smallest[chain] = hn::Min(smallest[chain], hn::Sub(hn::Set(some, distances[i]), value));
    };
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
      for (std::size_t chain = 0; chain < 4; ++chain) take(i + chain, chain);
    for (; i < count; ++i) take(i, 0);
    hn::StoreU(hn::Min(hn::Min(smallest[0], smallest[1]), hn::Min(smallest[2], smallest[3])), some,
               least + lane);
  }
}
