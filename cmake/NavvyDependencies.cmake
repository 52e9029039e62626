# The third-party libraries, found once. The installed package includes this file too, so that a
# program that links navvy::navvy finds the same targets.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
foreach(pair hwy=libhwy xxhash=libxxhash libzip=libzip zstd=libzstd re2=re2 utf8proc=libutf8proc
        simdjson=simdjson)
  string(REPLACE "=" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 module)
  pkg_check_modules(${name} REQUIRED QUIET IMPORTED_TARGET GLOBAL ${module})
endforeach()

# LEMON's headers suffice for the network simplex; its library would only add solvers we do not use.
find_path(LEMON_INCLUDE_DIR lemon/network_simplex.h REQUIRED)
if(NOT TARGET lemon_headers)
  add_library(lemon_headers INTERFACE IMPORTED GLOBAL)
  target_include_directories(lemon_headers SYSTEM INTERFACE "${LEMON_INCLUDE_DIR}")
endif()

# OpenCL's headers suffice: the library itself is loaded at run time, where there is one.
find_path(OPENCL_INCLUDE_DIR CL/cl.h REQUIRED)
if(NOT TARGET opencl_headers)
  add_library(opencl_headers INTERFACE IMPORTED GLOBAL)
  target_include_directories(opencl_headers SYSTEM INTERFACE "${OPENCL_INCLUDE_DIR}")
endif()
