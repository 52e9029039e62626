// Phase 1 for large vocabularies: squared distances and the nearest bins of each coordinate. Lanes
// are vocabulary rows.

// Registers of one step: vectors of the vocabulary times words, one sum each, plus the vectors and
// one broadcast. AVX2 has 16 registers (2 x 6 + 3), AVX-512 and NEON 32.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t step_vectors = 2;
constexpr std::size_t step_words = 12;
#elif HWY_TARGET == HWY_AVX2
constexpr std::size_t step_vectors = 2;
constexpr std::size_t step_words = 6;
#elif HWY_TARGET == HWY_NEON
constexpr std::size_t step_vectors = 4;
constexpr std::size_t step_words = 6;
#else
constexpr std::size_t step_vectors = 4;
constexpr std::size_t step_words = 2;
#endif

HWY_INLINE const float* panel_at(const float* panels, std::size_t dimensions, std::size_t row) {
  return panels + row / panel_rows * panel_rows * dimensions + row % panel_rows;
}

void squared_norms(const float* vectors, std::size_t panels, std::size_t dimensions,
                   float* norms) noexcept {
  for (std::size_t row = 0; row < panels * panel_rows; row += width) {
    const float* component = panel_at(vectors, dimensions, row);
    Vector sum = hn::Zero(floats);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Vector x = load(component + d * panel_rows);
      sum = fused(x, x, sum);
    }
    store(sum, norms + row);
  }
}

HWY_INLINE Vector direct_squared_distance(const float* component, const float* word,
                                          std::size_t dimensions) {
  Vector sum = hn::Zero(floats);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const Vector difference = hn::Sub(load(component + d * panel_rows), broadcast(word[d]));
    sum = fused(difference, difference, sum);
  }
  return sum;
}

// |a|^2 + |b|^2 - 2ab loses as many digits as the distance is smaller than the norms: below a
// quarter of their sum it is replaced by the sum of squared differences.
HWY_INLINE Vector from_dot(const DistanceTile& tile, std::uint32_t word, std::size_t row,
                           Vector dot_product) {
  const Vector norms = hn::Add(load(tile.norms + row), broadcast(tile.norms[word]));
  const Vector squared = hn::Max(fused(dot_product, broadcast(-2.0F), norms), hn::Zero(floats));
  const auto near = hn::Lt(squared, hn::Mul(norms, broadcast(0.25F)));
  if (HWY_LIKELY(hn::AllFalse(floats, near))) return squared;
  const float* vector = tile.vectors + std::size_t{word} * tile.dimensions;
  const Vector direct =
      direct_squared_distance(panel_at(tile.panels, tile.dimensions, row), vector, tile.dimensions);
  return hn::IfThenElse(near, direct, squared);
}

// step_vectors of the tile from `row` on against `words` words.
template <std::size_t words>
HWY_INLINE void distance_step(const DistanceTile& tile, std::size_t word, std::size_t row,
                              float* out) {
  const float* components[step_vectors];
  for (std::size_t v = 0; v < step_vectors; ++v) {
    components[v] = panel_at(tile.panels, tile.dimensions, tile.first + row + v * width);
  }
  const float* vectors[words];
  for (std::size_t w = 0; w < words; ++w) {
    vectors[w] = tile.vectors + std::size_t{tile.word_ids[word + w]} * tile.dimensions;
  }
  Vector sums[words * step_vectors];
  clear(sums);
  const float* next[words];
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t place = word + words + w < tile.word_count ? word + words + w : word + w;
    next[w] = tile.vectors + std::size_t{tile.word_ids[place]} * tile.dimensions;
  }
  constexpr std::size_t line = 16;  // floats
  for (std::size_t first = 0; first < tile.dimensions; first += line) {
    // Words lie scattered in the vocabulary, where no hardware foresees the next.
    for (std::size_t w = 0; w < words; ++w) hwy::Prefetch(next[w] + first);
    const std::size_t last = first + line < tile.dimensions ? first + line : tile.dimensions;
    for (std::size_t d = first; d < last; ++d) {
      Vector x[step_vectors];
      for (std::size_t v = 0; v < step_vectors; ++v) x[v] = load(components[v] + d * panel_rows);
      for (std::size_t w = 0; w < words; ++w) {
        const Vector y = broadcast(vectors[w][d]);
        for (std::size_t v = 0; v < step_vectors; ++v) {
          sums[w * step_vectors + v] = fused(x[v], y, sums[w * step_vectors + v]);
        }
      }
    }
  }
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t v = 0; v < step_vectors; ++v) {
      const std::size_t at = row + v * width;
      store(from_dot(tile, tile.word_ids[word + w], tile.first + at, sums[w * step_vectors + v]),
            out + (word + w) * tile_rows + at);
    }
  }
}

