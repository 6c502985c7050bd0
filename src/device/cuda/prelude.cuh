// The names that translated kernels use: the part of Metal's library for integer compute kernels, in CUDA C++. naga
// writes WGSL as Metal's C++; src/device/cuda/translate.rs turns that into functions that compile after this text.

// offsetof, which NVRTC does not have: a form that NVIDIA's front end takes for a constant.
#define TICKLESS_OFFSET(record, member) __INTADDR__(&(((record*)0)->member))
// Marks variables that naga puts into workgroup memory; addresses need no spaces here.
#define TICKLESS_SHARED
#define TICKLESS_INLINE static __device__ __forceinline__
// A record that is passed with the launch. From capability 7.0 on it is read where it lies, by index too.
#if __CUDA_ARCH__ >= 700
#define TICKLESS_PASSED const __grid_constant__
#else
#define TICKLESS_PASSED const
#endif

// A kernel does this before it touches memory: it waits for the launch ahead of it, if it was started early, and lets
// the launch behind it be placed.
#if __CUDA_ARCH__ >= 900
#define TICKLESS_BEGIN asm volatile("griddepcontrol.wait;\ngriddepcontrol.launch_dependents;" ::: "memory")
#else
#define TICKLESS_BEGIN
#endif

typedef long long slong;
typedef unsigned long long ulong;
typedef unsigned long long uint64_t;

namespace metal {

typedef unsigned int uint;

// Vectors: as large and as aligned as WGSL's.

template <typename T, int N> struct vec;

template <typename T> struct alignas(2 * sizeof(T)) vec<T, 2> {
    T x, y;
    vec() = default;
    __device__ constexpr explicit vec(T s) : x(s), y(s) {}
    __device__ constexpr vec(T a, T b) : x(a), y(b) {}
    template <typename U> __device__ constexpr explicit vec(vec<U, 2> v) : x(T(v.x)), y(T(v.y)) {}
    __device__ T& operator[](uint i) { return (&x)[i]; }
    __device__ const T& operator[](uint i) const { return (&x)[i]; }
    template <int... I> __device__ constexpr vec<T, sizeof...(I)> swizzle() const { return {at<I>()...}; }
    template <int I> __device__ constexpr T at() const { return I == 0 ? x : y; }
};

template <typename T> struct alignas(4 * sizeof(T)) vec<T, 3> {
    T x, y, z;
    vec() = default;
    __device__ constexpr explicit vec(T s) : x(s), y(s), z(s) {}
    __device__ constexpr vec(T a, T b, T c) : x(a), y(b), z(c) {}
    __device__ constexpr vec(vec<T, 2> v, T c) : x(v.x), y(v.y), z(c) {}
    __device__ constexpr vec(T a, vec<T, 2> v) : x(a), y(v.x), z(v.y) {}
    template <typename U> __device__ constexpr explicit vec(vec<U, 3> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
    __device__ T& operator[](uint i) { return (&x)[i]; }
    __device__ const T& operator[](uint i) const { return (&x)[i]; }
    template <int... I> __device__ constexpr vec<T, sizeof...(I)> swizzle() const { return {at<I>()...}; }
    template <int I> __device__ constexpr T at() const { return I == 0 ? x : I == 1 ? y : z; }
};

template <typename T> struct alignas(4 * sizeof(T)) vec<T, 4> {
    T x, y, z, w;
    vec() = default;
    __device__ constexpr explicit vec(T s) : x(s), y(s), z(s), w(s) {}
    __device__ constexpr vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
    __device__ constexpr vec(vec<T, 2> v, T c, T d) : x(v.x), y(v.y), z(c), w(d) {}
    __device__ constexpr vec(T a, vec<T, 2> v, T d) : x(a), y(v.x), z(v.y), w(d) {}
    __device__ constexpr vec(T a, T b, vec<T, 2> v) : x(a), y(b), z(v.x), w(v.y) {}
    __device__ constexpr vec(vec<T, 2> v, vec<T, 2> u) : x(v.x), y(v.y), z(u.x), w(u.y) {}
    __device__ constexpr vec(vec<T, 3> v, T d) : x(v.x), y(v.y), z(v.z), w(d) {}
    __device__ constexpr vec(T a, vec<T, 3> v) : x(a), y(v.x), z(v.y), w(v.z) {}
    template <typename U>
    __device__ constexpr explicit vec(vec<U, 4> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(v.w)) {}
    __device__ T& operator[](uint i) { return (&x)[i]; }
    __device__ const T& operator[](uint i) const { return (&x)[i]; }
    template <int... I> __device__ constexpr vec<T, sizeof...(I)> swizzle() const { return {at<I>()...}; }
    template <int I> __device__ constexpr T at() const { return I == 0 ? x : I == 1 ? y : I == 2 ? z : w; }
};

// Three components without the fourth's place, as they lie inside records.
template <typename T> struct packed3 {
    T x, y, z;
    packed3() = default;
    __device__ constexpr packed3(vec<T, 3> v) : x(v.x), y(v.y), z(v.z) {}
    __device__ constexpr operator vec<T, 3>() const { return {x, y, z}; }
    __device__ T& operator[](uint i) { return (&x)[i]; }
    __device__ const T& operator[](uint i) const { return (&x)[i]; }
};

#define TICKLESS_VECTORS(type, name)                                                                                   \
    typedef vec<type, 2> name##2;                                                                                      \
    typedef vec<type, 3> name##3;                                                                                      \
    typedef vec<type, 4> name##4;                                                                                      \
    typedef packed3<type> packed_##name##3;
TICKLESS_VECTORS(bool, bool)
TICKLESS_VECTORS(int, int)
TICKLESS_VECTORS(unsigned int, uint)
TICKLESS_VECTORS(slong, long)
TICKLESS_VECTORS(ulong, ulong)
#undef TICKLESS_VECTORS

// Applies a function to each component.
template <typename R, typename F, typename T> TICKLESS_INLINE vec<R, 2> each(F f, vec<T, 2> a, vec<T, 2> b) {
    return {f(a.x, b.x), f(a.y, b.y)};
}
template <typename R, typename F, typename T> TICKLESS_INLINE vec<R, 3> each(F f, vec<T, 3> a, vec<T, 3> b) {
    return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)};
}
template <typename R, typename F, typename T> TICKLESS_INLINE vec<R, 4> each(F f, vec<T, 4> a, vec<T, 4> b) {
    return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)};
}

