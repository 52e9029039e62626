#pragma once

#include <cstdlib>
#include <string>

namespace navvy::test {

/// A variable of the environment that is set for a while.
class Setting {
 public:
  Setting(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() { unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

}  // namespace navvy::test
