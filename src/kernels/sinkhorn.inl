// The scaling of entropic plans, in double. Eight partial sums side by side stand for eight lanes
// whatever the width of the vectors, and are added in a fixed order.

constexpr hn::CappedTag<double, 8> scaling_doubles;
using Doubles = hn::Vec<decltype(scaling_doubles)>;
constexpr std::size_t double_width = hn::MaxLanes(scaling_doubles);
constexpr std::size_t double_vectors = scaling_lanes / double_width;

HWY_INLINE Doubles load_doubles(const double* from) { return hn::LoadU(scaling_doubles, from); }

HWY_INLINE Doubles load_doubles(const float* from) {
  return hn::PromoteTo(scaling_doubles,
                       hn::LoadU(hn::Rebind<float, decltype(scaling_doubles)>(), from));
}

HWY_INLINE Doubles fused_doubles(Doubles a, Doubles b, Doubles c) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(scaling_doubles, __builtin_fma(hn::GetLane(a), hn::GetLane(b), hn::GetLane(c)));
#else
  return hn::MulAdd(a, b, c);
#endif
}

HWY_INLINE double sum_of_lanes(const Doubles (&sums)[double_vectors]) {
  HWY_ALIGN double lanes[scaling_lanes];
  for (std::size_t i = 0; i < double_vectors; ++i) {
    hn::StoreU(sums[i], scaling_doubles, lanes + i * double_width);
  }
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// exp(x) for -700 <= x <= 0: x = n log 2 + r, and a polynomial of r; good to a few last places.
HWY_INLINE Doubles exp_of(Doubles x) {
  constexpr double log2_high = 0x1.62e42fee00000p-1;
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  const auto set = [](double value) { return hn::Set(scaling_doubles, value); };
  const Doubles n = hn::Round(hn::Mul(x, set(0x1.71547652b82fep+0)));
  Doubles r = fused_doubles(n, set(-log2_high), x);
  r = fused_doubles(n, set(-log2_low), r);
  // 1 / 12!, 1 / 11!, ..., 1 / 0!: |r| <= 0.35, so the next term is below 2^-52.
  constexpr double factors[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                                1.0 / 40320,     1.0 / 5040,     1.0 / 720,     1.0 / 120,
                                1.0 / 24,        1.0 / 6,        0.5,           1.0,
                                1.0};
  Doubles result = set(factors[0]);
  for (std::size_t i = 1; i < std::size(factors); ++i) {
    result = fused_doubles(result, r, set(factors[i]));
  }
  // 2^n by its exponent: n + 1023 in the bits above the mantissa.
  const hn::RebindToSigned<decltype(scaling_doubles)> integers;
  const auto shifted = hn::BitCast(integers, hn::Add(n, set(0x1.8p52 + 1023)));
  return hn::Mul(result, hn::BitCast(scaling_doubles, hn::ShiftLeft<52>(shifted)));
}

float largest(const float* values, std::size_t count) noexcept {
  Vector lanes = hn::Zero(floats);
  std::size_t i = 0;
  for (; i + width <= count; i += width) lanes = hn::Max(lanes, load(values + i));
  HWY_ALIGN float parts[width];
  store(lanes, parts);
  float result = 0;
  for (const float part : parts) result = part > result ? part : result;
  for (; i < count; ++i) result = values[i] > result ? values[i] : result;
  return result;
}

void exp_of_costs(const float* costs, std::size_t count, double factor, double* out) noexcept {
  const Doubles negative = hn::Set(scaling_doubles, -factor);
  for (std::size_t i = 0; i < count; i += double_width) {
    hn::StoreU(exp_of(hn::Mul(negative, load_doubles(costs + i))), scaling_doubles, out + i);
  }
}

// Meets the marginal of n rows, whose sums then go to the columns. Rows together share the loads of
// the columns' values, and are still in the first-level cache when they are read again.
template <std::size_t n>
HWY_INLINE double scale_rows(const Scaling& work, std::size_t row) {
  const double* kernel = work.kernel + row * work.stride;
  Doubles sums[n][double_vectors];
  for (std::size_t i = 0; i < n; ++i) clear(sums[i]);
  for (std::size_t j = 0; j < work.stride; j += scaling_lanes) {
    for (std::size_t k = 0; k < double_vectors; ++k) {
      const std::size_t column = j + k * double_width;
      const Doubles v = load_doubles(work.v + column);
      for (std::size_t i = 0; i < n; ++i) {
        sums[i][k] = fused_doubles(load_doubles(kernel + i * work.stride + column), v, sums[i][k]);
      }
    }
  }
  double error = 0;
  Doubles u[n];
  for (std::size_t i = 0; i < n; ++i) {
    const double sum = sum_of_lanes(sums[i]);
    error += __builtin_fabs(work.u[row + i] * sum - work.p[row + i]);
    work.u[row + i] = work.p[row + i] / sum;
    u[i] = hn::Set(scaling_doubles, work.u[row + i]);
  }
  for (std::size_t column = 0; column < work.stride; column += double_width) {
    Doubles sum = load_doubles(work.sums + column);
    for (std::size_t i = 0; i < n; ++i) {
      sum = fused_doubles(load_doubles(kernel + i * work.stride + column), u[i], sum);
    }
    hn::StoreU(sum, scaling_doubles, work.sums + column);
  }
  return error;
}

double scale(const Scaling& work) noexcept {
  // Columns that fill the last group have no weight; any sum but 0 keeps them at 0.
  for (std::size_t j = 0; j < work.stride; ++j) work.sums[j] = j < work.columns ? 0 : 1;
  double error = 0;
  std::size_t row = 0;
  for (; row + 4 <= work.rows; row += 4) error += scale_rows<4>(work, row);
  for (; row < work.rows; ++row) error += scale_rows<1>(work, row);
  for (std::size_t j = 0; j < work.stride; j += double_width) {
    hn::StoreU(hn::Div(load_doubles(work.q + j), load_doubles(work.sums + j)), scaling_doubles,
               work.v + j);
  }
  return error;
}

double plan_cost(const Scaling& work, const float* costs) noexcept {
  double cost = 0;
  for (std::size_t row = 0; row < work.rows; ++row) {
    const double* kernel = work.kernel + row * work.stride;
    Doubles sums[double_vectors];
    clear(sums);
    for (std::size_t j = 0; j < work.stride; j += scaling_lanes) {
      for (std::size_t k = 0; k < double_vectors; ++k) {
        const std::size_t column = j + k * double_width;
        const Doubles mass =
            hn::Mul(load_doubles(kernel + column), load_doubles(work.v + column));
        sums[k] = fused_doubles(mass, load_doubles(costs + row * work.stride + column), sums[k]);
      }
    }
    cost += work.u[row] * sum_of_lanes(sums);
  }
  return cost;
}
