// The functions of OpenCL that are used, found at run time in whatever loader is installed.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace navvy::devices {

#define NAVVY_OPENCL_FUNCTIONS(apply)                                                             \
  apply(clGetPlatformIDs) apply(clGetPlatformInfo) apply(clGetDeviceIDs) apply(clGetDeviceInfo)   \
      apply(clCreateContext) apply(clReleaseContext) apply(clCreateCommandQueue)                  \
          apply(clReleaseCommandQueue) apply(clCreateBuffer) apply(clReleaseMemObject)            \
              apply(clCreateProgramWithSource) apply(clBuildProgram) apply(clGetProgramBuildInfo) \
                  apply(clReleaseProgram) apply(clCreateKernel) apply(clReleaseKernel)            \
                      apply(clSetKernelArg) apply(clEnqueueNDRangeKernel)                         \
                          apply(clEnqueueWriteBuffer) apply(clEnqueueReadBuffer)                  \
                              apply(clEnqueueFillBuffer) apply(clFinish)

/// One pointer for each.
struct OpenClApi {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration cannot have them
#define NAVVY_DECLARE(name) decltype(::name)* name = nullptr;
  NAVVY_OPENCL_FUNCTIONS(NAVVY_DECLARE)
#undef NAVVY_DECLARE
};

/// Null where there is no loader, or one that lacks a function.
const OpenClApi* opencl_api();

/// Throws Error(limit) where a code says that memory is full, Error(failed) for others but success.
void check_opencl(cl_int code, const std::string& device, const char* what);

}  // namespace navvy::devices