template <typename T> struct same { typedef T type; };
// A scalar that does not take part in the deduction of T.
template <typename T> using scalar = typename same<T>::type;

#define TICKLESS_OPERATOR(op, name, result)                                                                            \
    struct name {                                                                                                      \
        template <typename T> __device__ result operator()(T a, T b) const { return a op b; }                          \
    };                                                                                                                 \
    template <typename T, int N> TICKLESS_INLINE vec<result, N> operator op(vec<T, N> a, vec<T, N> b) {                \
        return each<result>(name(), a, b);                                                                             \
    }                                                                                                                  \
    template <typename T, int N> TICKLESS_INLINE vec<result, N> operator op(vec<T, N> a, scalar<T> b) {                \
        return each<result>(name(), a, vec<T, N>(b));                                                                  \
    }                                                                                                                  \
    template <typename T, int N> TICKLESS_INLINE vec<result, N> operator op(scalar<T> a, vec<T, N> b) {                \
        return each<result>(name(), vec<T, N>(a), b);                                                                  \
    }
TICKLESS_OPERATOR(+, add, T)
TICKLESS_OPERATOR(-, subtract, T)
TICKLESS_OPERATOR(*, multiply, T)
TICKLESS_OPERATOR(/, divide, T)
TICKLESS_OPERATOR(%, remain, T)
TICKLESS_OPERATOR(&, conjoin, T)
TICKLESS_OPERATOR(|, disjoin, T)
TICKLESS_OPERATOR(^, exclude, T)
TICKLESS_OPERATOR(==, equal, bool)
TICKLESS_OPERATOR(!=, differ, bool)
TICKLESS_OPERATOR(<, precede, bool)
TICKLESS_OPERATOR(<=, not_follow, bool)
TICKLESS_OPERATOR(>, follow, bool)
TICKLESS_OPERATOR(>=, not_precede, bool)
#undef TICKLESS_OPERATOR

