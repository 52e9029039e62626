// The words all kernels are written in. Compiled once per instruction set, see kernels.cpp.

namespace hn = hwy::HWY_NAMESPACE;

// At most 16 floats: no cache feeds more per cycle.
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;
constexpr Floats floats;
constexpr std::size_t width = hn::MaxLanes(floats);

// One rounding on every target: Highway's own MulAdd rounds twice where the target has no such
// instruction. D is Floats or narrower.
template <class V>
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(floats, __builtin_fmaf(hn::GetLane(a), hn::GetLane(b), hn::GetLane(c)));
#else
  return hn::MulAdd(a, b, c);
#endif
}

HWY_INLINE Vector load(const float* from) { return hn::LoadU(floats, from); }
HWY_INLINE void store(Vector v, float* to) { hn::StoreU(v, floats, to); }
HWY_INLINE Vector broadcast(float x) { return hn::Set(floats, x); }

// The pointer as one register: left alone, the compiler adds up loop-invariant parts of an address
// in registers of their own and pays for indexed loads.
template <class T>
HWY_INLINE T* in_register(T* pointer) {
#if HWY_COMPILER_GCC
  asm("" : "+r"(pointer));
#endif
  return pointer;
}

template <class V, std::size_t n>
HWY_INLINE void clear(V (&sums)[n]) {
  for (std::size_t i = 0; i < n; ++i) sums[i] = hn::Zero(hn::DFromV<V>());
}

// Calls body(constant, first lane) for groups of `vectors` vectors of `lane_width` lanes and, for
// the lanes that are left, of half as many, and so on.
template <std::size_t vectors, std::size_t lane_width = width, class Body>
HWY_INLINE void for_lane_groups(std::size_t lanes, const Body& body, std::size_t first = 0) {
  for (; first + vectors * lane_width <= lanes; first += vectors * lane_width) {
    body(std::integral_constant<std::size_t, vectors>(), first);
  }
  if constexpr (vectors > 1) for_lane_groups<vectors / 2, lane_width>(lanes, body, first);
}

// Calls body(constant or number) with the number of floats from one coordinate to the next: for the
// usual tables a shift per bin instead of a product, which the inner loops feel.
template <std::size_t usual, class Body>
HWY_INLINE void with_constant(std::size_t number, const Body& body) {
  if (number == usual) {
    body(std::integral_constant<std::size_t, usual>());
  } else {
    body(number);
  }
}
