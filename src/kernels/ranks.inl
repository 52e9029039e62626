// Phase 1 for small supports: the nearest bins by their places among the sorted neighbours of a
// coordinate. Places have no ties and fit into 16 bits, so that sorting them needs no weights
// carried along. Lanes are coordinates.

// The sorted levels of one vector of coordinates, in registers.
template <std::size_t levels>
HWY_INLINE void some_ranks(const std::uint16_t* slab, const std::uint32_t* words, std::size_t count,
                           std::size_t k, std::uint16_t* planes) {
  for (std::size_t lane = 0; lane < slab_rows; lane += short_width) {
    ShortVector sorted[levels];
    for (std::size_t l = 0; l < levels; ++l) sorted[l] = hn::Set(shorts, no_rank);
    for (std::size_t bin = 0; bin < count; ++bin) {
      const ShortVector rank = load(slab + words[bin] * slab_rows + lane);
      for (std::size_t l = levels - 1; l > 0; --l) {
        sorted[l] = hn::Max(sorted[l - 1], hn::Min(rank, sorted[l]));
      }
      sorted[0] = hn::Min(rank, sorted[0]);
    }
    for (std::size_t l = 0; l < levels && l < k; ++l) {
      hn::StoreU(sorted[l], shorts, planes + l * slab_rows + lane);
    }
  }
}

// Any number of levels, kept in the planes: each takes the smaller and hands on the larger.
HWY_INLINE void many_ranks(const std::uint16_t* slab, const std::uint32_t* words, std::size_t count,
                           std::size_t k, std::uint16_t* planes) {
  for (std::size_t lane = 0; lane < slab_rows; lane += short_width) {
    std::uint16_t* levels = planes + lane;
    for (std::size_t l = 0; l < k; ++l) {
      hn::StoreU(hn::Set(shorts, no_rank), shorts, levels + l * slab_rows);
    }
    for (std::size_t bin = 0; bin < count; ++bin) {
      ShortVector rank = load(slab + words[bin] * slab_rows + lane);
      for (std::size_t l = 0; l < k; ++l) {
        std::uint16_t* level = levels + l * slab_rows;
        const ShortVector kept = load(level);
        hn::StoreU(hn::Min(kept, rank), shorts, level);
        rank = hn::Max(kept, rank);
      }
    }
  }
}

void k_smallest_ranks(const std::uint16_t* slab, const std::uint32_t* words, std::size_t count,
                      std::size_t k, std::uint16_t* planes) noexcept {
  if (k == 1) {
    some_ranks<1>(slab, words, count, k, planes);
  } else if (k == 2) {
    some_ranks<2>(slab, words, count, k, planes);
  } else if (k <= 4) {
    some_ranks<4>(slab, words, count, k, planes);
  } else if (k <= 8) {
    some_ranks<8>(slab, words, count, k, planes);
  } else if (k <= 16) {
    some_ranks<16>(slab, words, count, k, planes);
  } else {
    many_ranks(slab, words, count, k, planes);
  }
}
