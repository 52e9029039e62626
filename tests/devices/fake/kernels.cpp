// Includes the kernel text once for each number of levels and registers what it finds there.
#include "devices/fake/kernels.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "devices/fake/items.hpp"

using u32 = std::uint32_t;
using u64 = std::uint64_t;

#define WIDTH 2
#define KERNEL(name) static void name
#define GLOBAL
#define LOCAL(type, name, size) \
  static type name[size];       \
  static const ::fake::Local name##_kept(name)
#define LOCAL_POINTER
#define ITEM (::fake::place.item)
#define ITEMS (::fake::items_of_group)
#define GROUP (::fake::place.group)
#define GROUP_Y (::fake::place.group_y)
#define BARRIER ::fake::wait(__FILE__, __LINE__)
#define BARRIER_ALL BARRIER
#define NEXT_PLACE(counter) __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED)
#define FUSED(a, b, c) std::fma(a, b, c)
#define FUSED_DOUBLE(a, b, c) std::fma(a, b, c)
#define ROOT(x) std::sqrt(x)
#define ROOT_DOUBLE(x) std::sqrt(x)
#define EXP_DOUBLE(x) std::exp(x)
#define AS_UINT(x) std::bit_cast<u32>(x)
#define AS_FLOAT(x) std::bit_cast<float>(x)

namespace fake {
namespace {

// What the name of a kernel means where the text has none of that name for a number of levels:
// lookup then finds these.
struct Missing {};
#define NAME(name) [[maybe_unused]] constexpr Missing name;
#include "kernel_names.inc"
#undef NAME

using Registry = std::map<std::pair<int, std::string>, Binder>;

template <class Value>
Value value_at(void* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Value>
bool is_sound(const Value& value, const IsMemory& is_memory) {
  if constexpr (std::is_pointer_v<Value>) {
    return value == nullptr || is_memory(reinterpret_cast<std::uint64_t>(value));
  }
  return true;
}

template <class... Values, std::size_t... places>
std::function<void()> bound(void (*kernel)(Values...), void** arguments, const IsMemory& is_memory,
                            std::index_sequence<places...>) {
  const std::tuple<Values...> values{value_at<Values>(arguments[places])...};
  if (!(is_sound(std::get<places>(values), is_memory) && ...)) return {};
  return [kernel, values] { std::apply(kernel, values); };
}

void add(Registry&, int, const char*, Missing) {}

template <class... Values>
void add(Registry& registry, int levels, const char* name, void (*kernel)(Values...)) {
  registry[{levels, name}] = [kernel](void** arguments, const IsMemory& is_memory) {
    return bound(kernel, arguments, is_memory, std::index_sequence_for<Values...>{});
  };
}

#define LEVELS 0
namespace levels_0 {
#include "kernels.inl"
}
#undef LEVELS
#define LEVELS 2
namespace levels_2 {
#include "kernels.inl"
}
#undef LEVELS
#define LEVELS 1
namespace levels_1 {
#include "kernels.inl"
}
#undef LEVELS
#define LEVELS 4
namespace levels_4 {
#include "kernels.inl"
}
#undef LEVELS
#define LEVELS 8
namespace levels_8 {
#include "kernels.inl"
}
#undef LEVELS
#define LEVELS 16
namespace levels_16 {
#include "kernels.inl"
}
#undef LEVELS

}  // namespace

const Registry& kernels() {
  static const Registry& all = *[] {
    auto* registry = new Registry;
    levels_0::add_all(*registry);
    levels_2::add_all(*registry);
    levels_1::add_all(*registry);
    levels_4::add_all(*registry);
    levels_8::add_all(*registry);
    levels_16::add_all(*registry);
    return registry;
  }();
  return all;
}

}  // namespace fake
