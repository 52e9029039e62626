// Progress on stderr and the way to stop: Ctrl-C.
#pragma once

#include <termios.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "navvy/progress.hpp"

namespace navvy::cli {

/// From now on SIGINT and SIGTERM end the command with code 130: through the progress callback
/// while work that can be stopped is under way, at once otherwise. SIGPIPE ends it quietly.
void handle_signals();

/// The output is complete: who ends the command from now on is told so.
void remember_written(const std::filesystem::path& path);

/// Who ends the command from now on finds the terminal at stdin as it was before; null: it is so.
void restore_when_ended(const termios* before);

/// Shows how far work has come while it lives: a bar with the time left on a terminal, a line every
/// ten seconds otherwise. Its callback says "stop" after Ctrl-C.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// What follows is one part of a job, from one share of it to another: the bar is that of the
  /// whole job, and names the part.
  void enter(std::string part, double from, double to);

  /// Takes the bar off the screen until it is drawn again, so that lines can be written.
  void clear();

  /// Refers to this object.
  [[nodiscard]] ProgressCallback callback();

 private:
  using Clock = std::chrono::steady_clock;

  /// A part of a job.
  struct Part {
    std::string name;
    double from = 0;
    double to = 1;
    double done = 0;  ///< of this part; never falls, though phases begin at 0
  };

  double share_of_job(const Progress& progress, double share);

  void update(const Progress& progress);
  void show_bar(double share, const std::string& left);
  [[nodiscard]] const std::string& name() const { return part_ ? part_->name : phase_; }

  std::optional<Part> part_;
  std::string phase_;
  Clock::time_point start_;
  double start_share_ = 0;  // of work that goes on from an earlier run
  Clock::time_point next_line_;
  bool bar_shown_ = false;
};

/// "0:07", "12:40", "3:05:00".
std::string clock_text(double seconds);

}  // namespace navvy::cli
