// The ground distance: squares of Euclidean distances between coordinates, tile by tile, with the
// bits of backends/ground/ground.hpp; and every coordinate's neighbours in order.

// The square of the distance of two coordinates whose product is at hand. Where the difference of
// the large numbers has lost their digits, it is computed from the coordinates.
FUNCTION float squared(GLOBAL const float* a, GLOBAL const float* b, u32 dimensions, float norms,
                       float dot, float largest) {
  float square = FUSED(dot, -2.0f, norms);
  square = square > 0.0f ? square : 0.0f;
  if (!(square >= norms * 0.25f)) {
    square = 0.0f;
    for (u32 d = 0; d < dimensions; ++d) {
      const float difference = a[d] - b[d];
      square = FUSED(difference, difference, square);
    }
  }
  return square < largest ? square : largest;
}

#if LEVELS == 0

// norms[i]: the squared length of coordinate i.
KERNEL(squared_norms)
(GLOBAL const float* coordinates, u32 dimensions, u32 count, GLOBAL float* norms) {
  const u32 id = GROUP * ITEMS + ITEM;
  if (id >= count) return;
  GLOBAL const float* x = coordinates + (u64)id * dimensions;
  float sum = 0.0f;
  for (u32 d = 0; d < dimensions; ++d) sum = FUSED(x[d], x[d], sum);
  norms[id] = sum;
}

#define TILE 64u
#define DEPTH 16u
#define PITCH (TILE + 4u)  // so that few items write to the same bank of local memory at once
#define MICRO_TILES 256u  // of 4 x 4

// Neighbours in local memory, read at once.
typedef struct ALIGNED(16) {
  float of[4];
} Four;

// out[out_first + b * stride + a] = the squared distance of coordinates a_ids[a] and b_ids[b]. A
// group fills a tile of 64 x 64; its items are at most as many as there are micro tiles.
KERNEL(squares)
(GLOBAL const float* coordinates, u32 dimensions, GLOBAL const float* norms, float largest,
 GLOBAL const u32* a_ids, u32 a_first, u32 a_count, GLOBAL const u32* b_ids, u32 b_first,
 u32 b_count, GLOBAL float* out, u64 out_first, u32 stride) {
  LOCAL(Four, a_tile, PITCH* DEPTH / 4u);  // [dimension][coordinate]
  LOCAL(Four, b_tile, PITCH* DEPTH / 4u);
  const u32 a_begin = GROUP * TILE;
  const u32 b_begin = GROUP_Y * TILE;
  for (u32 micro = ITEM; micro < MICRO_TILES; micro += ITEMS) {
    const u32 a_place = micro % 16u;  // in fours
    const u32 b_place = micro / 16u;
    float dots[16];
    UNROLL for (u32 i = 0; i < 16u; ++i) dots[i] = 0.0f;
    for (u32 first = 0; first < dimensions; first += DEPTH) {
      const u32 depth = dimensions - first < DEPTH ? dimensions - first : DEPTH;
      for (u32 i = ITEM; i < TILE * DEPTH; i += ITEMS) {
        const u32 place = i / DEPTH;
        const u32 d = i % DEPTH;
        const u32 a = a_begin + place;
        const u32 b = b_begin + place;
        a_tile[d * (PITCH / 4u) + place / 4u].of[place % 4u] =
            a < a_count && d < depth
                ? coordinates[(u64)a_ids[a_first + a] * dimensions + first + d]
                : 0.0f;
        b_tile[d * (PITCH / 4u) + place / 4u].of[place % 4u] =
            b < b_count && d < depth
                ? coordinates[(u64)b_ids[b_first + b] * dimensions + first + d]
                : 0.0f;
      }
      BARRIER;
      for (u32 d = 0; d < depth; ++d) {
        const Four x = a_tile[d * (PITCH / 4u) + a_place];
        const Four y = b_tile[d * (PITCH / 4u) + b_place];
        UNROLL for (u32 j = 0; j < 4u; ++j) {
          UNROLL for (u32 i = 0; i < 4u; ++i) {
            dots[4u * j + i] = FUSED(x.of[i], y.of[j], dots[4u * j + i]);
          }
        }
      }
      BARRIER;
    }
    UNROLL for (u32 j = 0; j < 4u; ++j) {
      UNROLL for (u32 i = 0; i < 4u; ++i) {
        const u32 a = a_begin + 4u * a_place + i;
        const u32 b = b_begin + 4u * b_place + j;
        if (a < a_count && b < b_count) {
          const u32 a_id = a_ids[a_first + a];
          const u32 b_id = b_ids[b_first + b];
          out[out_first + (u64)b * stride + a] =
              a_id == b_id
                  ? 0.0f
                  : squared(coordinates + (u64)a_id * dimensions,
                            coordinates + (u64)b_id * dimensions, dimensions,
                            norms[a_id] + norms[b_id], dots[4u * j + i], largest);
        }
      }
    }
  }
}

// Sorts so many keys, a power of two, by all items of a group. A barrier comes before and after.
FUNCTION void sort_keys(GLOBAL u64* keys, u32 size) {
  BARRIER_ALL;
  for (u32 width = 2; width <= size; width *= 2u) {
    for (u32 apart = width / 2u; apart > 0u; apart /= 2u) {
      for (u32 i = ITEM; i < size / 2u; i += ITEMS) {
        const u32 low = 2u * i - (i & (apart - 1u));
        const u32 high = low + apart;
        const u64 a = keys[low];
        const u64 b = keys[high];
        if ((a > b) == ((low & width) == 0u)) {
          keys[low] = b;
          keys[high] = a;
        }
      }
      BARRIER_ALL;
    }
  }
}

// The neighbours of a coordinate, the nearest first and ties by number, where `squares` holds all
// squared distances. One group for each of the coordinates from `first` on; `padded`, the keys that
// a group has to work with, is a power of two.
KERNEL(sort_neighbours)
(GLOBAL const float* squares, u32 size, u32 first, u32 padded, GLOBAL u64* scratch,
 GLOBAL Neighbour* neighbours) {
  const u32 id = first + GROUP;
  GLOBAL u64* keys = scratch + (u64)GROUP * padded;
  for (u32 other = ITEM; other < padded; other += ITEMS) {
    keys[other] = other < size
                      ? (u64)AS_UINT(squares[(u64)id * size + other]) << 32 | (u64)other
                      : ~(u64)0;
  }
  sort_keys(keys, padded);
  for (u32 rank = ITEM; rank < size; rank += ITEMS) {
    Neighbour found;
    found.coordinate = (u32)keys[rank];
    found.distance = rooted(AS_FLOAT((u32)(keys[rank] >> 32)));
    neighbours[(u64)id * size + rank] = found;
  }
}

#endif
