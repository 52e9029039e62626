// Phase 1 for large vocabularies: squared distances and the nearest bins of each coordinate. Lanes
// are vocabulary rows.

// Registers of one step: vectors of the vocabulary times words, one sum each, plus the vectors and
// one broadcast. AVX2 has 16 registers (2 x 6 + 3), AVX-512 and NEON 32. Twelve sums in flight keep
// two multiply-add units of latency four busy.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
constexpr std::size_t step_vectors = 2;
constexpr std::size_t step_words = 6;
#elif HWY_TARGET == HWY_NEON
constexpr std::size_t step_vectors = 4;
constexpr std::size_t step_words = 6;
#else
constexpr std::size_t step_vectors = 4;
constexpr std::size_t step_words = 2;
#endif

HWY_INLINE const float* strip_at(const float* strips, std::size_t dimensions, std::size_t row) {
  return strips + row / strip_rows * strip_rows * dimensions + row % strip_rows;
}

void squared_norms(const float* vectors, std::size_t strips, std::size_t dimensions,
                   float* norms) noexcept {
  for (std::size_t row = 0; row < strips * strip_rows; row += width) {
    const float* component = strip_at(vectors, dimensions, row);
    Vector sum = hn::Zero(floats);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Vector x = load(component + d * strip_rows);
      sum = fused(x, x, sum);
    }
    store(sum, norms + row);
  }
}

HWY_INLINE const float* packed_word(const DistanceSlab& slab, std::size_t word) {
  return slab.words + word / word_pack * word_pack * slab.dimensions + word % word_pack;
}

HWY_INLINE Vector direct_squared_distance(const float* component, const float* word,
                                          std::size_t dimensions) {
  Vector sum = hn::Zero(floats);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const Vector x = load(component + d * strip_rows);
    const Vector difference = hn::Sub(x, broadcast(word[d * word_pack]));
    sum = fused(difference, difference, sum);
  }
  return sum;
}

// |a|^2 + |b|^2 - 2ab loses as many digits as the distance is smaller than the norms: below a
// quarter of their sum it is replaced by the sum of squared differences.
HWY_INLINE auto is_near(Vector squared, Vector norms) {
  return hn::Lt(squared, hn::Mul(norms, broadcast(0.25F)));
}

HWY_NOINLINE void replace_near(const DistanceSlab& slab, std::size_t first, std::size_t words,
                               std::size_t row, float* out) {
  for (std::size_t word = first; word < first + words; ++word) {
    for (std::size_t v = 0; v < step_vectors; ++v) {
      const std::size_t at = slab.first + row + v * width;
      float* place = out + word * slab_rows + row + v * width;
      const Vector squared = load(place);
      const Vector norms = hn::Add(load(slab.norms + at), broadcast(slab.word_norms[word]));
      const auto near = is_near(squared, norms);
      if (hn::AllFalse(floats, near)) continue;
      const Vector direct =
          direct_squared_distance(strip_at(slab.strips, slab.dimensions, at),
                                  packed_word(slab, word), slab.dimensions);
      store(hn::IfThenElse(near, direct, squared), place);
    }
  }
}

// step_vectors of the slab from `row` on against step_words words.
HWY_INLINE void distance_step(const DistanceSlab& slab, std::size_t word, std::size_t row,
                              float* out) {
  const float* components[step_vectors];
  for (std::size_t v = 0; v < step_vectors; ++v) {
    components[v] = strip_at(slab.strips, slab.dimensions, slab.first + row + v * width);
  }
  Vector sums[step_words * step_vectors];
  clear(sums);
  const float* packed = packed_word(slab, word);
  for (std::size_t d = 0; d < slab.dimensions; ++d) {
    Vector x[step_vectors];
    for (std::size_t v = 0; v < step_vectors; ++v) x[v] = load(components[v] + d * strip_rows);
    for (std::size_t w = 0; w < step_words; ++w) {
      const Vector y = broadcast(packed[d * word_pack + w]);
      for (std::size_t v = 0; v < step_vectors; ++v) {
        sums[w * step_vectors + v] = fused(x[v], y, sums[w * step_vectors + v]);
      }
    }
  }
  auto any_near = hn::FirstN(floats, 0);
  for (std::size_t w = 0; w < step_words; ++w) {
    const Vector word_norm = broadcast(slab.word_norms[word + w]);
    for (std::size_t v = 0; v < step_vectors; ++v) {
      const Vector norms = hn::Add(load(slab.norms + slab.first + row + v * width), word_norm);
      const Vector squared =
          hn::Max(fused(sums[w * step_vectors + v], broadcast(-2.0F), norms), hn::Zero(floats));
      store(squared, out + (word + w) * slab_rows + row + v * width);
      any_near = hn::Or(any_near, is_near(squared, norms));
    }
  }
  if (HWY_UNLIKELY(!hn::AllFalse(floats, any_near))) {
    replace_near(slab, word, step_words, row, out);
  }
}

