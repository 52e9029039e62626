// Phases 2 and 3: the cost of moving rows into queries by their tables, and of one query into rows.
#if LEVELS > 0

// What an item has of a plane, read at once: lanes begin at multiples of WIDTH.
typedef struct ALIGNED(4 * WIDTH) {
  float of[WIDTH];
} Lanes;

#define LANES(place) (*(GLOBAL const Lanes*)(place))

// costs[row - first_row][query] of the rows from `first_row` on, a group for each, into blocks of
// queries side by side, a row of groups for each block. An item has WIDTH lanes.
KERNEL(row_costs)
(GLOBAL const u64* offsets, GLOBAL const Bin* bins, u32 first_row, GLOBAL const float* tables,
 u32 size, u32 lanes, GLOBAL float* costs, u32 columns) {
  const u64 begin = offsets[first_row + GROUP];
  const u64 end = offsets[first_row + GROUP + 1u];
  GLOBAL const float* table = tables + (u64)GROUP_Y * size * PLANES * lanes;
  GLOBAL float* out = costs + (u64)GROUP * columns + GROUP_Y * lanes;
  for (u32 lane = ITEM * WIDTH; lane < lanes; lane += ITEMS * WIDTH) {
    float piece[LEVELS][WIDTH];
    float total[LEVELS][WIDTH];
    UNROLL for (u32 level = 0; level < LEVELS; ++level) {
      UNROLL for (u32 i = 0; i < WIDTH; ++i) {
        piece[level][i] = 0.0f;
        total[level][i] = 0.0f;
      }
    }
    for (u64 place = begin; place < end; ++place) {
      const Bin bin = bins[place];
      GLOBAL const float* entry = table + (u64)COORDINATE(bin) * PLANES * lanes + lane;
      const Lanes nearest = LANES(entry);
      UNROLL for (u32 i = 0; i < WIDTH; ++i) {
        piece[0][i] = FUSED(nearest.of[i], bin.weight, piece[0][i]);
      }
      UNROLL for (u32 level = 1; level < LEVELS; ++level) {
        const Lanes capacities = LANES(entry + (2u * level - 1u) * lanes);
        const Lanes steps = LANES(entry + 2u * level * lanes);
        UNROLL for (u32 i = 0; i < WIDTH; ++i) {
          const float over = bin.weight - capacities.of[i];
          piece[level][i] = FUSED(steps.of[i], over > 0.0f ? over : 0.0f, piece[level][i]);
        }
      }
      if (ENDS_PIECE(bin)) {
        UNROLL for (u32 level = 0; level < LEVELS; ++level) {
          UNROLL for (u32 i = 0; i < WIDTH; ++i) {
            total[level][i] = total[level][i] + piece[level][i];
            piece[level][i] = 0.0f;
          }
        }
      }
    }
    UNROLL for (u32 i = 0; i < WIDTH; ++i) {
      float cost = total[0][i];
      UNROLL for (u32 level = 1; level < LEVELS; ++level) cost = cost + total[level][i];
      out[lane + i] = cost;
    }
  }
}

// The same for one query in a table of one lane: an item for each row.
KERNEL(row_costs_of_one)
(GLOBAL const u64* offsets, GLOBAL const Bin* bins, u32 rows, GLOBAL const float* table,
 GLOBAL float* costs) {
  const u32 row = GROUP * ITEMS + ITEM;
  if (row >= rows) return;
  float piece[LEVELS];
  float total[LEVELS];
  UNROLL for (u32 level = 0; level < LEVELS; ++level) {
    piece[level] = 0.0f;
    total[level] = 0.0f;
  }
  const u64 end = offsets[row + 1u];
  for (u64 place = offsets[row]; place < end; ++place) {
    const Bin bin = bins[place];
    GLOBAL const float* entry = table + (u64)COORDINATE(bin) * PLANES;
    piece[0] = FUSED(entry[0], bin.weight, piece[0]);
    UNROLL for (u32 level = 1; level < LEVELS; ++level) {
      const float over = bin.weight - entry[2u * level - 1u];
      piece[level] = FUSED(entry[2u * level], over > 0.0f ? over : 0.0f, piece[level]);
    }
    if (ENDS_PIECE(bin)) {
      UNROLL for (u32 level = 0; level < LEVELS; ++level) {
        total[level] = total[level] + piece[level];
        piece[level] = 0.0f;
      }
    }
  }
  float cost = total[0];
  UNROLL for (u32 level = 1; level < LEVELS; ++level) cost = cost + total[level];
  costs[row] = cost;
}