void squared_distances(const DistanceTile& tile, float* out) noexcept {
  for (std::size_t row = 0; row < tile_rows; row += step_vectors * width) {
    std::size_t word = 0;
    for (; word + step_words <= tile.word_count; word += step_words) {
      distance_step<step_words>(tile, word, row, out);
    }
    for (; word < tile.word_count; ++word) distance_step<1>(tile, word, row, out);
  }
  // A coordinate is at distance 0 from itself by its number; arithmetic need not agree.
  for (std::size_t word = 0; word < tile.word_count; ++word) {
    const std::uint32_t place = tile.word_ids[word] - tile.first;
    if (place < tile_rows) out[word * tile_rows + place] = 0;
  }
}

constexpr std::size_t tile_vectors = tile_rows / width;

// Distances from squares, steps from distances, capacities from weights.
HWY_INLINE void finish_planes(std::size_t found, std::size_t k, Overflow overflow, float* planes) {
  for (std::size_t lane = 0; lane < tile_rows; lane += width) {
    float* capacities = planes + k * tile_rows + lane;
    float* steps = planes + lane;
    const Vector nearest = hn::Sqrt(load(steps));
    Vector capacity = load(capacities);
    Vector distance = nearest;
    store(nearest, steps);
    for (std::size_t l = 1; l < k; ++l) {
      Vector step = hn::Zero(floats);
      if (l < found) {
        const Vector next = hn::Sqrt(load(steps + l * tile_rows));
        step = hn::Sub(next, distance);
        distance = next;
        if (overflow == Overflow::at_distance_zero) {
          step = hn::IfThenElseZero(hn::Eq(nearest, hn::Zero(floats)), step);
        }
      }
      store(step, steps + l * tile_rows);
      if (l < found) capacity = hn::Add(capacity, load(capacities + l * tile_rows));
      if (l + 1 < k) store(capacity, capacities + l * tile_rows);
    }
  }
}

HWY_INLINE void one_smallest(const float* tile, const QueryBins& query, float* planes) {
  Vector nearest[tile_vectors];
  const float* first = tile + query.words[0] * tile_rows;
  for (std::size_t i = 0; i < tile_vectors; ++i) nearest[i] = load(first + i * width);
  for (std::size_t bin = 1; bin < query.count; ++bin) {
    const float* squares = tile + query.words[bin] * tile_rows;
    for (std::size_t i = 0; i < tile_vectors; ++i) {
      nearest[i] = hn::Min(nearest[i], load(squares + i * width));
    }
  }
  for (std::size_t i = 0; i < tile_vectors; ++i) {
    store(hn::Sqrt(nearest[i]), planes + i * width);
  }
}

// Three sets of registers: the two smallest and the weight of the first, whose capacity is all
// that one level of overflow needs.
HWY_INLINE void two_smallest(const float* tile, const QueryBins& query, float* planes) {
  const Vector far = broadcast(std::numeric_limits<float>::infinity());
  Vector nearest[tile_vectors];
  Vector second[tile_vectors];
  Vector weights[tile_vectors];
  for (std::size_t i = 0; i < tile_vectors; ++i) nearest[i] = second[i] = far;
  clear(weights);
  for (std::size_t bin = 0; bin < query.count; ++bin) {
    const float* squares = tile + query.words[bin] * tile_rows;
    const Vector weight = broadcast(query.weights[bin]);
    for (std::size_t i = 0; i < tile_vectors; ++i) {
      const Vector square = load(squares + i * width);
      weights[i] = hn::IfThenElse(hn::Lt(square, nearest[i]), weight, weights[i]);
      second[i] = hn::Min(second[i], hn::Max(nearest[i], square));
      nearest[i] = hn::Min(nearest[i], square);
    }
  }
  for (std::size_t i = 0; i < tile_vectors; ++i) {
    store(nearest[i], planes + i * width);
    store(second[i], planes + tile_rows + i * width);
    store(weights[i], planes + 2 * tile_rows + i * width);
  }
}

