// Edits under bad conditions: whatever happens, the file holds the state before or after, whole,
// and what was said to be done stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "index/faults.hpp"
#include "index/living.hpp"
#include "index/lock.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::document;
using test::error_of;
using test::Fault;
using test::fault;
using test::in_child;
using ::testing::HasSubstr;

using Edit = std::function<void(IndexWriter&)>;

class EditFaults : public test::Living {
 protected:
  // An index that was edited before, so that every kind of edit has something to do.
  void prepare() {
    if (!prepared_.empty()) return test::write_file(path_, prepared_);
    save_index(build({document("a", "cat dog", "l"), document("b", "dog fish"),
                      document("c", "runs fast", "m")},
                     Weighting::tfidf),
               path_);
    IndexWriter writer(path_);
    writer.add(rows_for(writer, {document("d", "slow Paris"), document("e", "cat")}));
    writer.remove(std::vector<std::string>{"b"});
    prepared_ = test::read_file(path_);
  }

  std::vector<std::pair<std::string, Edit>> edits() {
    return {
        {"add",
         [&](IndexWriter& writer) {
           writer.add(rows_for(writer, {document("f", "New_York cat")}));
         }},
        {"remove",
         [](IndexWriter& writer) {
           writer.remove(std::vector<std::string>{"a", "e"});
         }},
        {"update",
         [&](IndexWriter& writer) {
           writer.update(rows_for(writer, {document("c", "dog"), document("g", "fish")}, true));
         }},
        {"compact", [](IndexWriter& writer) { writer.compact(); }},
        {"reweigh", [](IndexWriter& writer) { writer.compact(true); }},
    };
  }

  // What searches see, as bytes.
  std::vector<std::byte> state() const { return to_bytes(open_index(path_)); }

  std::vector<std::byte> state_after(const Edit& edit) {
    prepare();
    IndexWriter writer(path_);
    edit(writer);
    return state();
  }

  int calls_of(const Edit& edit) {
    prepare();
    IndexWriter writer(path_);
    return test::calls_of([&] { edit(writer); });
  }

 private:
  std::string prepared_;
};

TEST_F(EditFaults, AnErrorOfAnyCallLeavesTheOldStateOrTheNew) {
  for (const auto& [name, edit] : edits()) {
    SCOPED_TRACE(name);
    prepare();
    const auto before = state();
    const auto after = state_after(edit);
    const int calls = calls_of(edit);
    ASSERT_GE(calls, 5);
    int done = 0;
    for (const int number : {ENOSPC, EIO}) {
      for (int call = 0; call < calls; ++call) {
        prepare();
        {
          IndexWriter writer(path_);
          fault = {Fault::error, call, number};
          const std::string message =
              error_of(ErrorCode::failed, [&, &edit = edit] { edit(writer); });
          fault = {};
          EXPECT_THAT(message, HasSubstr("x.navvy: cannot "));
        }
        const auto found = state();
        EXPECT_TRUE(found == before || found == after) << call;
        done += found == after ? 1 : 0;
        EXPECT_EQ(test::files_in(folder_.path()), 2U) << "a temporary file is left";
        IndexWriter writer(path_);
        if (found == before) edit(writer);
        EXPECT_EQ(state(), after) << "the next edit works";
      }
    }
    EXPECT_GE(done, 2) << "where only the last sync fails, the edit is there";
  }
}

TEST_F(EditFaults, AKillAtAnyCallLeavesTheOldStateOrTheNew) {
  for (const auto& [name, edit] : edits()) {
    SCOPED_TRACE(name);
    prepare();
    const auto before = state();
    const auto after = state_after(edit);
    const int calls = calls_of(edit);
    bool seen_old = false;
    for (int call = 0; call < calls; ++call) {
      prepare();
      const int status = in_child([&, &edit = edit] {
        IndexWriter writer(path_);
        fault = {Fault::die, call, 0};
        edit(writer);
      });
      ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << call;
      const auto found = state();
      EXPECT_TRUE(found == before || found == after) << call;
      seen_old = seen_old || found == before;
      {
        IndexWriter writer(path_, {.wait = 0, .tidy = true, .progress = {}});
        if (found == before) edit(writer);
        EXPECT_EQ(state(), after);
        writer.remove(std::vector<std::string>{"d"});
      }
      EXPECT_EQ(file_facts(path_).leftover, 0U) << "the next edit clears what was left";
    }
    EXPECT_TRUE(seen_old);
  }
}