// The cost of moving a query by what was picked for its bins, [plane][bin], by all items of a
// group: each has some of the levels, the first adds them up. A barrier comes first.
FUNCTION void add_levels(GLOBAL const Bin* query, u32 bins, GLOBAL const float* picked, u32 stride,
                         LOCAL_POINTER float* totals, GLOBAL float* cost) {
  BARRIER_ALL;
  for (u32 level = ITEM; level < LEVELS; level += ITEMS) {
    float piece = 0.0f;
    float total = 0.0f;
    for (u32 place = 0; place < bins; ++place) {
      const Bin bin = query[place];
      const float capacity = level > 0u ? picked[(2u * level - 1u) * stride + place] : 0.0f;
      const float over = bin.weight - capacity;
      piece = FUSED(picked[2u * level * stride + place], over > 0.0f ? over : 0.0f, piece);
      if (ENDS_PIECE(bin)) {
        total = total + piece;
        piece = 0.0f;
      }
    }
    totals[level] = total;
  }
  BARRIER;
  if (ITEM == 0u) {
    float sum = totals[0];
    for (u32 level = 1; level < LEVELS; ++level) sum = sum + totals[level];
    *cost = sum;
  }
}

// costs[i] of moving one query into the i-th of some rows, whose bins stand one after the other
// from starts[i] on; squares[bin of the rows][bin of the query]. A group for each row; `scratch`
// has room for what each group picks, PLANES * stride.
KERNEL(query_costs)
(GLOBAL const float* squares, u32 stride, GLOBAL const Bin* bins, u64 query_first, u32 query_bins,
 GLOBAL const u32* starts, GLOBAL const float* row_weights, u32 levels, u32 only_at_zero,
 GLOBAL float* scratch, GLOBAL float* costs) {
  LOCAL(float, totals, LEVELS);
  const u32 begin = starts[GROUP];
  const u32 end = starts[GROUP + 1u];
  GLOBAL float* picked = scratch + (u64)GROUP * PLANES * stride;
  for (u32 bin = ITEM; bin < query_bins; bin += ITEMS) {
    float nearest[LEVELS];
    float weights[LEVELS];
    start(nearest, weights);
    for (u32 place = begin; place < end; ++place) {
      insert(squares[(u64)place * stride + bin], row_weights[place], nearest, weights);
    }
    put_levels(picked + bin, stride, nearest, weights, end - begin < levels ? end - begin : levels,
               only_at_zero);
  }
  add_levels(bins + query_first, query_bins, picked, stride, totals, costs + GROUP);
}

// The same over a small support, from sorted neighbours: rows[i] is the number of the i-th row.
// `spread` has room for a weight for each coordinate in each group.
KERNEL(query_costs_sorted)
(GLOBAL const Neighbour* neighbours, u32 size, GLOBAL const Bin* bins, u64 query_first,
 u32 query_bins, GLOBAL const u64* offsets, GLOBAL const Bin* row_bins, GLOBAL const u32* rows,
 u32 levels, u32 only_at_zero, GLOBAL float* spread, GLOBAL float* scratch, u32 stride,
 GLOBAL float* costs) {
  LOCAL(float, totals, LEVELS);
  const u64 begin = offsets[rows[GROUP]];
  const u64 end = offsets[rows[GROUP] + 1u];
  GLOBAL float* present = spread + (u64)GROUP * size;
  GLOBAL float* picked = scratch + (u64)GROUP * PLANES * stride;
  for (u32 i = ITEM; i < size; i += ITEMS) present[i] = -1.0f;
  BARRIER_ALL;
  for (u64 place = begin + ITEM; place < end; place += ITEMS) {
    present[COORDINATE(row_bins[place])] = row_bins[place].weight;
  }
  BARRIER_ALL;
  const u32 wanted = end - begin < levels ? (u32)(end - begin) : levels;
  for (u32 bin = ITEM; bin < query_bins; bin += ITEMS) {
    const u32 coordinate = COORDINATE(bins[query_first + bin]);
    put_sorted(neighbours + (u64)coordinate * size, present, 1u, wanted, only_at_zero, picked + bin,
               stride);
  }
  add_levels(bins + query_first, query_bins, picked, stride, totals, costs + GROUP);
}

#endif
