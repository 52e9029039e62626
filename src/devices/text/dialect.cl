// What OpenCL C, CUDA C++ and plain C++ spell differently, so that one text of kernels serves all.
//
// The rules of the text: every product and sum is rounded by itself unless it says FUSED; a group
// may have any power of two as its number of items; BARRIER orders local memory, BARRIER_ALL global
// memory too; all items of a group reach each barrier.
#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)

typedef uint u32;
typedef ulong u64;
#pragma OPENCL FP_CONTRACT OFF
#ifdef HAS_DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define KERNEL(name) __kernel void name
#define GLOBAL __global
#define LOCAL(type, name, size) __local type name[size]
#define LOCAL_POINTER __local
#define ITEM ((u32)get_local_id(0))
#define ITEMS ((u32)get_local_size(0))
#define GROUP ((u32)get_group_id(0))
#define GROUP_Y ((u32)get_group_id(1))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define BARRIER_ALL barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define NEXT_PLACE(counter) atomic_inc(counter)
#define FUSED(a, b, c) fma(a, b, c)
#define FUSED_DOUBLE(a, b, c) fma(a, b, c)
#define ROOT(x) sqrt(x)
#define ROOT_DOUBLE(x) sqrt(x)
#define EXP_DOUBLE(x) exp(x)
#define AS_UINT(x) as_uint(x)
#define AS_FLOAT(x) as_float(x)
#define UNROLL _Pragma("unroll")
#define FUNCTION
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)

typedef unsigned int u32;
typedef unsigned long long u64;
#define HAS_DOUBLES
#define KERNEL(name) extern "C" __global__ void name
#define GLOBAL
#define LOCAL(type, name, size) __shared__ type name[size]
#define LOCAL_POINTER
#define ITEM threadIdx.x
#define ITEMS blockDim.x
#define GROUP blockIdx.x
#define GROUP_Y blockIdx.y
#define BARRIER __syncthreads()
#define BARRIER_ALL __syncthreads()
#define NEXT_PLACE(counter) atomicAdd(counter, 1u)
#define FUSED(a, b, c) __fmaf_rn(a, b, c)
#define FUSED_DOUBLE(a, b, c) __fma_rn(a, b, c)
#define ROOT(x) __fsqrt_rn(x)
#define ROOT_DOUBLE(x) __dsqrt_rn(x)
#define EXP_DOUBLE(x) exp(x)
#define AS_UINT(x) __float_as_uint(x)
#define AS_FLOAT(x) __uint_as_float(x)
#define UNROLL _Pragma("unroll")
#define FUNCTION static __device__ __forceinline__
#define ALIGNED(bytes) __align__(bytes)

#else  // plain C++, for sanitizers: who includes this says what an item is

#define HAS_DOUBLES
#define UNROLL
#define FUNCTION static inline
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

#endif

// A bin of a histogram. Sums over bins are cut into pieces: the highest bit of the coordinate marks
// the last bin of each. Aligned, so that both halves are read at once.
typedef struct ALIGNED(8) {
  u32 coordinate;
  float weight;
} Bin;

// A coordinate among the neighbours of another.
typedef struct ALIGNED(8) {
  u32 coordinate;
  float distance;
} Neighbour;

#define LAST_OF_PIECE 0x80000000u
#define COORDINATE(bin) ((bin).coordinate & ~LAST_OF_PIECE)
#define ENDS_PIECE(bin) (((bin).coordinate & LAST_OF_PIECE) != 0u)
#define INFINITE AS_FLOAT(0x7f800000u)

// The square root, correctly rounded whatever the runtime's own is, as long as that is off by three
// units in the last place at most: Tuckerman's test, r (r - ulp) < x <= r (r + ulp), where the
// signs of fused differences are exact. Numbers near the ends of the range are moved away first.
FUNCTION float rooted(float x) {
  float scale = 1.0f;
  if (!(x > 0.0f)) return 0.0f;
  if (!(x < INFINITE)) return x;
  if (x < 0x1p-60f) {
    x = x * 0x1p64f;
    scale = 0x1p-32f;
  } else if (x > 0x1p100f) {
    x = x * 0x1p-64f;
    scale = 0x1p32f;
  }
  float r = ROOT(x);
  for (int i = 0; i < 3; ++i) {
    const float below = AS_FLOAT(AS_UINT(r) - 1u);
    if (FUSED(r, below, -x) >= 0.0f) r = below;
  }
  for (int i = 0; i < 3; ++i) {
    const float above = AS_FLOAT(AS_UINT(r) + 1u);
    if (FUSED(r, above, -x) < 0.0f) r = above;
  }
  return r * scale;
}
