# What every source of the project is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
endif()

find_program(NAVVY_CCACHE ccache)
if(NAVVY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${NAVVY_CCACHE}")
endif()

add_library(navvy_flags INTERFACE)
# Results are the same bits on every machine: the compiler may not fuse a multiplication with an
# addition by itself; kernels ask for it explicitly.
# Where several files are compiled as one, a local name may well be that of something in another.
if(NOT CMAKE_UNITY_BUILD)
  set(shadow -Wshadow)
endif()
target_compile_options(navvy_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic ${shadow}
                       -Wconversion $<$<BOOL:${NAVVY_WERROR}>:-Werror>)
target_compile_definitions(navvy_flags INTERFACE NAVVY_VERSION="${PROJECT_VERSION}")
