#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace navvy::test {

/// Root may read and write everything, so while this lives the process is somebody else.
class SomebodyElse {
 public:
  SomebodyElse() { EXPECT_EQ(::seteuid(self_ == 0 ? nobody : self_), 0); }
  SomebodyElse(const SomebodyElse&) = delete;
  SomebodyElse& operator=(const SomebodyElse&) = delete;
  ~SomebodyElse() { EXPECT_EQ(::seteuid(self_), 0); }

 private:
  static constexpr uid_t nobody = 65534;
  uid_t self_ = ::geteuid();
};

}  // namespace navvy::test
