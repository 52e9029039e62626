#include <gtest/gtest.h>

#include <algorithm>
#include <string>

TEST(build, version_has_three_parts) {
  const std::string version = NAVVY_VERSION;
  EXPECT_EQ(std::count(version.begin(), version.end(), '.'), 2) << version;
}
