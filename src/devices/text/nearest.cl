// Phase 1: for every coordinate the nearest bins of queries, as tables
// [block of queries][coordinate][plane][lane]: plane 0 is the nearest distance, planes 2l - 1 and
// 2l are the capacity of the bins before level l and the step to it. Of the LEVELS that a table has
// room for, a measure charges `levels`; the steps of the others are 0, which changes no sum.
#if LEVELS > 0

#define PLANES (2u * LEVELS - 1u)

// Writes what was picked for one coordinate and lane. Beyond the bins that a query has, steps are
// 0. `only_at_zero`: what overflows pays only where the nearest distance is 0.
FUNCTION void put_levels(GLOBAL float* table, u32 lanes, const float* squares,
                         const float* weights, u32 found, u32 only_at_zero) {
  float reached = 0.0f;
  float filled = 0.0f;
  u32 pays = 1u;
  UNROLL for (u32 level = 0; level < LEVELS; ++level) {
    float step = 0.0f;
    const float capacity = filled;
    if (level < found) {
      const float distance = rooted(squares[level]);
      step = pays != 0u ? distance - reached : 0.0f;
      reached = distance;
      filled = filled + weights[level];
      if (level == 0u && only_at_zero != 0u) pays = reached == 0.0f ? 1u : 0u;
    }
    if (level > 0u) table[(2u * level - 1u) * lanes] = capacity;
    table[2u * level * lanes] = step;
  }
}

// Keeps the LEVELS smallest squares in order; ties stay with the bin that came first.
FUNCTION void insert(float square, float weight, float* squares, float* weights) {
  if (!(square < squares[LEVELS - 1])) return;
  UNROLL for (int level = LEVELS - 1; level > 0; --level) {
    if (square < squares[level - 1]) {
      squares[level] = squares[level - 1];
      weights[level] = weights[level - 1];
    } else if (square < squares[level]) {
      squares[level] = square;
      weights[level] = weight;
    }
  }
  if (square < squares[0]) {
    squares[0] = square;
    weights[0] = weight;
  }
}

FUNCTION void start(float* squares, float* weights) {
  UNROLL for (u32 level = 0; level < LEVELS; ++level) {
    squares[level] = INFINITE;
    weights[level] = 0.0f;
  }
}

// The same from sorted neighbours: those of one coordinate are looked through until `wanted` bins
// are found. Weights by coordinate, `apart` from each other, are below 0 where there is no bin.
FUNCTION void put_sorted(GLOBAL const Neighbour* sorted, GLOBAL const float* present, u32 apart,
                         u32 wanted, u32 only_at_zero, GLOBAL float* table, u32 lanes) {
  float reached = 0.0f;
  float filled = 0.0f;
  u32 pays = 1u;
  u32 level = 0;
  for (u32 rank = 0; level < wanted; ++rank) {
    const Neighbour near = sorted[rank];
    const float weight = present[(u64)near.coordinate * apart];
    if (weight < 0.0f) continue;
    if (level > 0u) table[(2u * level - 1u) * lanes] = filled;
    table[2u * level * lanes] = pays != 0u ? near.distance - reached : 0.0f;
    reached = near.distance;
    filled = filled + weight;
    if (level == 0u && only_at_zero != 0u) pays = reached == 0.0f ? 1u : 0u;
    ++level;
  }
  for (; level < LEVELS; ++level) {
    if (level > 0u) table[(2u * level - 1u) * lanes] = filled;
    table[2u * level * lanes] = 0.0f;
  }
}

// From sorted neighbours, for small supports. A group for each coordinate, an item for each lane;
// weights[block][coordinate][lane] are below 0 where a query has no such bin.
KERNEL(pick_sorted)
(GLOBAL const Neighbour* neighbours, u32 size, GLOBAL const float* weights,
 GLOBAL const u64* offsets, u32 first_query, u32 queries, u32 lanes, u32 levels,
 u32 only_at_zero, GLOBAL float* tables) {
  const u64 entry = (u64)GROUP_Y * size + GROUP;
  GLOBAL const float* present = weights + (u64)GROUP_Y * size * lanes;
  for (u32 lane = ITEM; lane < lanes; lane += ITEMS) {
    const u32 query = first_query + GROUP_Y * lanes + lane;
    const u32 bins =
        query < first_query + queries ? (u32)(offsets[query + 1u] - offsets[query]) : 0u;
    put_sorted(neighbours + (u64)GROUP * size, present + lane, lanes,
               bins < levels ? bins : levels, only_at_zero, tables + entry * PLANES * lanes + lane,
               lanes);
  }
}

