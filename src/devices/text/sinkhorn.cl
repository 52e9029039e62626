// Sinkhorn's iterations for many rows against one query, in double: a group for each pair.
//
// A row's bins are starts[pair] to starts[pair + 1] of all; squares[bin of the rows][bin of the
// query]. One side of a pair is scaled first: the query where turned[pair] != 0. For each pair
// `kernels` holds exp(-lambda cost / scale) twice, [second][first] and [first][second], so that the
// items of a group read side by side whichever side they scale; `vectors` holds weights and scaling
// of the first side, then of the second.
#if LEVELS == 0 && defined(HAS_DOUBLES)

#define RUNNING 0u
#define CONVERGED 1u
#define OUT_OF_RANGE 2u  // of plain numbers: somebody else's work
#define NOTHING_TO_MOVE 3u

#define MOST_ITEMS 128u  // of a group

typedef struct {
  u32 first, second;  // bins
  GLOBAL double* to_first;
  GLOBAL double* to_second;
  GLOBAL double* first_weights;
  GLOBAL double* first_scaling;
  GLOBAL double* second_weights;
  GLOBAL double* second_scaling;
} Pair;

FUNCTION Pair pair_of(u32 number, u32 query_bins, GLOBAL const u32* starts,
                      GLOBAL const u32* turned, GLOBAL double* kernels, GLOBAL double* vectors) {
  const u32 row_bins = starts[number + 1u] - starts[number];
  Pair pair;
  pair.first = turned[number] != 0u ? query_bins : row_bins;
  pair.second = turned[number] != 0u ? row_bins : query_bins;
  pair.to_first = kernels + (u64)starts[number] * query_bins * 2u;
  pair.to_second = pair.to_first + (u64)row_bins * query_bins;
  pair.first_weights = vectors + ((u64)starts[number] + (u64)number * query_bins) * 2u;
  pair.first_scaling = pair.first_weights + pair.first;
  pair.second_weights = pair.first_scaling + pair.first;
  pair.second_scaling = pair.second_weights + pair.second;
  return pair;
}

// Makes pairs ready. Weights of either side sum to 1. `scale` is what costs are divided by, 0 for
// the largest of the pair; `limit` is how far down the kernel may go, as a logarithm.
KERNEL(sinkhorn_start)
(GLOBAL const float* squares, u32 query_bins, GLOBAL const u32* starts, GLOBAL const u32* turned,
 GLOBAL const double* row_weights, GLOBAL const double* query_weights, double lambda, double scale,
 double limit, GLOBAL double* kernels, GLOBAL double* vectors, GLOBAL u32* states) {
  LOCAL(float, largest, MOST_ITEMS);
  const u32 begin = starts[GROUP];
  const u32 row_bins = starts[GROUP + 1u] - begin;
  const u32 entries = row_bins * query_bins;
  const u32 query_first = turned[GROUP];
  GLOBAL const float* own = squares + (u64)begin * query_bins;
  Pair pair = pair_of(GROUP, query_bins, starts, turned, kernels, vectors);
  float most = 0.0f;
  for (u32 i = ITEM; i < entries; i += ITEMS) most = own[i] > most ? own[i] : most;
  largest[ITEM] = most;
  BARRIER;
  for (u32 apart = ITEMS / 2u; apart > 0u; apart /= 2u) {
    if (ITEM < apart) {
      const float other = largest[ITEM + apart];
      largest[ITEM] = other > largest[ITEM] ? other : largest[ITEM];
    }
    BARRIER;
  }
  const double farthest = (double)rooted(largest[0]);
  const double factor = lambda / (scale > 0.0 ? scale : farthest);
  if (ITEM == 0u) {
    states[GROUP] = !(farthest > 0.0)           ? NOTHING_TO_MOVE
                    : factor * farthest > limit ? OUT_OF_RANGE
                                                : RUNNING;
  }
  if (!(farthest > 0.0) || factor * farthest > limit) return;
  GLOBAL double* by_row = query_first != 0u ? pair.to_first : pair.to_second;
  GLOBAL double* by_query = query_first != 0u ? pair.to_second : pair.to_first;
  for (u32 i = ITEM; i < entries; i += ITEMS) {
    const double value = EXP_DOUBLE(-factor * (double)rooted(own[i]));
    by_row[i] = value;
    by_query[i % query_bins * row_bins + i / query_bins] = value;
  }
  GLOBAL double* of_row = query_first != 0u ? pair.second_weights : pair.first_weights;
  GLOBAL double* of_query = query_first != 0u ? pair.first_weights : pair.second_weights;
  for (u32 i = ITEM; i < row_bins; i += ITEMS) of_row[i] = row_weights[begin + i];
  for (u32 i = ITEM; i < query_bins; i += ITEMS) of_query[i] = query_weights[i];
  for (u32 i = ITEM; i < pair.first; i += ITEMS) pair.first_scaling[i] = 0.0;
  for (u32 i = ITEM; i < pair.second; i += ITEMS) pair.second_scaling[i] = 1.0;
}

