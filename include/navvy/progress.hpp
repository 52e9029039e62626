// How long work tells its caller and asks whether to go on.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace navvy {

/// How far a long piece of work has come. `done` of `total` units; units differ by phase.
struct Progress {
  std::string_view phase;  ///< what is being done, in a word or two
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// Called from the thread that started the work, at most about ten times a second and at least
/// every 0.1 s of work. Return false to stop: the work then throws Error(interrupted) and leaves no
/// half-written result. An empty function means: never stop, tell nobody.
using ProgressCallback = std::function<bool(const Progress&)>;

}  // namespace navvy
