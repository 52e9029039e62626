// Histograms from SciPy and NumPy files.
#include "loaders/histograms.hpp"

#include <gtest/gtest.h>

#include <random>

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

void expect_example(const Histograms& rows, const std::string& name) {
  EXPECT_EQ(rows.vocabulary_size(), 3U) << name;
  EXPECT_TRUE(std::ranges::equal(rows.offsets(), std::vector<std::uint64_t>{0, 2, 3, 3, 6}))
      << name;
  EXPECT_TRUE(std::ranges::equal(rows.coordinates(), std::vector<std::uint32_t>{1, 2, 0, 0, 1, 2}))
      << name;
  EXPECT_TRUE(
      std::ranges::equal(rows.weights(), std::vector<float>{0.25F, 0.75F, 1, 0.25F, 0.25F, 0.5F}))
      << name;
}

TEST(ReadHistograms, ReadsEveryFormThatScipyAndNumpyWrote) {
  for (const char* name : {"csr.npz", "csc.npz", "coo.npz", "csr_array_stored.npz", "untidy.npz",
                           "f8.npy", "f4_big_fortran.npy", "u1.npy", "i8_big.npy"}) {
    expect_example(read_histograms(array_file(name)), name);
  }
}

TEST(ReadHistograms, KeepsZeroBinsOnDemand) {
  EXPECT_EQ(read_histograms(array_file("u1.npy"), ZeroBins::keep).bins(), 12U);
  // Only entries that the sparse matrix has; the untidy one has a zero of its own.
  EXPECT_EQ(read_histograms(array_file("csr.npz"), ZeroBins::keep).bins(), 6U);
  EXPECT_EQ(read_histograms(array_file("untidy.npz"), ZeroBins::keep).bins(), 7U);
}

class NpzFiles : public ::testing::Test {
 protected:
  Histograms read(const std::string& bytes) {
    test::write_file(folder_ / "m.npz", bytes);
    return read_histograms(folder_ / "m.npz");
  }
  std::string error(const std::string& bytes) {
    const std::string text = error_of(ErrorCode::bad_input, [&] { read(bytes); });
    return text.substr(std::min(text.size(), folder_.path().string().size() + 1));
  }
  // The error of a good matrix with some members replaced, or left out where they are empty.
  std::string error_with(const std::map<std::string, std::string>& replacements) {
    auto members = test::csr_members();
    for (const auto& [name, bytes] : replacements) {
      members.erase(name);
      if (!bytes.empty()) members[name] = bytes;
    }
    return error(test::zip(members));
  }

  test::TemporaryFolder folder_;
};

TEST_F(NpzFiles, TheExampleIsGood) { EXPECT_EQ(read(test::zip(test::csr_members())).bins(), 3U); }

TEST_F(NpzFiles, EveryTruncationIsFound) {
  const std::string whole = test::read_file(array_file("csr.npz"));
  for (std::size_t length = 0; length < whole.size(); ++length) error(whole.substr(0, length));
}

TEST_F(NpzFiles, DamageIsRefusedOrHarmless) {
  for (const char* name : {"csr.npz", "csr_array_stored.npz"}) {
    const std::string whole = test::read_file(array_file(name));
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string bytes = whole;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
      try {
        test::MemoryInput input(bytes);
        expect_example(loaders::read_histograms(*input, ZeroBins::drop), name);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
      }
    }
  }
}

