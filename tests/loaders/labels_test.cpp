#include <gtest/gtest.h>

#include "loaders/bytes.hpp"
#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::array_file;
using test::error_of;
using test::npy;
using test::raw;
using ::testing::HasSubstr;
using Labels = std::vector<std::string>;

Labels read(const std::string& bytes) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "labels", bytes);
  return read_labels(folder / "labels");
}

std::string error(const std::string& bytes) {
  return error_of(ErrorCode::bad_input, [&] { read(bytes); });
}

TEST(ReadLabels, ReadsArraysThatNumpyWrote) {
  const Labels names = {"soil", "Z\xc3\xbcrich", "", "\xe5\x9c\x9f"};
  EXPECT_EQ(read_labels(array_file("names.npy")), names);
  EXPECT_EQ(read_labels(array_file("names_big.npy")), names);
  EXPECT_EQ(read_labels(array_file("bytes.npy")), (Labels{"soil", "people", "", "x"}));
  EXPECT_EQ(read_labels(array_file("numbers.npy")), (Labels{"-1", "0", "9223372036854775807"}));
  EXPECT_EQ(read(npy("<u8", "(1,)", raw<std::uint64_t>({~std::uint64_t{0}}))),
            (Labels{"18446744073709551615"}));
}

TEST(ReadLabels, ReadsLines) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a\r\nb c\n\n\xc3\xbc"),
            (Labels{"a", "b c", "", "\xc3\xbc"}));
  EXPECT_EQ(read("a\n"), (Labels{"a"}));
  EXPECT_EQ(read(""), Labels{});
  EXPECT_EQ(read(test::gzip("a\nb\n")), (Labels{"a", "b"}));
}

Labels named(const std::string& labels, const std::string& names) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "labels", labels);
  test::write_file(folder / "names", names);
  return read_labels(folder / "labels", folder / "names");
}

std::string naming_error(const std::string& labels, const std::string& names) {
  return error_of(ErrorCode::bad_input, [&] { named(labels, names); });
}

TEST(ReadLabels, NamesNumbers) {
  const std::string idx = test::big_endian(0x801) + test::big_endian(3) + std::string("\2\0\2", 3);
  const Labels names = {"sandal", "t-shirt/top", "sandal"};
  EXPECT_EQ(named(idx, "t-shirt/top\ntrouser\nsandal\n"), names);
  EXPECT_EQ(named(npy("<i4", "(2,)", raw<std::int32_t>({1, 0})), "a\nb c"), (Labels{"b c", "a"}));
  EXPECT_EQ(named("1\n", "\nletter a\n"), Labels{"letter a"});
}

TEST(ReadLabels, SaysWhichNumberHasNoName) {
  EXPECT_THAT(naming_error("0\n2\n", "a\nb\n"),
              HasSubstr("labels: entry 1: found '2', which has no name"));
  EXPECT_THAT(naming_error("0\n2\n", "a\nb\n"), HasSubstr("names has 2 lines"));
  EXPECT_THAT(naming_error("0\n", "\nb\n"), HasSubstr("entry 0: found '0', which has no name"));
  EXPECT_THAT(naming_error("99999999999999999999\n", "a\n"), HasSubstr("which has no name"));
  for (const char* label : {"cat", "-1", "1.0", "", "0 "})
    EXPECT_THAT(naming_error(std::string(label) + "\n", "a\n"), HasSubstr("expected the number"))
        << label;
}

TEST(ReadLabels, SaysWhereAndWhat) {
  EXPECT_THAT(error_of(ErrorCode::bad_input, [] { read_labels(array_file("objects.npy")); }),
              HasSubstr("object arrays are never read"));
  EXPECT_THAT(error(npy("<f4", "(1,)", raw<float>({1}))),
              HasSubstr("shape (1,) of type '<f4', expected one dimension of integers or strings"));
  EXPECT_THAT(error(npy("<i4", "(1, 1)", raw<std::int32_t>({1}))), HasSubstr("shape (1, 1)"));
  EXPECT_THAT(error(npy("<U1", "(1,)", raw<std::uint32_t>({0xd800}))),
              HasSubstr("element 0 has character number 55296, which is no Unicode"));
  EXPECT_THAT(error(npy("|S1", "(1,)", "\xff")), HasSubstr("element 0 is not UTF-8"));
  EXPECT_THAT(error("a\n\xff\n"), HasSubstr("entry 1: is not UTF-8"));
  EXPECT_THAT(error(std::string("a\nb\0c\n", 6)), HasSubstr("entry 1: has control characters"));
  EXPECT_THAT(error("PK\x03\x04"), HasSubstr("found 50 4b 03 04, expected labels"));
  EXPECT_THAT(error(test::idx_images(1, 1, 1, "x")), HasSubstr("00 00 08 03"));
  EXPECT_THAT(error(std::string(70000, 'a')), HasSubstr("line 1: longer than 65536 bytes"));
}

}  // namespace
}  // namespace navvy