// Documents that a child has said to be added are there, whenever it was killed.
TEST_F(EditFaults, AKillAtAnyMomentLosesNothingThatWasDone) {
  prepare();
  struct Shared {
    std::atomic<int> done;
  };
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* shared = new (memory) Shared{{0}};
  std::mt19937 random(1);
  const int most = test::sanitized && !test::thorough() ? 100 : 1000;
  // About half of the children get an edit done, however fast the machine is.
  double moment = 1000;  // microseconds
  for (int kills = 0; kills < most || shared->done.load() < most / 10; ++kills) {
    const int done_before = shared->done.load();
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) {
        IndexWriter writer(path_, {.wait = 100, .tidy = true, .progress = {}});
        const int next = shared->done.load() + 1;
        // One that was killed may have done it without saying so.
        writer.update(rows_for(writer, {document(test::numbered("n", next), "cat dog")}, true));
        if (next % 16 == 0) writer.compact();
        shared->done.store(next);
      }
    }
    std::this_thread::sleep_for(
        std::chrono::microseconds(random() % static_cast<unsigned>(2 * moment)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    moment = std::max(100.0, moment * (shared->done.load() > done_before ? 0.9 : 1.1));
    const Index index = open_index(path_);
    ASSERT_GE(index.rows.size(), 4U + static_cast<unsigned>(shared->done.load()));
    ASSERT_LE(index.rows.size(), 5U + static_cast<unsigned>(shared->done.load()));
  }
  std::set<std::string> ids;
  for (const std::string& id : open_index(path_).ids.to_vector()) ids.insert(id);
  for (int i = 1; i <= shared->done.load(); ++i) EXPECT_TRUE(ids.contains(test::numbered("n", i)));
  ::munmap(memory, sizeof(Shared));
}

TEST_F(EditFaults, WritersSideBySideLoseNothing) {
  prepare();
  constexpr int writers = 4;
  constexpr int each = 12;
  std::vector<pid_t> children;
  for (int w = 0; w < writers; ++w) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0; i < each; ++i) {
        IndexWriter writer(path_, {.wait = 100, .tidy = true, .progress = {}});
        const std::string id = test::numbered("w", 1000 * w + i);
        writer.add(rows_for(writer, {document(id, "cat fish")}));
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(open_index(path_).rows.size(), 4U + writers * each);
}

TEST_F(EditFaults, ReadersSeeWholeStatesWhileOthersEdit) {
  prepare();
  std::atomic<bool> stop = false;
  std::atomic<int> opened = 0;
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      std::size_t last = 0;
      while (!stop) {
        const Index index = open_index(path_);
        EXPECT_GE(index.rows.size(), last) << "states come in order";
        last = index.rows.size();
        ++opened;
      }
    });
  }
  for (int i = 0; i < 100 || opened < 100; ++i) {
    IndexWriter writer(path_);
    writer.add(rows_for(writer, {document(test::numbered("r", i), "cat fish")}));
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

TEST_F(EditFaults, WhoWaitsInVainIsToldWhoHoldsTheFile) {
  prepare();
  const auto before = state();
  const IndexWriter holder(path_);
  const std::string self = "process " + std::to_string(::getpid());
  const WriterOptions hurried{.wait = 0.02, .tidy = true, .progress = {}};
  EXPECT_THAT(error_of(ErrorCode::failed, [&] { IndexWriter(path_, hurried); }),
              ::testing::AllOf(HasSubstr("x.navvy: is being edited by " + self),
                               HasSubstr("waited 0.02 s, nothing was changed")));
  EXPECT_EQ(state(), before);
}

TEST_F(EditFaults, AFileThatWasReplacedWhileWaitingIsReadAnew) {
  prepare();
  std::thread waiting;
  {
    IndexWriter holder(path_);
    waiting = std::thread([&] {
      IndexWriter writer(path_);
      writer.add(rows_for(writer, {document("late", "cat")}));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    holder.add(rows_for(holder, {document("early", "dog")}));
    holder.compact();
  }
  waiting.join();
  const std::vector<std::string> ids = open_index(path_).ids.to_vector();
  EXPECT_THAT(ids, ::testing::IsSupersetOf({std::string("early"), std::string("late")}));
}

TEST_F(EditFaults, ALimitOfFileSizeLeavesTheOldState) {
  prepare();
  const auto before = state();
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    IndexWriter writer(path_);
    const auto size = std::filesystem::file_size(path_) + 300;
    const rlimit limit{size, size};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      writer.add(rows_for(writer, {document("f", "cat")}));
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).ends_with("File too large") ? 3 : 4);
    }
  });
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(state(), before);
  EXPECT_EQ(file_facts(path_).leftover, 0U);
}

}  // namespace
}  // namespace navvy
