# The third-party libraries, found once. The installed package includes this file too, so that a
# program that links navvy::navvy finds the same targets.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
foreach(pair hwy=libhwy xxhash=libxxhash libzip=libzip zstd=libzstd re2=re2 utf8proc=libutf8proc
        simdjson=simdjson png=libpng jpeg=libjpeg)
  string(REPLACE "=" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 module)
  pkg_check_modules(${name} REQUIRED QUIET IMPORTED_TARGET GLOBAL ${module})
endforeach()

# OpenCL's headers suffice: the library itself is loaded at run time, where there is one.
find_path(OPENCL_INCLUDE_DIR CL/cl.h REQUIRED)
if(NOT TARGET opencl_headers)
  add_library(opencl_headers INTERFACE IMPORTED GLOBAL)
  target_include_directories(opencl_headers SYSTEM INTERFACE "${OPENCL_INCLUDE_DIR}")
endif()
