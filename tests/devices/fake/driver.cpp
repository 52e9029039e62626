// A stand-in for NVIDIA's driver: the part of libcuda.so.1 that navvy uses, on the processor's
// memory, for machines without such a card. It is stricter than the real one: it knows every piece
// of memory and refuses copies and arguments beyond it.
//
// The environment says what it is and when it fails:
//   FAKE_CUDA_DEVICES   how many devices; 1
//   FAKE_CUDA_MEMORY    bytes of each; 256 MB
//   FAKE_CUDA_GROUP     largest number of items in a group; 8. Each is a thread: 1 is the fastest.
//   FAKE_CUDA_FAIL      "memory:3": the third allocation fails, counted since this was set; so do
//                       "stream:1", "write:1", "read:1", "module:1", "launch:1" for these;
//                       "lost:5": the fifth call and all after it fail; "init:1"
//   FAKE_CUDA_PLANTED   an error in the kernels, which tests of the tests expect to be noticed:
//                       "no_barrier:costs.cl:105", nobody waits at that line of the text;
//                       "divergent:costs.cl:105", only every other item does;
//                       "off_by_one", every group takes itself for the next
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "devices/cuda_driver.hpp"
#include "devices/fake/items.hpp"
#include "devices/fake/kernels.hpp"

namespace navvy::devices::cuda {
struct ContextTag {
  int device;
  std::uint64_t used;
};
struct ModuleTag {
  int levels;
};
struct FunctionTag {
  const fake::Binder* binder;
};
struct StreamTag {
  Result failed;
};
}  // namespace navvy::devices::cuda

namespace {

using namespace navvy::devices::cuda;

constexpr Result invalid_value = 1;
constexpr Result not_initialized = 3;
constexpr Result no_device = 100;
constexpr Result invalid_context = 201;
constexpr Result invalid_ptx = 218;
constexpr Result invalid_handle = 400;
constexpr Result not_found = 500;
constexpr Result illegal_address = 700;
constexpr Result launch_failed = 719;
constexpr Result unknown = 999;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

int devices() { return static_cast<int>(setting("FAKE_CUDA_DEVICES", 1)); }

struct Piece {
  ContextTag* context;
  std::uint64_t bytes;
};

struct State {
  std::mutex mutex;
  bool is_ready = false;
  std::map<int, ContextTag> contexts;
  std::map<std::uint64_t, Piece> memory;
  std::string failures;              // what FAKE_CUDA_FAIL was when the counts began
  std::map<std::string, int> calls;  // by kind, since then
  std::string done_wrong;            // what the kernel of the last failed launch did
};

State& state() {
  static State& only = *new State;
  return only;
}

thread_local std::vector<ContextTag*> stack;

// Whether this call of a kind is one that is to fail.
bool is_time(State& all, const std::string& kind, bool and_later) {
  const char* value = std::getenv("FAKE_CUDA_FAIL");
  const std::string wanted = value == nullptr ? "" : value;
  if (wanted != all.failures) {
    all.failures = wanted;
    all.calls.clear();
  }
  if (!wanted.starts_with(kind + ":")) return false;
  const int limit = std::atoi(wanted.c_str() + kind.size() + 1);
  const int call = ++all.calls[kind];
  return and_later ? call >= limit : call == limit;
}

// What all calls on a device begin with.
Result begin(State& all, const char* kind = "other") {
  if (is_time(all, "lost", true)) return unknown;
  if (!all.is_ready) return not_initialized;
  if (stack.empty()) return invalid_context;
  if (!is_time(all, kind, false)) return success;
  if (std::strcmp(kind, "module") == 0) return invalid_ptx;
  return std::strcmp(kind, "launch") == 0 ? launch_failed : out_of_memory;
}

bool is_within(State& all, std::uint64_t address, std::uint64_t bytes) {
  auto found = all.memory.upper_bound(address);
  if (found == all.memory.begin()) return false;
  --found;
  const std::uint64_t offset = address - found->first;
  return offset <= found->second.bytes && bytes <= found->second.bytes - offset;
}

void* pointer(Address address) { return reinterpret_cast<void*>(address); }

}  // namespace

