# What `cmake --install` leaves: the command, the library, its headers and the package navvy for
# find_package.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/navvy")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/navvyConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/navvyConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/navvyConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)

install(TARGETS navvy_cli)
install(TARGETS navvy EXPORT navvyTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/navvy" TYPE INCLUDE)
install(EXPORT navvyTargets NAMESPACE navvy:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/navvyConfig.cmake"
              "${PROJECT_BINARY_DIR}/navvyConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/NavvyDependencies.cmake" DESTINATION "${package_dir}")
