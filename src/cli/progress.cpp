// Draws the bar, and turns signals into a wish to stop.
#include "cli/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <string_view>
#include <utility>

#include "cli/terminal.hpp"
#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

constexpr int exit_interrupted = static_cast<int>(ErrorCode::interrupted);

// Touched by the signal handler: lock-free atomics only.
std::atomic<bool> stop_asked{false};
std::atomic<int> stoppable_work{0};
std::atomic<bool> bar_on_screen{false};
std::atomic<const std::string*> written{nullptr};  // what to say about the output
std::atomic<const termios*> terminal_before{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<const std::string*>::is_always_lock_free);

// Outside of stoppable work nothing is half-written, so ending at once is safe. A second signal
// means that somebody is in earnest.
void on_signal(int) {
  if (stoppable_work.load() > 0 && !stop_asked.exchange(true)) return;
  if (bar_on_screen.load()) {
    constexpr char clear[] = "\r\033[K";
    (void)!write(STDERR_FILENO, clear, sizeof clear - 1);
  }
  if (const std::string* line = written.load()) {
    (void)!write(STDERR_FILENO, line->data(), line->size());
  }
  if (const termios* before = terminal_before.load()) tcsetattr(STDIN_FILENO, TCSANOW, before);
  _exit(exit_interrupted);
}

}  // namespace

void handle_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on files is an error of the write, not the end
}

void restore_when_ended(const termios* before) { terminal_before = before; }

void remember_written(const std::filesystem::path& path) {
  // Never changed once the handler can see it, and there until the process ends.
  written = new std::string(  // NOLINT(cppcoreguidelines-owning-memory)
      fmt::format("navvy: interrupted; {} was written before\n", one_line(path.string(), 300)));
}

std::string clock_text(double seconds) {
  const auto total = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, 3.6e8)));
  const long long hours = total / 3600;
  const long long minutes = total / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60);
  return fmt::format("{}:{:02}", minutes, total % 60);
}

ProgressDisplay::ProgressDisplay()
    : start_(Clock::now()), next_line_(start_ + std::chrono::seconds(10)) {
  ++stoppable_work;
}

ProgressDisplay::~ProgressDisplay() {
  clear();
  --stoppable_work;
}

void ProgressDisplay::enter(std::string part, double from, double to) {
  part_ = Part{std::move(part), from, to};
}

void ProgressDisplay::clear() {
  if (!bar_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  bar_shown_ = false;
  bar_on_screen = false;
}

ProgressCallback ProgressDisplay::callback() {
  return [this](const Progress& progress) {
    if (stop_asked.load()) return false;
    update(progress);
    return true;
  };
}

void ProgressDisplay::update(const Progress& progress) {
  if (is_quiet()) return;
  const Clock::time_point now = Clock::now();
  double share =
      progress.total == 0
          ? 0
          : std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  if (part_) {
    share = share_of_job(progress, share);
  } else if (progress.phase != phase_) {
    start_ = now;
    start_share_ = share;
  }
  phase_ = progress.phase;
  if (progress.total == 0) return;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  // Short work needs no bar, and a guess from the first moments is worth nothing.
  if (elapsed < 0.5) return;
  const double gained = share - start_share_;
  const std::string left =
      gained > 0.005 ? clock_text(elapsed * (1 - share) / gained) + " left" : "";
  if (talk_terminal().interactive) {
    show_bar(share, left);
  } else if (now >= next_line_) {
    next_line_ = now + std::chrono::seconds(10);
    talk(fmt::format("navvy: {}: {:.0f} %{}{}", name(), 100 * share, left.empty() ? "" : ", ",
                     left));
  }
}

// Most of the time goes into one phase; how many come before and after it depends on the data.
double ProgressDisplay::share_of_job(const Progress& progress, double share) {
  const auto is_phase = [&](std::string_view name) { return progress.phase == name; };
  const bool main =
      is_phase("all pairs") || is_phase("queries") || is_phase("pairs") || is_phase("distances");
  constexpr double main_from = 0.1;
  constexpr double main_to = 0.95;
  const double done = main ? main_from + (main_to - main_from) * share : 0;
  part_->done = std::max(part_->done, done);
  return part_->from + (part_->to - part_->from) * part_->done;
}

void ProgressDisplay::show_bar(double share, const std::string& left) {
  const Terminal& terminal = talk_terminal();
  constexpr std::size_t width = 30;
  const auto filled = static_cast<std::size_t>(share * width);
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) {
    if (terminal.unicode) {
      bar += i < filled ? "\u2588" : "\u2591";
    } else {
      bar += i < filled ? '#' : '.';
    }
  }
  bar_on_screen = true;
  bar_shown_ = true;
  fmt::print(stderr, "\r\033[K{} {} {:3.0f} %  {}", one_line(name(), 30),
             paint(terminal, Colour::cyan, bar), 100 * share, left);
  std::fflush(stderr);
}

}  // namespace navvy::cli
