// The one exception of the library.
#pragma once

#include <stdexcept>
#include <string>

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
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace navvy
