// Finds OpenCL's functions, and says what its codes mean.
#include "devices/opencl_api.hpp"

#include "devices/library.hpp"
#include "navvy/error.hpp"

namespace navvy::devices {
namespace {

struct Loaded {
  OpenClApi api;
  bool is_whole = false;

  Loaded() {
    const Library library("libOpenCL.so.1");
    is_whole = library.is_loaded();
#define NAVVY_FIND(name) is_whole = is_whole && library.find(#name, api.name);
    NAVVY_OPENCL_FUNCTIONS(NAVVY_FIND)
#undef NAVVY_FIND
  }
};

const char* meaning(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      return "its memory is full";
    case CL_OUT_OF_RESOURCES:
      return "it is out of resources, or was lost";
    case CL_OUT_OF_HOST_MEMORY:
      return "its driver is out of memory";
    case CL_BUILD_PROGRAM_FAILURE:
      return "its compiler refuses the kernels";
    case CL_INVALID_BUFFER_SIZE:
      return "a piece of memory is larger than it can have";
    case CL_INVALID_WORK_GROUP_SIZE:
      return "too many items in a group";
    default:
      return "its driver reports an error";
  }
}

bool is_full(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

}  // namespace

const OpenClApi* opencl_api() {
  static const Loaded loaded;
  return loaded.is_whole ? &loaded.api : nullptr;
}

void check_opencl(cl_int code, const std::string& device, const char* what) {
  if (code == CL_SUCCESS) return;
  throw Error(
      is_full(code) ? ErrorCode::limit : ErrorCode::failed,
      device + ": " + what + ": " + meaning(code) + " (OpenCL " + std::to_string(code) + ")");
}

}  // namespace navvy::devices