// The sum of values[line * stride] * scaling[line].
FUNCTION double scaled_sum(GLOBAL const double* values, u32 stride, GLOBAL const double* scaling,
                           u32 lines) {
  double sum = 0.0;
  for (u32 line = 0; line < lines; ++line) {
    sum = FUSED_DOUBLE(values[(u64)line * stride], scaling[line], sum);
  }
  return sum;
}

// So many iterations, fewer where the first side's marginal was met within the tolerance.
KERNEL(sinkhorn_scale)
(u32 query_bins, GLOBAL const u32* starts, GLOBAL const u32* turned, GLOBAL double* kernels,
 GLOBAL double* vectors, double tolerance, u32 iterations, GLOBAL u32* states) {
  LOCAL(double, errors, MOST_ITEMS);
  if (states[GROUP] != RUNNING) return;
  const Pair pair = pair_of(GROUP, query_bins, starts, turned, kernels, vectors);
  for (u32 iteration = 0; iteration < iterations; ++iteration) {
    double error = 0.0;
    for (u32 i = ITEM; i < pair.first; i += ITEMS) {
      const double sum =
          scaled_sum(pair.to_first + i, pair.first, pair.second_scaling, pair.second);
      const double missing = pair.first_scaling[i] * sum - pair.first_weights[i];
      error = error + (missing < 0.0 ? -missing : missing);
      pair.first_scaling[i] = pair.first_weights[i] / sum;
    }
    errors[ITEM] = error;
    BARRIER_ALL;
    for (u32 apart = ITEMS / 2u; apart > 0u; apart /= 2u) {
      if (ITEM < apart) errors[ITEM] = errors[ITEM] + errors[ITEM + apart];
      BARRIER;
    }
    const double all = errors[0];
    for (u32 i = ITEM; i < pair.second; i += ITEMS) {
      const double sum =
          scaled_sum(pair.to_second + i, pair.second, pair.first_scaling, pair.first);
      pair.second_scaling[i] = pair.second_weights[i] / sum;
    }
    BARRIER_ALL;
    if (all <= tolerance) {
      if (ITEM == 0u) states[GROUP] = CONVERGED;
      return;
    }
  }
}

// The cost of each pair's plan, added up by first and second side, so that it does not show which
// of them is the query.
KERNEL(sinkhorn_costs)
(GLOBAL const float* squares, u32 query_bins, GLOBAL const u32* starts, GLOBAL const u32* turned,
 GLOBAL double* kernels, GLOBAL double* vectors, GLOBAL const u32* states, GLOBAL double* costs) {
  LOCAL(double, sums, MOST_ITEMS);
  const u32 begin = starts[GROUP];
  const u32 state = states[GROUP];
  if (state == OUT_OF_RANGE || state == NOTHING_TO_MOVE) {
    if (ITEM == 0u) costs[GROUP] = 0.0;
    return;
  }
  GLOBAL const float* own = squares + (u64)begin * query_bins;
  const Pair pair = pair_of(GROUP, query_bins, starts, turned, kernels, vectors);
  const u32 query_first = turned[GROUP];
  double cost = 0.0;
  for (u32 j = ITEM; j < pair.second; j += ITEMS) {
    double sum = 0.0;
    for (u32 i = 0; i < pair.first; ++i) {
      const double mass = pair.to_second[(u64)i * pair.second + j] * pair.first_scaling[i];
      const u64 at = query_first != 0u ? (u64)j * query_bins + i : (u64)i * query_bins + j;
      sum = FUSED_DOUBLE(mass, (double)rooted(own[at]), sum);
    }
    cost = FUSED_DOUBLE(pair.second_scaling[j], sum, cost);
  }
  sums[ITEM] = cost;
  BARRIER;
  for (u32 apart = ITEMS / 2u; apart > 0u; apart /= 2u) {
    if (ITEM < apart) sums[ITEM] = sums[ITEM] + sums[ITEM + apart];
    BARRIER;
  }
  if (ITEM == 0u) costs[GROUP] = sums[0];
}

#endif
