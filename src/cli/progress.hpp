// Progress on stderr and the way to stop: Ctrl-C.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "navvy/progress.hpp"

namespace navvy::cli {

/// From now on SIGINT and SIGTERM end the command with code 130: through the progress callback
/// while work that can be stopped is under way, at once otherwise. SIGPIPE ends it quietly.
void handle_signals();

/// The output is complete: who ends the command from now on is told so.
void remember_written(const std::filesystem::path& path);

/// Shows how far work has come while it lives: a bar with the time left on a terminal, a line every
/// ten seconds otherwise. Its callback says "stop" after Ctrl-C.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Refers to this object.
  [[nodiscard]] ProgressCallback callback();

 private:
  using Clock = std::chrono::steady_clock;

  void update(const Progress& progress);
  void show_bar(const Progress& progress, double share, const std::string& left);

  std::string phase_;
  Clock::time_point start_;
  double start_share_ = 0;  // of work that goes on from an earlier run
  Clock::time_point next_line_;
  bool bar_shown_ = false;
};

/// "0:07", "12:40", "3:05:00".
std::string clock_text(double seconds);

}  // namespace navvy::cli
