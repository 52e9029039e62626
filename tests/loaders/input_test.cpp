#include "loaders/input.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zstd.h>

#include <thread>

#include "loaders/bytes.hpp"
#include "support/expect_error.hpp"
#include "support/somebody_else.hpp"
#include "support/temporary_folder.hpp"

namespace navvy::loaders {
namespace {

using test::error_of;
using test::MemoryInput;
using ::testing::HasSubstr;

std::string to_string(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

std::string zstd(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
  return packed;
}

// Long enough for several buffers, and not to be packed away to nothing.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

TEST(InputStream, SeesThroughGzipAndZstdByTheirMagic) {
  const std::string text = long_text();
  for (const std::string& bytes : {text, test::gzip(text), zstd(text),
                                   test::gzip(text.substr(0, 99)) + test::gzip(text.substr(99)),
                                   zstd(text.substr(0, 99)) + zstd(text.substr(99))}) {
    MemoryInput input(bytes);
    EXPECT_EQ(to_string((*input).read_all()), text);
    EXPECT_EQ((*input).position(), text.size());
    EXPECT_TRUE((*input).at_end());
  }
  EXPECT_EQ(to_string((*MemoryInput(test::gzip(""))).read_all()), "");
}

TEST(InputStream, FilesMemoryAndPipesReadTheSame) {
  const std::string text = long_text();
  const test::TemporaryFolder folder;
  test::write_file(folder / "file", test::gzip(text));
  InputStream file(folder / "file");
  EXPECT_EQ(to_string(file.read_all()), text);

  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::jthread writer([&] { test::write_file(folder / "pipe", text); });
  InputStream pipe(folder / "pipe");
  EXPECT_FALSE(pipe.remaining());
  EXPECT_EQ(to_string(pipe.read_all()), text);
}

TEST(InputStream, EveryTruncationOfPackedDataIsFound) {
  const std::string text = "some text, some text, more text";
  for (const std::string& packed : {test::gzip(text), zstd(text)}) {
    for (std::size_t length = 4; length < packed.size(); ++length) {
      const std::string message = error_of(ErrorCode::bad_input, [&] {
        MemoryInput input(packed.substr(0, length));
        (*input).read_all();
      });
      EXPECT_THAT(message, HasSubstr("end early")) << length;
    }
  }
}

TEST(InputStream, EveryFlippedBitOfGzipDataIsFoundOrHarmless) {
  const std::string text = "some text, some text, more text";
  std::string packed = test::gzip(text);
  for (std::size_t bit = 16; bit < 8 * packed.size(); ++bit) {
    packed[bit / 8] = static_cast<char>(packed[bit / 8] ^ 1 << bit % 8);
    try {
      MemoryInput input(packed);
      EXPECT_EQ(to_string((*input).read_all()), text);  // a flag or a date of the head
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
    }
    packed[bit / 8] = static_cast<char>(packed[bit / 8] ^ 1 << bit % 8);
  }
}

TEST(InputStream, RefusesWhatFollowsPackedData) {
  EXPECT_THAT(
      error_of(ErrorCode::bad_input, [&] { (*MemoryInput(test::gzip("a") + "b")).read_all(); }),
      HasSubstr("something follows the gzip data"));
  EXPECT_THAT(
      error_of(ErrorCode::bad_input, [&] { (*MemoryInput(zstd("a") + "bcde")).read_all(); }),
      HasSubstr("zstd data are damaged"));
}

TEST(InputStream, RefusesBombs) {
  // Zeros pack to a thousandth; packed twice, to a millionth.
  const std::string bomb = zstd(std::string(std::size_t{300} << 20, '\0'));
  ASSERT_LT(bomb.size(), 100000U);
  EXPECT_THAT(error_of(ErrorCode::limit, [&] { (*MemoryInput(bomb)).read_all(); }),
              HasSubstr("expected at most 1000 times as many plus 64 MB"));
}

TEST(InputStream, HoldsTheLimitOfReadAll) {
  MemoryInput input("0123456789");
  EXPECT_THAT(error_of(ErrorCode::limit, [&] { (*input).read_all(9); }),
              HasSubstr("x: more than 9 bytes, which is the limit"));
  EXPECT_EQ((*MemoryInput("0123456789")).read_all(10).size(), 10U);
}

TEST(InputStream, PeekTakesNothing) {
  MemoryInput input("abcdef");
  EXPECT_EQ((*input).peek(3).size(), 3U);
  EXPECT_TRUE((*input).starts_with("abc"));
  EXPECT_FALSE((*input).starts_with("abcdefg"));
  EXPECT_EQ(to_string((*input).read_up_to(4)), "abcd");
  EXPECT_EQ((*input).position(), 4U);
  EXPECT_EQ((*input).remaining(), 2U);
  EXPECT_EQ(to_string((*input).read_up_to(100)), "ef");
}

TEST(InputStream, ReadsLines) {
  const std::string longest(100000, 'x');
  MemoryInput input("one\r\n\n" + longest + "\nlast");
  std::string line;
  std::vector<std::string> lines;
  while ((*input).read_line(line)) lines.push_back(line);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", longest, "last"}));
  EXPECT_EQ((*input).line_number(), 4U);
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] {
                         MemoryInput again("a\n" + longest);
                         while ((*again).read_line(line, 1000)) {
                         }
                       }),
              HasSubstr("x: line 2: longer than 1000 bytes"));
}

TEST(InputStream, SaysWhyAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& path) {
    return error_of(ErrorCode::failed, [&] { InputStream input(path); });
  };
  EXPECT_THAT(message(folder / "no\nne"), HasSubstr("no\u240Ane: cannot open: No such file"));
  EXPECT_THAT(message(folder.path()), HasSubstr("is a directory, expected a file"));
  EXPECT_THAT(message("/dev/zero"), HasSubstr("/dev/zero: is a device"));
  test::write_file(folder / "secret", "x");
  std::filesystem::permissions(folder / "secret", std::filesystem::perms::none);
  const test::SomebodyElse reader;
  EXPECT_THAT(message(folder / "secret"), HasSubstr("cannot open: Permission denied"));
}

}  // namespace
}  // namespace navvy::loaders