void squared_distances(const DistanceSlab& slab, float* out) noexcept {
  static_assert(word_pack % step_words == 0);
  // A pack of words serves all of the slab while it is in the first-level cache.
  for (std::size_t pack = 0; pack < slab.word_count; pack += word_pack) {
    for (std::size_t row = 0; row < slab_rows; row += step_vectors * width) {
      for (std::size_t word = pack; word < pack + word_pack; word += step_words) {
        distance_step(slab, word, row, out);
      }
    }
  }
  // A coordinate is at distance 0 from itself by its number; arithmetic need not agree.
  for (std::size_t word = 0; word < slab.word_count; ++word) {
    const std::uint32_t place = slab.word_ids[word] - slab.first;
    if (place < slab_rows) out[word * slab_rows + place] = 0;
  }
}

constexpr std::size_t slab_vectors = slab_rows / width;

// Distances from squares, steps from distances, capacities from weights.
HWY_INLINE void finish_planes(std::size_t found, std::size_t k, Overflow overflow, float* planes) {
  for (std::size_t lane = 0; lane < slab_rows; lane += width) {
    float* capacities = planes + k * slab_rows + lane;
    float* steps = planes + lane;
    const Vector nearest = hn::Sqrt(load(steps));
    Vector capacity = load(capacities);
    Vector distance = nearest;
    store(nearest, steps);
    for (std::size_t l = 1; l < k; ++l) {
      Vector step = hn::Zero(floats);
      if (l < found) {
        const Vector next = hn::Sqrt(load(steps + l * slab_rows));
        step = hn::Sub(next, distance);
        distance = next;
        if (overflow == Overflow::at_distance_zero) {
          step = hn::IfThenElseZero(hn::Eq(nearest, hn::Zero(floats)), step);
        }
      }
      store(step, steps + l * slab_rows);
      if (l < found) capacity = hn::Add(capacity, load(capacities + l * slab_rows));
      if (l + 1 < k) store(capacity, capacities + l * slab_rows);
    }
  }
}

// The distances of a bin, while those of a later one are fetched: a slab is larger than the
// second-level cache, and its bins lie scattered.
HWY_INLINE const float* squares_of(const float* slab, const QueryBins& query, std::size_t bin) {
  constexpr std::size_t ahead = 12;
  const std::size_t next = bin + ahead < query.count ? bin + ahead : bin;
  for (std::size_t line = 0; line < slab_rows; line += 16) {
    hwy::Prefetch(slab + query.words[next] * slab_rows + line);
  }
  return slab + query.words[bin] * slab_rows;
}

HWY_INLINE void one_smallest(const float* slab, const QueryBins& query, float* planes) {
  Vector nearest[slab_vectors];
  const float* first = slab + query.words[0] * slab_rows;
  for (std::size_t i = 0; i < slab_vectors; ++i) nearest[i] = load(first + i * width);
  for (std::size_t bin = 1; bin < query.count; ++bin) {
    const float* squares = squares_of(slab, query, bin);
    for (std::size_t i = 0; i < slab_vectors; ++i) {
      nearest[i] = hn::Min(nearest[i], load(squares + i * width));
    }
  }
  for (std::size_t i = 0; i < slab_vectors; ++i) {
    store(hn::Sqrt(nearest[i]), planes + i * width);
  }
}