// From a stripe of squared distances, [word][coordinate of the stripe], for batches over large
// vocabularies: places[bin] is the word of a bin, counted from the first bin of the batch. An item
// for each coordinate, a row of groups for each query.
KERNEL(pick)
(GLOBAL const float* squares, u32 stride, u32 first, u32 count, u32 size,
 GLOBAL const u64* offsets, GLOBAL const Bin* bins, GLOBAL const u32* places, u32 first_query,
 u32 lanes, u32 levels, u32 only_at_zero, GLOBAL float* tables) {
  const u32 column = GROUP * ITEMS + ITEM;
  if (column >= count) return;
  const u64 batch = offsets[first_query];
  const u64 begin = offsets[first_query + GROUP_Y];
  const u64 end = offsets[first_query + GROUP_Y + 1u];
  float nearest[LEVELS];
  float weights[LEVELS];
  start(nearest, weights);
  for (u64 bin = begin; bin < end; ++bin) {
    const float square = squares[(u64)places[bin - batch] * stride + column];
    insert(square, bins[bin].weight, nearest, weights);
  }
  const u64 entry = (u64)(GROUP_Y / lanes) * size + first + column;
  put_levels(tables + entry * PLANES * lanes + GROUP_Y % lanes, lanes, nearest, weights,
             end - begin < levels ? (u32)(end - begin) : levels, only_at_zero);
}

#define FUSED_ITEMS 64u
#define FUSED_BINS 8u
#define FUSED_DEPTH 16u
#define FUSED_PITCH (FUSED_ITEMS + 1u)  // so that items write to different banks of local memory

// Distances and picking in one, for few queries: nothing is stored but the tables. An item for each
// coordinate, at most 64 in a group; a row of groups for each query.
KERNEL(pick_fused)
(GLOBAL const float* coordinates, u32 dimensions, GLOBAL const float* norms, float largest,
 u32 size, GLOBAL const u64* offsets, GLOBAL const Bin* bins, u32 first_query, u32 lanes,
 u32 levels, u32 only_at_zero, GLOBAL float* tables) {
  LOCAL(float, own_tile, FUSED_PITCH* FUSED_DEPTH);
  LOCAL(float, bin_tile, FUSED_BINS* FUSED_DEPTH);
  const u32 begin_id = GROUP * ITEMS;
  const u32 id = begin_id + ITEM;
  const u64 begin = offsets[first_query + GROUP_Y];
  const u64 end = offsets[first_query + GROUP_Y + 1u];
  float nearest[LEVELS];
  float weights[LEVELS];
  start(nearest, weights);
  for (u64 some = begin; some < end; some += FUSED_BINS) {
    const u32 present = end - some < FUSED_BINS ? (u32)(end - some) : FUSED_BINS;
    float dots[FUSED_BINS];
    UNROLL for (u32 i = 0; i < FUSED_BINS; ++i) dots[i] = 0.0f;
    for (u32 d0 = 0; d0 < dimensions; d0 += FUSED_DEPTH) {
      const u32 depth = dimensions - d0 < FUSED_DEPTH ? dimensions - d0 : FUSED_DEPTH;
      for (u32 i = ITEM; i < ITEMS * FUSED_DEPTH; i += ITEMS) {
        const u32 place = i / FUSED_DEPTH;
        const u32 d = i % FUSED_DEPTH;
        own_tile[d * FUSED_PITCH + place] =
            begin_id + place < size && d < depth
                ? coordinates[(u64)(begin_id + place) * dimensions + d0 + d]
                : 0.0f;
      }
      for (u32 i = ITEM; i < FUSED_BINS * FUSED_DEPTH; i += ITEMS) {
        const u32 place = i / FUSED_DEPTH;
        const u32 d = i % FUSED_DEPTH;
        bin_tile[i] = place < present && d < depth
                          ? coordinates[(u64)COORDINATE(bins[some + place]) * dimensions + d0 + d]
                          : 0.0f;
      }
      BARRIER;
      for (u32 d = 0; d < depth; ++d) {
        const float x = own_tile[d * FUSED_PITCH + ITEM];
        UNROLL for (u32 i = 0; i < FUSED_BINS; ++i) {
          dots[i] = FUSED(x, bin_tile[i * FUSED_DEPTH + d], dots[i]);
        }
      }
      BARRIER;
    }
    UNROLL for (u32 i = 0; i < FUSED_BINS; ++i) {
      if (id < size && i < present) {
        const u32 other = COORDINATE(bins[some + i]);
        const float square = id == other ? 0.0f
                                         : squared(coordinates + (u64)id * dimensions,
                                                   coordinates + (u64)other * dimensions,
                                                   dimensions, norms[id] + norms[other], dots[i],
                                                   largest);
        insert(square, bins[some + i].weight, nearest, weights);
      }
    }
  }
  if (id >= size) return;
  const u64 entry = (u64)(GROUP_Y / lanes) * size + id;
  put_levels(tables + entry * PLANES * lanes + GROUP_Y % lanes, lanes, nearest, weights,
             end - begin < levels ? (u32)(end - begin) : levels, only_at_zero);
}

#else

// Weights of queries by coordinate, [block][coordinate][lane], over memory that holds what stands
// for absent bins. A group for each query.
KERNEL(spread)
(GLOBAL const u64* offsets, GLOBAL const Bin* bins, u32 first_query, u32 lanes, u32 size,
 GLOBAL float* weights) {
  const u64 begin = offsets[first_query + GROUP];
  const u64 end = offsets[first_query + GROUP + 1u];
  GLOBAL float* lane = weights + (u64)(GROUP / lanes) * size * lanes + GROUP % lanes;
  for (u64 bin = begin + ITEM; bin < end; bin += ITEMS) {
    lane[(u64)COORDINATE(bins[bin]) * lanes] = bins[bin].weight;
  }
}

#endif
