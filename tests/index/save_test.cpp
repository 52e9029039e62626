// Saving under bad conditions: whatever happens, the name holds the old file or the new one, whole.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <random>
#include <thread>

#include "index/examples.hpp"
#include "index/faults.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

using navvy::test::Fault;
using navvy::test::fault;
using navvy::test::strikes;

// These stand before the ones of the C library for the whole test program.
extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  if (strikes()) {
    if (fault.kind == Fault::error) return -1;
    size = (size + 1) / 2;
  } else if (fault.kind == Fault::die && fault.call == 0) {
    // The next call is the fatal one: leave half a piece behind, as a crash would.
    size = (size + 1) / 2;
  }
  return ::syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t place) {
  if (strikes()) {
    if (fault.kind == Fault::error) return -1;
    size = (size + 1) / 2;
  } else if (fault.kind == Fault::die && fault.call == 0 && place != 0) {
    // A head of 64 bytes is written whole or not at all; anything else is left half written.
    size = (size + 1) / 2;
  }
  return ::syscall(SYS_pwrite64, file, bytes, size, place);
}

int ftruncate(int file, off_t size) noexcept {
  if (strikes() && fault.kind == Fault::error) return -1;
  return static_cast<int>(::syscall(SYS_ftruncate, file, size));
}

int fsync(int file) {
  if (strikes() && fault.kind == Fault::error) return -1;
  if (navvy::test::without_syncs) return 0;
  return static_cast<int>(::syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) noexcept {
  if (strikes() && fault.kind == Fault::error) return -1;
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

}  // extern "C"

namespace navvy {
namespace {

using test::error_of;
using test::files_in;
using test::in_child;
using ::testing::HasSubstr;

Index other_index() {
  Index index = test::full_index();
  index.properties["which"] = "other";
  return index;
}

bool holds_other(const std::filesystem::path& path) {
  return open_index(path).properties.contains("which");
}

// The number of faultable calls that one save makes.
int calls_of_a_save(const std::filesystem::path& path) {
  return test::calls_of([&] { save_index(test::full_index(), path); });
}

TEST(Save, ReportsTheErrorOfEveryCallAndKeepsTheOldFile) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.navvy";
  const int calls = calls_of_a_save(path);
  ASSERT_GT(calls, 20);
  for (const int number : {ENOSPC, EIO, EDQUOT}) {
    for (int call = 0; call < calls; ++call) {
      save_index(test::full_index(), path);
      fault = {Fault::error, call, number};
      const std::string message =
          error_of(ErrorCode::failed, [&] { save_index(other_index(), path); });
      fault = {};
      EXPECT_THAT(message, HasSubstr("x.navvy: cannot "));
      EXPECT_THAT(message, HasSubstr(std::generic_category().message(number)));
      // The last call syncs the folder, when the new file is in place already.
      EXPECT_EQ(holds_other(path), call == calls - 1);
      EXPECT_EQ(files_in(folder.path()), 1U) << "a temporary file is left";
    }
  }
}

TEST(Save, ContinuesAfterShortAndInterruptedWrites) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.navvy";
  const int calls = calls_of_a_save(path);
  for (int call = 0; call < calls; ++call) {
    fault = {Fault::short_write, call, 0};
    save_index(other_index(), path);
    fault = {};
    EXPECT_EQ(test::read_file(path), test::image_of(other_index()));
  }
  fault = {Fault::error, 3, EINTR};
  save_index(test::full_index(), path);
  fault = {};
  EXPECT_EQ(test::read_file(path), test::image_of(test::full_index()));
}

TEST(Save, SurvivesAKillAtEveryCall) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.navvy";
  const int calls = calls_of_a_save(path);
  for (int call = 0; call < calls; ++call) {
    save_index(test::full_index(), path);
    const int status = in_child([&] {
      fault = {Fault::die, call, 0};
      save_index(other_index(), path);
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << call;
    EXPECT_EQ(holds_other(path), call == calls - 1);
    save_index(other_index(), path);
    EXPECT_TRUE(holds_other(path));
    EXPECT_EQ(files_in(folder.path()), 1U) << "the next save leaves no temporary file";
  }
}

TEST(Save, SurvivesAKillAtAnyTime) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.navvy";
  Index large = other_index();
  large.snippets = Strings(std::vector<std::string>{std::string(2 << 20, 'x'), "", "", ""});
  save_index(test::full_index(), path);
  std::mt19937 random(1);
  const int most = test::thorough() ? 1000 : 200;
  for (int kills = 0; kills < most; ++kills) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) {
        save_index(large, path);
        save_index(test::full_index(), path);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ASSERT_EQ(open_index(path).rows.size(), 4U);
    ASSERT_LE(files_in(folder.path()), 2U);
  }
  save_index(test::full_index(), path);
  EXPECT_EQ(files_in(folder.path()), 1U);
}

// A limit of the real system instead of a simulated one.
TEST(Save, ReportsTheLimitOfFileSize) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.navvy";
  save_index(test::full_index(), path);
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1024, 1024};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      save_index(other_index(), path);
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).ends_with("File too large") ? 3 : 4);
    }
  });
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_FALSE(holds_other(path));
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(Save, ASecondWriterOfTheSameNameIsRefused) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.navvy";
  bool asked = false;
  save_index(test::full_index(), path, [&](const Progress&) {
    if (!asked) {
      asked = true;
      EXPECT_THAT(error_of(ErrorCode::failed, [&] { save_index(other_index(), path); }),
                  HasSubstr("x.navvy: is being written by somebody else"));
    }
    return true;
  });
  EXPECT_TRUE(asked);
  EXPECT_FALSE(holds_other(path));
}

TEST(Save, AnInterruptedSaveLeavesNothing) {
  const test::TemporaryFolder folder;
  error_of(ErrorCode::interrupted, [&] {
    save_index(test::full_index(), folder / "x.navvy", [](const Progress&) { return false; });
  });
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(Save, FollowsLinksAndRefusesWhatIsNoFile) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "deep");
  std::filesystem::create_symlink("deep/x.navvy", folder / "link");
  save_index(test::full_index(), folder / "link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "deep/x.navvy"));
  const auto message = [&](const std::filesystem::path& path) {
    return error_of(ErrorCode::failed, [&] { save_index(test::full_index(), path); });
  };
  EXPECT_THAT(message(folder / "deep"), HasSubstr("is a directory, expected a file to write"));
  EXPECT_THAT(message("/dev/null"), HasSubstr("is not a regular file"));
  EXPECT_THAT(message(folder / "none/x"), HasSubstr("cannot open its folder: No such file"));
  EXPECT_THAT(message(""), HasSubstr("expected the name of a file"));
}

TEST(Save, RefusesALoopOfLinks) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("self", folder / "self");
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  for (const char* name : {"self", "a"}) {
    EXPECT_THAT(error_of(ErrorCode::failed, [&] { save_index(test::full_index(), folder / name); }),
                HasSubstr(std::string(name) + ": is a loop of links, expected a file to write"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name));
  }
  EXPECT_EQ(files_in(folder.path()), 3U);
}

TEST(Save, PermissionsFollowTheUmask) {
  const test::TemporaryFolder folder;
  const mode_t old = ::umask(027);
  save_index(test::full_index(), folder / "x.navvy");
  ::umask(old);
  EXPECT_EQ(std::filesystem::status(folder / "x.navvy").permissions(),
            static_cast<std::filesystem::perms>(0640));
}

}  // namespace
}  // namespace navvy