// The sorted levels of one vector of coordinates. A new distance is compared with every level at
// once, so equal distances keep the order in which they came. There is no early exit: among the
// coordinates of a vector one nearly always takes the distance, and wrong guesses cost more.
template <std::size_t levels>
struct SortedLevels {
  Vector squares[levels];
  Vector weights[levels];

  HWY_INLINE void insert(Vector square, Vector weight) {
    auto displaces = hn::Lt(square, squares[levels - 1]);
    for (std::size_t l = levels - 1; l > 0; --l) {
      const auto displaces_below = hn::Lt(square, squares[l - 1]);
      const Vector kept = hn::IfThenElse(displaces, weight, weights[l]);
      weights[l] = hn::IfThenElse(displaces_below, weights[l - 1], kept);
      squares[l] = hn::Max(squares[l - 1], hn::Min(square, squares[l]));
      displaces = displaces_below;
    }
    weights[0] = hn::IfThenElse(displaces, weight, weights[0]);
    squares[0] = hn::Min(square, squares[0]);
  }
};

// At least k levels, whose number the compiler knows.
template <std::size_t levels>
HWY_INLINE void some_smallest(const float* tile, const QueryBins& query, std::size_t k,
                              float* planes) {
  const Vector far = broadcast(std::numeric_limits<float>::infinity());
  for (std::size_t lane = 0; lane < tile_rows; lane += width) {
    SortedLevels<levels> sorted;
    clear(sorted.weights);
    for (std::size_t l = 0; l < levels; ++l) sorted.squares[l] = far;
    for (std::size_t bin = 0; bin < query.count; ++bin) {
      sorted.insert(load(tile + query.words[bin] * tile_rows + lane),
                    broadcast(query.weights[bin]));
    }
    for (std::size_t l = 0; l < levels && l < k; ++l) {
      store(sorted.squares[l], planes + l * tile_rows + lane);
      store(sorted.weights[l], planes + (k + l) * tile_rows + lane);
    }
  }
}

// Any number of levels, kept in the planes: from the last one that a distance displaces downwards.
HWY_INLINE void insert(Vector square, Vector weight, std::size_t k, float* squares,
                       float* weights) {
  Vector above = load(squares + (k - 1) * tile_rows);
  auto displaces = hn::Lt(square, above);
  if (hn::AllFalse(floats, displaces)) return;
  for (std::size_t l = k - 1; l > 0; --l) {
    const Vector below = load(squares + (l - 1) * tile_rows);
    const auto displaces_below = hn::Lt(square, below);
    store(hn::Max(below, hn::Min(square, above)), squares + l * tile_rows);
    const Vector kept = hn::IfThenElse(displaces, weight, load(weights + l * tile_rows));
    store(hn::IfThenElse(displaces_below, load(weights + (l - 1) * tile_rows), kept),
          weights + l * tile_rows);
    if (hn::AllFalse(floats, displaces_below)) return;
    above = below;
    displaces = displaces_below;
  }
  store(hn::Min(square, above), squares);
  store(hn::IfThenElse(displaces, weight, load(weights)), weights);
}

HWY_INLINE void many_smallest(const float* tile, const QueryBins& query, std::size_t k,
                              float* planes) {
  const Vector far = broadcast(std::numeric_limits<float>::infinity());
  for (std::size_t lane = 0; lane < tile_rows; lane += width) {
    float* squares = planes + lane;
    float* weights = planes + k * tile_rows + lane;
    for (std::size_t l = 0; l < k; ++l) {
      store(far, squares + l * tile_rows);
      store(hn::Zero(floats), weights + l * tile_rows);
    }
    for (std::size_t bin = 0; bin < query.count; ++bin) {
      insert(load(tile + query.words[bin] * tile_rows + lane), broadcast(query.weights[bin]), k,
             squares, weights);
    }
  }
}

void k_smallest(const float* tile, const QueryBins& query, std::size_t k, Overflow overflow,
                float* planes) noexcept {
  if (k == 1) {
    one_smallest(tile, query, planes);
    return;
  }
  if (k == 2) {
    two_smallest(tile, query, planes);
  } else if (k <= 4) {
    some_smallest<4>(tile, query, k, planes);
  } else if (k <= 8) {
    some_smallest<8>(tile, query, k, planes);
  } else if (k <= 16) {
    some_smallest<16>(tile, query, k, planes);
  } else {
    many_smallest(tile, query, k, planes);
  }
  finish_planes(query.count, k, overflow, planes);
}