// Three sets of registers: the two smallest and the weight of the first, whose capacity is all
// that one level of overflow needs.
HWY_INLINE void two_smallest(const float* slab, const QueryBins& query, float* planes) {
  const Vector far = broadcast(std::numeric_limits<float>::infinity());
  Vector nearest[slab_vectors];
  Vector second[slab_vectors];
  Vector weights[slab_vectors];
  for (std::size_t i = 0; i < slab_vectors; ++i) nearest[i] = second[i] = far;
  clear(weights);
  for (std::size_t bin = 0; bin < query.count; ++bin) {
    const float* squares = squares_of(slab, query, bin);
    const Vector weight = broadcast(query.weights[bin]);
    for (std::size_t i = 0; i < slab_vectors; ++i) {
      const Vector square = load(squares + i * width);
      weights[i] = hn::IfThenElse(hn::Lt(square, nearest[i]), weight, weights[i]);
      second[i] = hn::Min(second[i], hn::Max(nearest[i], square));
      nearest[i] = hn::Min(nearest[i], square);
    }
  }
  for (std::size_t i = 0; i < slab_vectors; ++i) {
    store(nearest[i], planes + i * width);
    store(second[i], planes + slab_rows + i * width);
    store(weights[i], planes + 2 * slab_rows + i * width);
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
HWY_INLINE void some_smallest(const float* slab, const QueryBins& query, std::size_t k,
                              float* planes) {
  const Vector far = broadcast(std::numeric_limits<float>::infinity());
  for (std::size_t lane = 0; lane < slab_rows; lane += width) {
    SortedLevels<levels> sorted;
    clear(sorted.weights);
    for (std::size_t l = 0; l < levels; ++l) sorted.squares[l] = far;
    for (std::size_t bin = 0; bin < query.count; ++bin) {
      sorted.insert(load(slab + query.words[bin] * slab_rows + lane),
                    broadcast(query.weights[bin]));
    }
    for (std::size_t l = 0; l < levels && l < k; ++l) {
      store(sorted.squares[l], planes + l * slab_rows + lane);
      store(sorted.weights[l], planes + (k + l) * slab_rows + lane);
    }
  }
}

// Any number of levels, kept in the planes: from the last one that a distance displaces downwards.
HWY_INLINE void insert(Vector square, Vector weight, std::size_t k, float* squares,
                       float* weights) {
  Vector above = load(squares + (k - 1) * slab_rows);
  auto displaces = hn::Lt(square, above);
  if (hn::AllFalse(floats, displaces)) return;
  for (std::size_t l = k - 1; l > 0; --l) {
    const Vector below = load(squares + (l - 1) * slab_rows);
    const auto displaces_below = hn::Lt(square, below);
    store(hn::Max(below, hn::Min(square, above)), squares + l * slab_rows);
    const Vector kept = hn::IfThenElse(displaces, weight, load(weights + l * slab_rows));
    store(hn::IfThenElse(displaces_below, load(weights + (l - 1) * slab_rows), kept),
          weights + l * slab_rows);
    if (hn::AllFalse(floats, displaces_below)) return;
    above = below;
    displaces = displaces_below;
  }
  store(hn::Min(square, above), squares);
  store(hn::IfThenElse(displaces, weight, load(weights)), weights);
}

void nearer(const float* slab, const QueryBins& query, std::size_t k, float* planes) noexcept {
  for (std::size_t lane = 0; lane < slab_rows; lane += width) {
    float* squares = planes + lane;
    float* weights = planes + k * slab_rows + lane;
    for (std::size_t bin = 0; bin < query.count; ++bin) {
      insert(load(slab + query.words[bin] * slab_rows + lane), broadcast(query.weights[bin]), k,
             squares, weights);
    }
  }
}

HWY_INLINE void many_smallest(const float* slab, const QueryBins& query, std::size_t k,
                              float* planes) {
  const Vector far = broadcast(std::numeric_limits<float>::infinity());
  for (std::size_t place = 0; place < k * slab_rows; place += width) {
    store(far, planes + place);
    store(hn::Zero(floats), planes + k * slab_rows + place);
  }
  nearer(slab, query, k, planes);
}

void k_smallest(const float* slab, const QueryBins& query, std::size_t k, Overflow overflow,
                float* planes) noexcept {
  if (k == 1) {
    one_smallest(slab, query, planes);
    return;
  }
  if (k == 2) {
    two_smallest(slab, query, planes);
  } else if (k <= 4) {
    some_smallest<4>(slab, query, k, planes);
  } else if (k <= 8) {
    some_smallest<8>(slab, query, k, planes);
  } else if (k <= 16) {
    some_smallest<16>(slab, query, k, planes);
  } else {
    many_smallest(slab, query, k, planes);
  }
  finish_planes(query.count, k, overflow, planes);
}

void finish_nearest(std::size_t bins, std::size_t k, Overflow overflow, float* planes) noexcept {
  finish_planes(bins, k, overflow, planes);
}