// A vector is shifted by a vector of 32-bit distances.
#define TICKLESS_SHIFT(op)                                                                                             \
    template <typename T> TICKLESS_INLINE vec<T, 2> operator op(vec<T, 2> a, vec<uint, 2> b) {                         \
        return {T(a.x op b.x), T(a.y op b.y)};                                                                         \
    }                                                                                                                  \
    template <typename T> TICKLESS_INLINE vec<T, 3> operator op(vec<T, 3> a, vec<uint, 3> b) {                         \
        return {T(a.x op b.x), T(a.y op b.y), T(a.z op b.z)};                                                          \
    }                                                                                                                  \
    template <typename T> TICKLESS_INLINE vec<T, 4> operator op(vec<T, 4> a, vec<uint, 4> b) {                         \
        return {T(a.x op b.x), T(a.y op b.y), T(a.z op b.z), T(a.w op b.w)};                                           \
    }
TICKLESS_SHIFT(<<)
TICKLESS_SHIFT(>>)
#undef TICKLESS_SHIFT

#define TICKLESS_UNARY(op)                                                                                             \
    template <typename T> TICKLESS_INLINE vec<T, 2> operator op(vec<T, 2> a) { return {T(op a.x), T(op a.y)}; }        \
    template <typename T> TICKLESS_INLINE vec<T, 3> operator op(vec<T, 3> a) {                                         \
        return {T(op a.x), T(op a.y), T(op a.z)};                                                                      \
    }                                                                                                                  \
    template <typename T> TICKLESS_INLINE vec<T, 4> operator op(vec<T, 4> a) {                                         \
        return {T(op a.x), T(op a.y), T(op a.z), T(op a.w)};                                                           \
    }
TICKLESS_UNARY(-)
TICKLESS_UNARY(~)
TICKLESS_UNARY(!)
#undef TICKLESS_UNARY

TICKLESS_INLINE bool any(bool2 v) { return v.x || v.y; }
TICKLESS_INLINE bool any(bool3 v) { return v.x || v.y || v.z; }
TICKLESS_INLINE bool any(bool4 v) { return v.x || v.y || v.z || v.w; }
TICKLESS_INLINE bool all(bool2 v) { return v.x && v.y; }
TICKLESS_INLINE bool all(bool3 v) { return v.x && v.y && v.z; }
TICKLESS_INLINE bool all(bool4 v) { return v.x && v.y && v.z && v.w; }

template <typename T> TICKLESS_INLINE T select(T no, T yes, bool condition) { return condition ? yes : no; }
template <typename T> TICKLESS_INLINE vec<T, 2> select(vec<T, 2> no, vec<T, 2> yes, bool2 c) {
    return {c.x ? yes.x : no.x, c.y ? yes.y : no.y};
}
template <typename T> TICKLESS_INLINE vec<T, 3> select(vec<T, 3> no, vec<T, 3> yes, bool3 c) {
    return {c.x ? yes.x : no.x, c.y ? yes.y : no.y, c.z ? yes.z : no.z};
}
template <typename T> TICKLESS_INLINE vec<T, 4> select(vec<T, 4> no, vec<T, 4> yes, bool4 c) {
    return {c.x ? yes.x : no.x, c.y ? yes.y : no.y, c.z ? yes.z : no.z, c.w ? yes.w : no.w};
}

// Integer functions of scalars, and of vectors component by component.

