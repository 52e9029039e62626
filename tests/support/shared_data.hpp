#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace navvy::test {

/// A file of the public data sets, such as "mnist/t10k-images-idx3-ubyte.gz", in the folder that
/// the environment variable NAVVY_DATA names or in shared/data beside the project.
inline std::filesystem::path shared_data(const std::string& name) {
  const char* folder = std::getenv("NAVVY_DATA");
  return std::filesystem::path(folder != nullptr ? folder : NAVVY_SHARED_DATA) / name;
}

}  // namespace navvy::test

/// Ends the test as skipped, naming the file, where the data sets are not at hand.
#define NAVVY_NEEDS_DATA(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no data set at " << (path)