#define DRIVER extern "C" __attribute__((visibility("default"))) Result

DRIVER cuInit(unsigned) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (is_time(all, "init", true)) return unknown;
  if (devices() == 0) return no_device;
  all.is_ready = true;
  return success;
}

DRIVER cuDriverGetVersion(int* version) {
  *version = 12060;
  return success;
}

DRIVER cuDeviceGetCount(int* count) {
  *count = devices();
  return success;
}

DRIVER cuDeviceGet(int* device, int number) {
  *device = number;
  return number >= 0 && number < devices() ? success : 101;
}

DRIVER cuDeviceGetName(char* name, int room, int) {
  std::snprintf(name, static_cast<std::size_t>(room), "Fake");
  return success;
}

DRIVER cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = setting("FAKE_CUDA_MEMORY", 256 << 20);
  return success;
}

DRIVER cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case largest_block:
      *value = static_cast<int>(setting("FAKE_CUDA_GROUP", 8));
      break;
    case capability_major:
      *value = 6;
      break;
    case capability_minor:
      *value = 1;
      break;
    default:
      return invalid_value;
  }
  return success;
}

DRIVER cuGetErrorName(Result result, const char** name) {
  static const std::map<Result, const char*> names = {
      {invalid_value, "CUDA_ERROR_INVALID_VALUE"},
      {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {not_initialized, "CUDA_ERROR_NOT_INITIALIZED"},
      {no_device, "CUDA_ERROR_NO_DEVICE"},
      {invalid_context, "CUDA_ERROR_INVALID_CONTEXT"},
      {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
      {invalid_handle, "CUDA_ERROR_INVALID_HANDLE"},
      {not_found, "CUDA_ERROR_NOT_FOUND"},
      {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {launch_failed, "CUDA_ERROR_LAUNCH_FAILED"},
      {unknown, "CUDA_ERROR_UNKNOWN"},
  };
  const auto found = names.find(result);
  *name = found == names.end() ? nullptr : found->second;
  return *name == nullptr ? invalid_value : success;
}

DRIVER cuGetErrorString(Result result, const char** text) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  *text = result == out_of_memory                              ? "out of memory"
          : result == launch_failed && !all.done_wrong.empty() ? all.done_wrong.c_str()
          : result == launch_failed                            ? "unspecified launch failure"
                                                               : "the fake driver says no";
  return success;
}

DRIVER cuDevicePrimaryCtxRetain(Context* context, int device) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (is_time(all, "lost", true)) return unknown;
  if (!all.is_ready) return not_initialized;
  *context = &all.contexts.try_emplace(device, ContextTag{device, 0}).first->second;
  return success;
}

DRIVER cuDevicePrimaryCtxRelease_v2(int) { return success; }

DRIVER cuCtxPushCurrent_v2(Context context) {
  stack.push_back(context);
  return success;
}

DRIVER cuCtxPopCurrent_v2(Context* context) {
  if (stack.empty()) return invalid_context;
  *context = stack.back();
  stack.pop_back();
  return success;
}

DRIVER cuMemAlloc_v2(Address* address, std::size_t bytes) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all, "memory"); result != success) return result;
  if (bytes == 0) return invalid_value;
  ContextTag* context = stack.back();
  const std::uint64_t room = setting("FAKE_CUDA_MEMORY", 256 << 20);
  if (context->used > room || bytes > room - context->used) return out_of_memory;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) return out_of_memory;
  std::memset(memory, 0xff, bytes);  // nothing may count on what is in fresh memory
  *address = reinterpret_cast<Address>(memory);
  context->used += bytes;
  all.memory[*address] = {context, bytes};
  return success;
}

