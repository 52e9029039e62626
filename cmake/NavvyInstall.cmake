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

# The man page repeats what the command says of itself, so the command writes it.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  set(man_page "${PROJECT_BINARY_DIR}/navvy.1")
  set(help_pages "${PROJECT_SOURCE_DIR}/tools/help_pages.py")
  add_custom_command(OUTPUT "${man_page}"
                     COMMAND "${Python3_EXECUTABLE}" "${help_pages}" $<TARGET_FILE:navvy_cli> "${man_page}"
                     DEPENDS navvy_cli "${help_pages}" VERBATIM)
  add_custom_target(navvy_man ALL DEPENDS "${man_page}")
  install(FILES "${man_page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
endif()

install(TARGETS navvy_cli)
install(TARGETS navvy EXPORT navvyTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/navvy" TYPE INCLUDE)
install(EXPORT navvyTargets NAMESPACE navvy:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/navvyConfig.cmake"
              "${PROJECT_BINARY_DIR}/navvyConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/NavvyDependencies.cmake" DESTINATION "${package_dir}")
