#include "loaders/npy.hpp"

#include <gtest/gtest.h>

#include "loaders/bytes.hpp"
#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using loaders::NpyArray;
using test::array_file;
using test::error_of;
using test::npy;
using test::npy_with_head;
using test::raw;
using ::testing::HasSubstr;

NpyArray array_of(const std::string& bytes) {
  test::MemoryInput input(bytes);
  return NpyArray(*input);
}

std::string refusal(const std::string& bytes) {
  return error_of(ErrorCode::bad_input, [&] { array_of(bytes); });
}

TEST(Npy, ReadsEveryNumberTypeAndOrderThatNumpyWrote) {
  for (const char* name : {"f8.npy", "f4_big_fortran.npy", "f2.npy", "u1.npy", "i8_big.npy"}) {
    const Vocabulary vocabulary = read_coordinates(array_file(name));
    EXPECT_EQ(vocabulary.dimensions(), 3U) << name;
    EXPECT_TRUE(std::ranges::equal(vocabulary.coordinates(),
                                   std::vector<float>{0, 1, 3, 2, 0, 0, 0, 0, 0, 1, 1, 2}))
        << name;
  }
}

TEST(Npy, ReadsEveryWidthAndByteOrder) {
  const auto numbers = [](const std::string& type, const std::string& data) {
    const NpyArray array = array_of(npy(type, "(2,)", data));
    return std::vector<double>{array.number(0), array.number(1)};
  };
  using Pair = std::vector<double>;
  EXPECT_EQ(numbers("|i1", raw<std::int8_t>({-1, 5})), (Pair{-1, 5}));
  EXPECT_EQ(numbers("<i2", raw<std::int16_t>({-300, 5})), (Pair{-300, 5}));
  EXPECT_EQ(numbers(">i2", std::string("\xff\xfe\x00\x05", 4)), (Pair{-2, 5}));
  EXPECT_EQ(numbers("<u2", raw<std::uint16_t>({65535, 5})), (Pair{65535, 5}));
  EXPECT_EQ(numbers("<i4", raw<std::int32_t>({-70000, 5})), (Pair{-70000, 5}));
  EXPECT_EQ(numbers("<u4", raw<std::uint32_t>({4000000000U, 5})), (Pair{4e9, 5}));
  EXPECT_EQ(numbers(">u4", std::string("\x00\x00\x01\x00\x00\x00\x00\x05", 8)), (Pair{256, 5}));
  EXPECT_EQ(numbers("<u8", raw<std::uint64_t>({std::uint64_t{1} << 63, 5})),
            (Pair{9223372036854775808.0, 5}));
  EXPECT_EQ(numbers(">f4", std::string("\x3f\x80\x00\x00\xc0\x00\x00\x00", 8)), (Pair{1, -2}));
  EXPECT_EQ(numbers(">f8", std::string("\x3f\xf0\0\0\0\0\0\0\xc0\x00\0\0\0\0\0\0", 16)),
            (Pair{1, -2}));
  // The smallest half, the largest, and minus infinity.
  EXPECT_EQ(numbers("<f2", raw<std::uint16_t>({0x0001, 0x7bff})),
            (Pair{std::ldexp(1, -24), 65504}));
  EXPECT_EQ(numbers("<f2", raw<std::uint16_t>({0xfc00, 0x8000})),
            (Pair{-std::numeric_limits<double>::infinity(), 0}));
}

TEST(Npy, ReadsVersionsOneToThreeAndFreeForm) {
  const std::string head = "{'shape':(2,),\"fortran_order\" : True ,'descr':'<f4'}";
  for (const char version : {'\1', '\2', '\3'}) {
    const NpyArray array = array_of(npy_with_head(head, raw<float>({7, 8}), version));
    EXPECT_EQ(array.number(1), 8);
  }
  EXPECT_EQ(array_of(npy("<f4", "(2L,)", raw<float>({7, 8}))).shape(),
            std::vector<std::uint64_t>{2});
  EXPECT_EQ(array_of(npy("<f4", "()", raw<float>({7}))).size(), 1U);
}

TEST(Npy, EveryTruncationIsFound) {
  const std::string whole = test::read_file(array_file("f8.npy"));
  ASSERT_GT(whole.size(), 128U);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    refusal(whole.substr(0, length));
    refusal(test::gzip(whole.substr(0, length)));
  }
  EXPECT_THAT(refusal(whole + "x"), HasSubstr("needs 224 bytes, found 225"));
  EXPECT_THAT(refusal(test::gzip(whole + "x")), HasSubstr("needs 224 bytes, found more than 224"));
}

