// Both directions of a tile of pairs, and the lists of nearest rows that it is offered to.
#if LEVELS == 0

#define SQUARE 32u
#define TAKE_LARGER 0u  // both: the larger of the two costs
#define EXCHANGE 1u     // each takes the other's cost
#define COPY 2u         // `theirs` takes what is in `ours`

// ours[i][j] and theirs[j][i], `columns` apart, are the costs of one pair in its two directions. A
// group for each square of 32 x 32 pairs, turned through local memory so that both are read and
// written along their rows.
KERNEL(combine)
(GLOBAL float* ours, GLOBAL float* theirs, u32 i_count, u32 j_count, u32 columns, u32 how) {
  LOCAL(float, turned, SQUARE * (SQUARE + 1u));
  LOCAL(float, kept, SQUARE * (SQUARE + 1u));
  const u32 i_first = GROUP_Y * SQUARE;
  const u32 j_first = GROUP * SQUARE;
  for (u32 place = ITEM; place < SQUARE * SQUARE; place += ITEMS) {
    const u32 slow = place / SQUARE;
    const u32 fast = place % SQUARE;
    if (j_first + slow < j_count && i_first + fast < i_count) {
      turned[fast * (SQUARE + 1u) + slow] =
          theirs[(u64)(j_first + slow) * columns + i_first + fast];
    }
  }
  BARRIER;
  for (u32 place = ITEM; place < SQUARE * SQUARE; place += ITEMS) {
    const u32 slow = place / SQUARE;
    const u32 fast = place % SQUARE;
    if (i_first + slow < i_count && j_first + fast < j_count) {
      const u64 at = (u64)(i_first + slow) * columns + j_first + fast;
      const float own = ours[at];
      const float other = turned[slow * (SQUARE + 1u) + fast];
      const float larger = own > other ? own : other;
      ours[at] = how == TAKE_LARGER ? larger : how == EXCHANGE ? other : own;
      kept[slow * (SQUARE + 1u) + fast] = how == TAKE_LARGER ? larger : own;
    }
  }
  BARRIER;
  for (u32 place = ITEM; place < SQUARE * SQUARE; place += ITEMS) {
    const u32 slow = place / SQUARE;
    const u32 fast = place % SQUARE;
    if (j_first + slow < j_count && i_first + fast < i_count) {
      theirs[(u64)(j_first + slow) * columns + i_first + fast] =
          kept[fast * (SQUARE + 1u) + slow];
    }
  }
}

// Offers distances[list][candidate] to lists of the `top` smallest keys (bits of the distance, then
// the candidate's number), in order. A group for each list from first_list on; candidates are
// numbered from first_candidate on. Keys are unique, so the order in which they arrive cannot show.
// Only keys below limits[list] count, and only candidates with wanted != 0. `scratch` has `room`
// keys for each group: the least power of two that holds a list and all candidates.
KERNEL(update_lists)
(GLOBAL const float* distances, u32 columns, u32 first_list, u32 first_candidate,
 u32 candidates, GLOBAL const u32* wanted, GLOBAL const u64* limits, GLOBAL u64* lists,
 u32 top, GLOBAL u64* scratch, u32 room) {
  LOCAL(u32, count, 1);
  const u32 own = first_list + GROUP;
  GLOBAL u64* list = lists + (u64)own * top;
  GLOBAL u64* keys = scratch + (u64)GROUP * room;
  const u64 last = list[top - 1u];
  const u64 limit = limits[own] < last ? limits[own] : last;
  if (ITEM == 0u) count[0] = 0u;
  BARRIER_ALL;
  for (u32 i = ITEM; i < candidates; i += ITEMS) {
    const u32 candidate = first_candidate + i;
    const float distance = distances[(u64)GROUP * columns + i];
    const u64 key = (u64)AS_UINT(distance) << 32 | (u64)candidate;
    if (key < limit && candidate != own && wanted[candidate] != 0u) {
      keys[NEXT_PLACE(&count[0])] = key;
    }
  }
  BARRIER_ALL;
  const u32 found = count[0];
  if (found == 0u) return;
  u32 size = 1;
  while (size < found + top) size *= 2u;
  for (u32 i = found + ITEM; i < size; i += ITEMS) {
    keys[i] = i < found + top ? list[i - found] : ~(u64)0;
  }
  sort_keys(keys, size);
  for (u32 i = ITEM; i < top; i += ITEMS) list[i] = keys[i];
}

#endif
