// bow and wcd, in double and with the sums of backends/cpu/baselines, to the bit.
#if LEVELS == 0 && defined(HAS_DOUBLES)

// The squared length of each of the histograms from `first` on: an item for each.
KERNEL(squared_lengths)
(GLOBAL const u64* offsets, GLOBAL const Bin* bins, u32 first, u32 count,
 GLOBAL double* lengths) {
  const u32 i = GROUP * ITEMS + ITEM;
  if (i >= count) return;
  double piece = 0.0;
  double total = 0.0;
  const u64 end = offsets[first + i + 1u];
  for (u64 place = offsets[first + i]; place < end; ++place) {
    const Bin bin = bins[place];
    piece = FUSED_DOUBLE((double)bin.weight, (double)bin.weight, piece);
    if (ENDS_PIECE(bin)) {
      total = total + piece;
      piece = 0.0;
    }
  }
  lengths[i] = total;
}

// 1 - cosine of rows and queries, whose weights are spread out by coordinate, 0 where absent. A
// group for each row, a row of groups for each block of queries.
KERNEL(bow_costs)
(GLOBAL const u64* offsets, GLOBAL const Bin* bins, u32 first_row, GLOBAL const float* weights,
 u32 size, u32 lanes, GLOBAL const double* row_lengths, GLOBAL const double* query_lengths,
 u32 queries, GLOBAL float* costs, u32 columns) {
  const u64 begin = offsets[first_row + GROUP];
  const u64 end = offsets[first_row + GROUP + 1u];
  GLOBAL const float* table = weights + (u64)GROUP_Y * size * lanes;
  for (u32 lane = ITEM; lane < lanes; lane += ITEMS) {
    const u32 query = GROUP_Y * lanes + lane;
    if (query < queries) {
      double piece = 0.0;
      double total = 0.0;
      for (u64 place = begin; place < end; ++place) {
        const Bin bin = bins[place];
        const double other = (double)table[(u64)COORDINATE(bin) * lanes + lane];
        piece = FUSED_DOUBLE((double)bin.weight, other, piece);
        if (ENDS_PIECE(bin)) {
          total = total + piece;
          piece = 0.0;
        }
      }
      const double square = row_lengths[first_row + GROUP] * query_lengths[query];
      const double cosine = ROOT_DOUBLE(total * total / square);
      costs[(u64)GROUP * columns + query] = (float)(cosine < 1.0 ? 1.0 - cosine : 0.0);
    }
  }
}

// The weighted mean of the coordinates of each of the histograms from `first` on: a group for each.
KERNEL(centroids)
(GLOBAL const float* coordinates, u32 dimensions, GLOBAL const u64* offsets,
 GLOBAL const Bin* bins, u32 first, GLOBAL double* out) {
  const u64 begin = offsets[first + GROUP];
  const u64 end = offsets[first + GROUP + 1u];
  for (u32 d = ITEM; d < dimensions; d += ITEMS) {
    double sum = 0.0;
    double mass = 0.0;
    for (u64 place = begin; place < end; ++place) {
      const Bin bin = bins[place];
      const double weight = (double)bin.weight;
      const double x = (double)coordinates[(u64)COORDINATE(bin) * dimensions + d];
      mass = mass + weight;
      sum = sum + weight * x;
    }
    out[(u64)GROUP * dimensions + d] = mass > 0.0 ? sum / mass : sum;
  }
}

// The distances of the centroids of rows and queries. A group for each row.
KERNEL(wcd_costs)
(GLOBAL const double* rows, u32 first_row, GLOBAL const double* queries, u32 first_query,
 u32 query_count, u32 dimensions, GLOBAL float* costs, u32 columns) {
  GLOBAL const double* own = rows + (u64)(first_row + GROUP) * dimensions;
  for (u32 query = ITEM; query < query_count; query += ITEMS) {
    GLOBAL const double* other = queries + (u64)(first_query + query) * dimensions;
    double sum = 0.0;
    for (u32 d = 0; d < dimensions; ++d) {
      const double difference = own[d] - other[d];
      sum = sum + difference * difference;
    }
    costs[(u64)GROUP * columns + query] = (float)ROOT_DOUBLE(sum);
  }
}

#endif
