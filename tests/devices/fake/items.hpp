// Runs a kernel that was compiled as plain C++: a thread for each item of a group, so that
// sanitizers see what items do to each other's memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

namespace fake {

/// Which item of which group this thread is.
struct Place {
  unsigned item = 0;
  unsigned group = 0;
  unsigned group_y = 0;
};
extern thread_local Place place;
extern unsigned items_of_group;

struct Shape {
  unsigned groups = 1;
  unsigned groups_y = 1;
  unsigned items = 1;
};

/// Runs all items of all groups, group after group; one call at a time. Returns what the kernel did
/// wrong, empty where it did not: some items wait where others do not, which would hang a device.
std::string run(const Shape& shape, const std::function<void()>& kernel);

/// Waits for all items of the group, which must come to the same line.
void wait(const char* file, int line);

/// Has this called before each group runs.
void before_each_group(std::function<void()> action);

/// Memory that the items of a group share. Each group finds nonsense in it: no numbers, or a count
/// that is wrong but leads nowhere beyond other memory.
class Local {
 public:
  template <class Value, std::size_t size>
  explicit Local(Value (&values)[size]) {
    before_each_group([&values] {
      using Limits = std::numeric_limits<Value>;
      if constexpr (std::is_integral_v<Value>)
        std::fill_n(values, size, Value(7));
      else if constexpr (std::is_floating_point_v<Value>)
        std::fill_n(values, size, Limits::quiet_NaN());
      else  // several floats: all bits set are no numbers
        std::memset(static_cast<void*>(values), 0xff, sizeof values);
    });
  }
};

}  // namespace fake
