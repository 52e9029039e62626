// The one exception of the library.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "navvy/printable.hpp"

namespace navvy {

/// What went wrong, for programs. The command's exit code is the enumerator's value.
enum class ErrorCode {
  failed = 1,         ///< the machine said no: an I/O error, a full disk, no permission
  usage = 2,          ///< the caller asked for something that does not exist or does not fit
  bad_input = 3,      ///< a file or an array from outside is not what it should be
  damaged_index = 4,  ///< a .navvy file is truncated, altered or inconsistent
  limit = 5,          ///< the work does not fit the memory budget or a format's limit
  interrupted = 130,  ///< the progress callback asked to stop
};

/// The only exception that the library throws on purpose. The message is one line for a person: the
/// file, the place in it, what was found and what was expected, printable() whatever it quotes.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message)
      : std::runtime_error(printable(message)), code_(code) {}
  /// The same with what programs may ask for: the errno of the system and the file it spoke of.
  Error(ErrorCode code, const std::string& message, int system_error, std::string file)
      : Error(code, message) {
    system_error_ = system_error;
    file_ = std::make_shared<const std::string>(std::move(file));
  }
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  /// 0 where the system had no part in it.
  [[nodiscard]] int system_error() const noexcept { return system_error_; }
  /// Null where system_error() is 0.
  [[nodiscard]] const std::string* file() const noexcept { return file_.get(); }

 private:
  ErrorCode code_;
  int system_error_ = 0;
  std::shared_ptr<const std::string> file_;  // shared: copies of errors never throw
};

}  // namespace navvy