#define TICKLESS_BINARY(name, expression)                                                                              \
    struct name##_of {                                                                                                 \
        template <typename T> __device__ T operator()(T a, T b) const { return expression; }                           \
    };                                                                                                                 \
    TICKLESS_INLINE int name(int a, int b) { return expression; }                                                      \
    TICKLESS_INLINE uint name(uint a, uint b) { return expression; }                                                   \
    TICKLESS_INLINE slong name(slong a, slong b) { return expression; }                                                   \
    TICKLESS_INLINE ulong name(ulong a, ulong b) { return expression; }                                                \
    template <typename T, int N> TICKLESS_INLINE vec<T, N> name(vec<T, N> a, vec<T, N> b) {                            \
        return each<T>(name##_of(), a, b);                                                                             \
    }
TICKLESS_BINARY(min, b < a ? b : a)
TICKLESS_BINARY(max, a < b ? b : a)
#undef TICKLESS_BINARY

template <typename T> TICKLESS_INLINE T clamp(T v, T low, T high) { return min(max(v, low), high); }

TICKLESS_INLINE int abs(int a) { return a < 0 ? int(0u - uint(a)) : a; }
TICKLESS_INLINE slong abs(slong a) { return a < 0 ? slong(0ull - ulong(a)) : a; }
TICKLESS_INLINE uint abs(uint a) { return a; }
TICKLESS_INLINE ulong abs(ulong a) { return a; }

TICKLESS_INLINE uint clz(uint a) { return __clz(a); }
TICKLESS_INLINE int clz(int a) { return __clz(a); }
TICKLESS_INLINE ulong clz(ulong a) { return __clzll(a); }
TICKLESS_INLINE slong clz(slong a) { return __clzll(a); }
TICKLESS_INLINE uint ctz(uint a) { return a == 0u ? 32u : __ffs(a) - 1; }
TICKLESS_INLINE int ctz(int a) { return int(ctz(uint(a))); }
TICKLESS_INLINE ulong ctz(ulong a) { return a == 0ull ? 64ull : __ffsll(a) - 1; }
TICKLESS_INLINE slong ctz(slong a) { return slong(ctz(ulong(a))); }
TICKLESS_INLINE uint popcount(uint a) { return __popc(a); }
TICKLESS_INLINE int popcount(int a) { return __popc(a); }
TICKLESS_INLINE ulong popcount(ulong a) { return __popcll(a); }
TICKLESS_INLINE slong popcount(slong a) { return __popcll(a); }
TICKLESS_INLINE uint reverse_bits(uint a) { return __brev(a); }
TICKLESS_INLINE int reverse_bits(int a) { return __brev(a); }
TICKLESS_INLINE ulong reverse_bits(ulong a) { return __brevll(a); }
TICKLESS_INLINE slong reverse_bits(slong a) { return __brevll(a); }

// Where the count is 0 the offset may be 32.
TICKLESS_INLINE uint extract_bits(uint a, uint offset, uint count) {
    return count == 0u ? 0u : (a >> offset) & (0xffffffffu >> (32u - count));
}
TICKLESS_INLINE int extract_bits(int a, uint offset, uint count) {
    return count == 0u ? 0 : int(uint(a) << (32u - count - offset)) >> (32u - count);
}
TICKLESS_INLINE uint insert_bits(uint a, uint b, uint offset, uint count) {
    if (count == 0u) return a;
    uint mask = (0xffffffffu >> (32u - count)) << offset;
    return (a & ~mask) | ((b << offset) & mask);
}
TICKLESS_INLINE int insert_bits(int a, int b, uint offset, uint count) {
    return int(insert_bits(uint(a), uint(b), offset, count));
}

// Atomics. WGSL's are relaxed, and so are CUDA's.

enum memory_order { memory_order_relaxed };

template <typename T> struct atomic { T value; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<ulong> atomic_ulong;

template <typename T> TICKLESS_INLINE T atomic_load_explicit(const atomic<T>* a, memory_order) {
    return *(const volatile T*)&a->value;
}
template <typename T> TICKLESS_INLINE void atomic_store_explicit(atomic<T>* a, scalar<T> v, memory_order) {
    *(volatile T*)&a->value = v;
}
// Where several GPUs run a program, atomics are atomic among all of them.
#ifdef TICKLESS_SEVERAL
#define TICKLESS_AMONG_ALL(call) call##_system
#else
#define TICKLESS_AMONG_ALL(call) call
#endif
#define TICKLESS_ATOMIC(name, call)                                                                                    \
    template <typename T> TICKLESS_INLINE T atomic_##name##_explicit(atomic<T>* a, scalar<T> v, memory_order) {        \
        return TICKLESS_AMONG_ALL(call)(&a->value, v);                                                                 \
    }
TICKLESS_ATOMIC(fetch_add, atomicAdd)
TICKLESS_ATOMIC(fetch_and, atomicAnd)
TICKLESS_ATOMIC(fetch_or, atomicOr)
TICKLESS_ATOMIC(fetch_xor, atomicXor)
TICKLESS_ATOMIC(fetch_min, atomicMin)
TICKLESS_ATOMIC(fetch_max, atomicMax)
TICKLESS_ATOMIC(exchange, atomicExch)
#undef TICKLESS_ATOMIC
template <typename T> TICKLESS_INLINE T atomic_fetch_sub_explicit(atomic<T>* a, scalar<T> v, memory_order) {
    return TICKLESS_AMONG_ALL(atomicAdd)(&a->value, T(0) - v);
}
// 64-bit minima and maxima give nothing back.
template <typename T> TICKLESS_INLINE void atomic_min_explicit(atomic<T>* a, scalar<T> v, memory_order) {
    TICKLESS_AMONG_ALL(atomicMin)(&a->value, v);
}
template <typename T> TICKLESS_INLINE void atomic_max_explicit(atomic<T>* a, scalar<T> v, memory_order) {
    TICKLESS_AMONG_ALL(atomicMax)(&a->value, v);
}
template <typename T>
TICKLESS_INLINE bool atomic_compare_exchange_weak_explicit(
    atomic<T>* a, T* expected, scalar<T> desired, memory_order, memory_order
) {
    T found = TICKLESS_AMONG_ALL(atomicCAS)(&a->value, *expected, desired);
    bool swapped = found == *expected;
    *expected = found;
    return swapped;
}

// Barriers.

enum class mem_flags { mem_none, mem_device, mem_threadgroup, mem_texture };
TICKLESS_INLINE void threadgroup_barrier(mem_flags) { __syncthreads(); }
TICKLESS_INLINE void simdgroup_barrier(mem_flags) { __syncwarp(); }

// Subgroups are warps, and all their lanes take part: WGSL's uniformity rules ask for it.

template <typename T> TICKLESS_INLINE T simd_shuffle(T a, uint lane) { return __shfl_sync(0xffffffffu, a, lane); }
template <typename T> TICKLESS_INLINE T simd_broadcast(T a, uint lane) { return __shfl_sync(0xffffffffu, a, lane); }
template <typename T> TICKLESS_INLINE T simd_broadcast_first(T a) { return __shfl_sync(0xffffffffu, a, 0); }
template <typename T> TICKLESS_INLINE T simd_shuffle_up(T a, uint d) { return __shfl_up_sync(0xffffffffu, a, d); }
template <typename T> TICKLESS_INLINE T simd_shuffle_down(T a, uint d) { return __shfl_down_sync(0xffffffffu, a, d); }
template <typename T> TICKLESS_INLINE T simd_shuffle_xor(T a, uint m) { return __shfl_xor_sync(0xffffffffu, a, m); }
TICKLESS_INLINE ulong simd_ballot(bool a) { return __ballot_sync(0xffffffffu, a); }
TICKLESS_INLINE bool simd_all(bool a) { return __all_sync(0xffffffffu, a); }
TICKLESS_INLINE bool simd_any(bool a) { return __any_sync(0xffffffffu, a); }

template <typename T, typename F> TICKLESS_INLINE T warp_reduce(T a, F f) {
    for (int distance = 16; distance > 0; distance /= 2) a = f(a, __shfl_xor_sync(0xffffffffu, a, distance));
    return a;
}
template <typename T, typename F> TICKLESS_INLINE T warp_scan(T a, F f) {
    uint lane = threadIdx.x % 32u;
    for (uint distance = 1; distance < 32; distance *= 2) {
        T before = __shfl_up_sync(0xffffffffu, a, distance);
        if (lane >= distance) a = f(before, a);
    }
    return a;
}
template <typename T> TICKLESS_INLINE T simd_sum(T a) { return warp_reduce(a, add()); }
template <typename T> TICKLESS_INLINE T simd_product(T a) { return warp_reduce(a, multiply()); }
template <typename T> TICKLESS_INLINE T simd_min(T a) { return warp_reduce(a, min_of()); }
template <typename T> TICKLESS_INLINE T simd_max(T a) { return warp_reduce(a, max_of()); }
template <typename T> TICKLESS_INLINE T simd_and(T a) { return warp_reduce(a, conjoin()); }
template <typename T> TICKLESS_INLINE T simd_or(T a) { return warp_reduce(a, disjoin()); }
template <typename T> TICKLESS_INLINE T simd_xor(T a) { return warp_reduce(a, exclude()); }
#if __CUDA_ARCH__ >= 800
TICKLESS_INLINE uint simd_sum(uint a) { return __reduce_add_sync(0xffffffffu, a); }
TICKLESS_INLINE uint simd_min(uint a) { return __reduce_min_sync(0xffffffffu, a); }
TICKLESS_INLINE uint simd_max(uint a) { return __reduce_max_sync(0xffffffffu, a); }
TICKLESS_INLINE uint simd_and(uint a) { return __reduce_and_sync(0xffffffffu, a); }
TICKLESS_INLINE uint simd_or(uint a) { return __reduce_or_sync(0xffffffffu, a); }
TICKLESS_INLINE uint simd_xor(uint a) { return __reduce_xor_sync(0xffffffffu, a); }
#endif
template <typename T> TICKLESS_INLINE T simd_prefix_inclusive_sum(T a) { return warp_scan(a, add()); }
template <typename T> TICKLESS_INLINE T simd_prefix_inclusive_product(T a) { return warp_scan(a, multiply()); }
template <typename T> TICKLESS_INLINE T simd_prefix_exclusive_sum(T a) { return warp_scan(a, add()) - a; }
template <typename T> TICKLESS_INLINE T simd_prefix_exclusive_product(T a) {
    T inclusive = warp_scan(a, multiply());
    T before = __shfl_up_sync(0xffffffffu, inclusive, 1);
    return threadIdx.x % 32u == 0u ? T(1) : before;
}

} // namespace metal

