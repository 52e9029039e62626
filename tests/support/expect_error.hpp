#pragma once

#include <gmock/gmock.h>

#include <string>

#include "navvy/error.hpp"

namespace navvy::test {

/// Runs `action`, which must throw Error(code); returns its message, which must be one line.
template <class Action>
std::string error_of(ErrorCode code, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace navvy::test