TEST(Npy, EveryFlippedBitOfTheHeadIsRefusedOrReadable) {
  std::string bytes = test::read_file(array_file("f8.npy"));
  double sum = 0;
  for (std::size_t bit = 0; bit < 8 * 128; ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    try {
      const NpyArray array = array_of(bytes);
      if (array.is_number()) sum += array.number(array.size() - 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
    }
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  }
  EXPECT_NE(sum, 0) << "some flips, as of the byte order, leave a readable head";
}

TEST(Npy, SaysWhereAndWhat) {
  const auto head_error = [](const std::string& head) { return refusal(npy_with_head(head, "")); };
  const std::string rest = "'fortran_order': False, 'shape': (1,)}";
  EXPECT_EQ(refusal("PK and more"), "x: byte 0: found 50 4b 20 61 6e 64, expected a .npy file");
  EXPECT_EQ(refusal(""), "x: byte 0: found nothing, expected a .npy file");
  EXPECT_EQ(refusal("\x93NUMPY"), "x: byte 6: the npy head ends early");
  EXPECT_EQ(refusal(npy_with_head("{}", "", 4)),
            "x: byte 6: npy version 4.0, expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(refusal(npy_with_head(std::string(70000, ' '), "", 2)),
            "x: byte 8: a head of 70000 bytes, expected at most 65536");
  EXPECT_EQ(refusal(npy("<f8", "(2, 3)", std::string(40, 'x'))),
            "x: an array of shape (2, 3) and type '<f8' needs 118 bytes, found 110");
  EXPECT_EQ(refusal(npy("<f8", "(4294967296, 4294967296)", "x")),
            "x: an array of shape (4294967296, 4294967296) and type '<f8' needs "
            "18446744073709551615 bytes, found 89");
  EXPECT_THAT(head_error("{'descr': [('a', '<f4')], " + rest), HasSubstr("records are not supp"));
  EXPECT_THAT(head_error("{'descr': '|O', " + rest), HasSubstr("object arrays are never read"));
  for (const char* type : {"<c16", "|b1", "<f3", "<f16", "|V8", "<M8[ns]", "<U0", "f8", "<f", "=f8",
                           "|f8", "<i3", "<U99999999999999999999"}) {
    EXPECT_THAT(
        head_error(std::string("{'descr': '") + type + "', " + rest),
        HasSubstr(std::string("type '") + type + "', expected integers, floats or strings"));
  }
  EXPECT_THAT(head_error("{'descr': '<f4', 'shape': (1,)}"), HasSubstr("expected the keys descr"));
  EXPECT_THAT(head_error("{'descr': '<f4', 'x': 1, " + rest), HasSubstr("unknown or repeated key"));
  EXPECT_THAT(head_error("{'descr': '<f4', 'descr': '<f4', " + rest), HasSubstr("repeated key"));
  EXPECT_THAT(head_error("{'descr': '<f4', 'fortran_order': 1"), HasSubstr("expected True or"));
  EXPECT_THAT(head_error("{'descr': '<f4"), HasSubstr("character 10: a string does not end"));
  EXPECT_THAT(head_error("{'descr': 5}"), HasSubstr("expected a string"));
  EXPECT_THAT(head_error("{'de\nscr': 5}"), HasSubstr("a string is not plain ASCII"));
  EXPECT_THAT(head_error("{'descr': '<f4', " + rest + "x"), HasSubstr("something follows"));
  EXPECT_THAT(head_error("{'descr' '<f4', " + rest), HasSubstr("expected ':'"));
  EXPECT_THAT(head_error("{'shape': (-1,)"), HasSubstr("expected a number below 2^64"));
  EXPECT_THAT(head_error("{'shape': (99999999999999999999,)"), HasSubstr("expected a number"));
  EXPECT_THAT(head_error("{'shape': (1 2)"), HasSubstr("expected ')'"));
  std::string many = "{'shape': (";
  for (int i = 0; i < 33; ++i) many += "1,";
  EXPECT_THAT(head_error(many + ")"), HasSubstr("too many dimensions"));
}

TEST(Coordinates, RefusesWhatIsNoMatrixOfFiniteNumbers) {
  const auto message = [](const std::string& bytes) {
    const test::TemporaryFolder folder;
    test::write_file(folder / "v.npy", bytes);
    return error_of(ErrorCode::bad_input, [&] { read_coordinates(folder / "v.npy"); });
  };
  EXPECT_THAT(message("0.1 0.2\n"), HasSubstr("byte 0: found 30 2e 31 20 30 2e, expected a NumPy"));
  EXPECT_THAT(message(npy("<f4", "(2,)", raw<float>({1, 2}))),
              HasSubstr("shape (2,), expected two dimensions"));
  EXPECT_THAT(message(npy("<f4", "(0, 2)", "")), HasSubstr("neither of them 0"));
  EXPECT_THAT(message(npy("|S1", "(1, 1)", "x")), HasSubstr("type '|S1', expected numbers"));
  EXPECT_THAT(message(npy("<f4", "(1, 2)", raw<float>({1, NAN}))),
              HasSubstr("row 0, column 1: found nan, expected a finite number"));
  EXPECT_THAT(message(npy("<f8", "(1, 2)", raw<double>({1e39, 1}))),
              HasSubstr("row 0, column 0: found 1e+39, expected"));
}

}  // namespace
}  // namespace navvy