template <typename To, typename From> TICKLESS_INLINE To as_type(From from) {
    static_assert(sizeof(To) == sizeof(From), "as_type keeps the size");
    union Words {
        From from;
        To to;
        __device__ Words() {}
    } words;
    words.from = from;
    return words.to;
}

#ifdef TICKLESS_SEVERAL
// The status as the last step has left it, for reads only. It lies with the GPU that has workgroup 0, whose workgroups alone
// write more than counts there; a workgroup of another GPU reads it whole and once.
__shared__ const void* tickless_status;
__shared__ ulonglong2 tickless_status_words[64];

template <unsigned SIZE> TICKLESS_INLINE void tickless_read_status(unsigned first, const void* status) {
    static_assert(SIZE <= sizeof(tickless_status_words) && SIZE % 4 == 0, "the status fits");
    if (first == 0) {
        // Each thread reads only words that it has written itself.
        tickless_status = status;
        return;
    }
    for (unsigned word = threadIdx.x; word < SIZE / 4; word += blockDim.x) {
        ((unsigned*)tickless_status_words)[word] = ((const volatile unsigned*)status)[word];
    }
    tickless_status = tickless_status_words;
    __syncthreads();
}

// A workgroup that has ended sends the other GPUs the words that it has written: the words of its number in each row.
TICKLESS_INLINE void tickless_tell(
    unsigned number, const void* own, const unsigned long long* copies, unsigned gpus, unsigned row, unsigned rows
) {
    __syncthreads();
    if (threadIdx.x != 0 || number >= row) return;
    const unsigned long long* from = (const unsigned long long*)own;
    for (unsigned n = 0; n < rows; n++) {
        for (unsigned gpu = 0; gpu < gpus; gpu++) {
            unsigned long long* to = (unsigned long long*)copies[gpu];
            if (to != from) to[n * row + number] = from[n * row + number];
        }
    }
}
#endif