DRIVER cuMemFree_v2(Address address) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.memory.find(address);
  if (found == all.memory.end()) return invalid_value;
  found->second.context->used -= found->second.bytes;
  all.memory.erase(found);
  std::free(pointer(address));
  return success;
}

DRIVER cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, StreamHandle) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all, "write"); result != success) return result;
  if (!is_within(all, to, bytes)) return invalid_value;
  std::memcpy(pointer(to), from, bytes);
  return success;
}

DRIVER cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, StreamHandle) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all, "read"); result != success) return result;
  if (!is_within(all, from, bytes)) return invalid_value;
  std::memcpy(to, pointer(from), bytes);
  return success;
}

DRIVER cuMemsetD32Async(Address to, unsigned word, std::size_t words, StreamHandle) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all); result != success) return result;
  if (!is_within(all, to, words * sizeof word) || to % sizeof word != 0) return invalid_value;
  for (std::size_t i = 0; i < words; ++i) static_cast<unsigned*>(pointer(to))[i] = word;
  return success;
}

DRIVER cuStreamCreate(StreamHandle* stream, unsigned) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all, "stream"); result != success) return result;
  *stream = new StreamTag{success};
  return success;
}

DRIVER cuStreamDestroy_v2(StreamHandle stream) {
  delete stream;
  return success;
}

DRIVER cuStreamSynchronize(StreamHandle stream) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  const Result result = begin(all);
  return result != success ? result : stream->failed;
}

DRIVER cuModuleLoadDataEx(Module* module, const void* image, unsigned count, int* options,
                          void** values) {
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all, "module"); result != success) {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] != error_log) continue;
      std::strcpy(static_cast<char*>(values[i]), "ptxas fatal:\n  the fake driver says no\n");
    }
    return result;
  }
  int levels = -1;
  if (std::sscanf(static_cast<const char*>(image), "// levels %d,", &levels) != 1) {
    return invalid_ptx;
  }
  *module = new ModuleTag{levels};
  return success;
}

DRIVER cuModuleUnload(Module module) {
  delete module;
  return success;
}

DRIVER cuModuleGetFunction(Function* function, Module module, const char* name) {
  static auto& functions = *new std::map<const fake::Binder*, FunctionTag>;
  State& all = state();
  const std::scoped_lock lock(all.mutex);
  if (const Result result = begin(all); result != success) return result;
  const auto found = fake::kernels().find({module->levels, name});
  if (found == fake::kernels().end()) return not_found;
  const fake::Binder* binder = &found->second;
  *function = &functions.try_emplace(binder, FunctionTag{binder}).first->second;
  return success;
}

DRIVER cuLaunchKernel(Function function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                      unsigned items_x, unsigned items_y, unsigned items_z, unsigned local_bytes,
                      StreamHandle stream, void** arguments, void** extra) {
  State& all = state();
  std::function<void()> call;
  {
    const std::scoped_lock lock(all.mutex);
    const Result result = begin(all, "launch");
    // A real driver tells of it when it is asked whether the work is done.
    if (result == launch_failed) stream->failed = result;
    if (result != success) return result == launch_failed ? success : result;
    if (groups_z != 1 || items_y != 1 || items_z != 1 || local_bytes != 0 || extra != nullptr ||
        groups_x == 0 || groups_y == 0 || groups_y > 65535 || items_x == 0 ||
        items_x > setting("FAKE_CUDA_GROUP", 8)) {
      return invalid_value;
    }
    call = (*function->binder)(arguments,
                               [&](std::uint64_t address) { return all.memory.contains(address); });
  }
  if (!call) {
    stream->failed = illegal_address;
    return success;
  }
  const std::string wrong = fake::run({groups_x, groups_y, items_x}, call);
  if (wrong.empty()) return success;
  const std::scoped_lock lock(all.mutex);
  all.done_wrong = wrong;
  stream->failed = launch_failed;
  return success;
}