TEST_F(NpzFiles, NamesTheMemberAndWhatIsWrong) {
  const auto integers = [](const std::string& shape, std::initializer_list<std::int64_t> values) {
    return npy("<i8", shape, raw<std::int64_t>(values));
  };
  EXPECT_EQ(error("what"),
            "m.npz: byte 0: found 77 68 61 74, expected a SciPy sparse matrix (.npz) "
            "or a NumPy array (.npy)");
  EXPECT_EQ(error_with({{"data.npy", ""}}),
            "m.npz: has no member data.npy, expected a file of scipy.sparse.save_npz");
  EXPECT_EQ(
      error_with({{"format.npy", npy("|S3", "()", "bsr")}}),
      "m.npz: format.npy: sparse format 'bsr', expected csr, csc or coo; save the matrix with "
      ".tocsr()");
  EXPECT_THAT(error_with({{"format.npy", npy("|S3", "()", "a\nb")}}), HasSubstr("format '?'"));
  EXPECT_EQ(error_with({{"shape.npy", integers("(3,)", {2, 3, 4})}}),
            "m.npz: shape.npy: expected two integers, found shape (3,) of type '<i8'");
  EXPECT_EQ(error_with({{"shape.npy", integers("(2,)", {2, -3})}}),
            "m.npz: shape.npy: -3 columns, expected 1 to 4294967294");
  EXPECT_EQ(error_with({{"shape.npy", integers("(2,)", {4294967295, 3})}}),
            "m.npz: shape.npy: 4294967295 rows, expected 1 to 4294967294");
  EXPECT_EQ(error_with({{"indptr.npy", integers("(3,)", {0, 3, 2})}}),
            "m.npz: indptr.npy: entry 2 is 2, expected to ascend from 0 to at most 3");
  EXPECT_THAT(error_with({{"indptr.npy", integers("(3,)", {1, 2, 3})}}), HasSubstr("entry 0 is 1"));
  EXPECT_THAT(error_with({{"indptr.npy", integers("(3,)", {0, 2, 4})}}), HasSubstr("entry 2 is 4"));
  EXPECT_THAT(error_with({{"indptr.npy", integers("(3,)", {0, -1, 3})}}), HasSubstr("is -1"));
  EXPECT_EQ(error_with({{"indptr.npy", integers("(2,)", {0, 3})}}),
            "m.npz: indptr.npy: 2 entries of type '<i8', expected 3 integers");
  EXPECT_EQ(error_with({{"indices.npy", integers("(2,)", {0, 1})}}),
            "m.npz: indices.npy: 2 entries, expected 3 as in data.npy");
  EXPECT_EQ(error_with({{"indices.npy", integers("(3,)", {1, 3, 0})}}),
            "m.npz: entry 1 is at row 0, column 3, but the matrix is 2 x 3");
  EXPECT_THAT(error_with({{"indices.npy", integers("(3,)", {1, -1, 0})}}), HasSubstr("column -1"));
  EXPECT_EQ(error_with({{"indices.npy", npy("<f4", "(3,)", raw<float>({1, 2, 0}))}}),
            "m.npz: indices.npy: type '<f4', expected integers");
  EXPECT_EQ(error_with({{"data.npy", npy("<f4", "(3,)", raw<float>({1, -3, 2}))}}),
            "m.npz: row 0, column 2: weight is -3, expected a finite number of at least 0");
  EXPECT_THAT(error_with({{"data.npy", npy("<f4", "(3,)", raw<float>({1, 3, INFINITY}))}}),
              HasSubstr("row 1, column 0: weight is inf"));
  EXPECT_THAT(error_with({{"data.npy", npy("<f4", "(3, 1)", raw<float>({1, 3, 2}))}}),
              HasSubstr("data.npy: shape (3, 1), expected one dimension"));
  EXPECT_THAT(error_with({{"data.npy", npy("|S1", "(3,)", "abc")}}),
              HasSubstr("data.npy: type '|S1', expected numbers"));
  EXPECT_THAT(error_with({{"data.npy", npy("|O", "(3,)", "abc")}}), HasSubstr("never read"));
}

// In coo nothing but the shape says how many rows there are.
TEST_F(NpzFiles, RowsThatAreAMereClaimAreRefused) {
  const auto three = npy("<i4", "(3,)", raw<std::int32_t>({0, 1, 1}));
  EXPECT_EQ(
      error(test::zip({{"format.npy", npy("|S3", "()", "coo")},
                       {"shape.npy", npy("<i8", "(2,)", raw<std::int64_t>({4000000000, 3}))},
                       {"row.npy", three},
                       {"col.npy", three},
                       {"data.npy", npy("<f4", "(3,)", raw<float>({1, 3, 2}))}})),
      "m.npz: 4000000000 rows for 3 entries: nearly all rows are empty, which is taken for an "
      "error");
}

TEST(DenseHistograms, NamesRowAndColumn) {
  const auto message = [](std::initializer_list<float> values) {
    return error_of(ErrorCode::bad_input, [&] {
      test::MemoryInput input(npy("<f4", "(2, 2)", raw<float>(values)));
      loaders::read_histograms(*input, ZeroBins::drop);
    });
  };
  EXPECT_THAT(message({0, 1, NAN, 1}), HasSubstr("row 1, column 0: found nan, expected a finite"));
  EXPECT_THAT(message({0, -1, 1, 1}), HasSubstr("row 0, column 1: found -1, expected"));
}

}  // namespace
}  // namespace navvy
