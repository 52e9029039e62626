// The part of NVIDIA's driver interface that is used here. It is declared anew, since its header
// comes only with a toolkit that few machines have; names and numbers are those of CUDA 11.0 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace navvy::devices::cuda {

using Result = int;
using Address = std::uint64_t;  ///< of a device's memory
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using StreamHandle = struct StreamTag*;

inline constexpr Result success = 0;
inline constexpr Result out_of_memory = 2;
inline constexpr int largest_block = 1;      ///< of attributes: threads
inline constexpr int capability_major = 75;  ///< of attributes
inline constexpr int capability_minor = 76;  ///< of attributes
inline constexpr int error_log = 5;          ///< of options of modules
inline constexpr int error_log_bytes = 6;    ///< of options of modules
inline constexpr unsigned own_stream = 1;    ///< waits for no other stream

/// Its functions.
struct Driver {
  Result (*init)(unsigned flags);
  Result (*version)(int* version);
  Result (*count)(int* count);
  Result (*device)(int* device, int number);
  Result (*name)(char* name, int room, int device);
  Result (*total_memory)(std::size_t* bytes, int device);
  Result (*attribute)(int* value, int attribute, int device);
  Result (*error_name)(Result result, const char** name);
  Result (*error_text)(Result result, const char** text);
  Result (*retain_context)(Context* context, int device);
  Result (*release_context)(int device);
  Result (*push_context)(Context context);
  Result (*pop_context)(Context* context);
  Result (*allocate)(Address* address, std::size_t bytes);
  Result (*free)(Address address);
  Result (*write)(Address to, const void* from, std::size_t bytes, StreamHandle stream);
  Result (*read)(void* to, Address from, std::size_t bytes, StreamHandle stream);
  Result (*fill)(Address to, unsigned word, std::size_t words, StreamHandle stream);
  Result (*make_stream)(StreamHandle* stream, unsigned flags);
  Result (*destroy_stream)(StreamHandle stream);
  Result (*finish)(StreamHandle stream);
  Result (*load)(Module* module, const void* image, unsigned count, int* options, void** values);
  Result (*unload)(Module module);
  Result (*function)(Function* function, Module module, const char* name);
  Result (*launch)(Function function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                   unsigned items_x, unsigned items_y, unsigned items_z, unsigned local_bytes,
                   StreamHandle stream, void** arguments, void** extra);
};

/// The driver, ready for calls; null where there is none, or none that works. Throws Error(failed)
/// in a process that was forked after the first call.
const Driver* driver();

/// What a code means, in the driver's own words.
std::string text_of(const Driver& driver, Result result);

}  // namespace navvy::devices::cuda
