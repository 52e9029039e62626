#include "core/logarithm.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "support/effort.hpp"

namespace navvy::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Known {
  double x;
  double log;
};

// Correctly rounded, by mpmath with 400 bits.
constexpr Known known[] = {
    {0x1p+0, 0x0p+0},
    {0x1p+1, 0x1.62e42fefa39efp-1},
    {0x1.8p+1, 0x1.193ea7aad030bp+0},
    {0x1.4p+3, 0x1.26bb1bbb55516p+1},
    {0x1.5bf0a8b145769p+1, 0x1p+0},
    {0x1p-1, -0x1.62e42fefa39efp-1},
    {0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
    {0x1.fffffffffffffp-1, -0x1p-53},
    {0x1.0000004p+0, 0x1.ffffffc000001p-27},
    {0x1.ffffffcp-1, -0x1.0000001p-27},
    {0x1.6a09e667f3bcdp+0, 0x1.62e42fefa39fp-2},
    {0x1.6a09e667f3bcep+0, 0x1.62e42fefa39f3p-2},
    {0x1.6a09e667f3bccp+0, 0x1.62e42fefa39eep-2},
    {0x1.6a09e667f3bcdp-1, -0x1.62e42fefa39eep-2},
    {0x1.6a09e667f3bcep-1, -0x1.62e42fefa39ebp-2},
    {0x1.6a09e667f3bccp-1, -0x1.62e42fefa39f1p-2},
    {0x0.0000000000001p-1022, -0x1.74385446d71c3p+9},
    {0x1p-1022, -0x1.6232bdd7abcd2p+9},
    {0x0.fffffffffffffp-1022, -0x1.6232bdd7abcd2p+9},
    {0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9},
    {0x1p+1023, 0x1.628b76e3a7b61p+9},
    {0x1.6a09e55c0fcb5p+0, 0x1.62e42cf9ee3ebp-2},
    {0x1.2634p+13, 0x1.24ccda14c4f67p+3},
    {0x1.8845555555555p+12, 0x1.17d3481e652a5p+3},
    {0x1.503b6db6db6dbp+11, 0x1.f96c6f6eb4f76p+2},
    {0x1.84fc440b9e14cp+5, 0x1.f12a32e07500ep+1},
    {0x1.cb8f2d2d2d2d3p+15, 0x1.5f6efca9f4deap+3},
    {0x1.1p+0, 0x1.f0a30c01162a6p-5},
    {0x1.fp-1, -0x1.0415d89e74444p-5},
    {0x1.cp+2, 0x1.f2272ae325a57p+0},
    {0x1.6p+3, 0x1.32ee3b77f374cp+1},
    {0x1.9p+6, 0x1.26bb1bbb55516p+2},
    {0x1.2a05f2p+33, 0x1.7069e2aa2aa5bp+4},
    {0x1.b7cdfd9d7bdbbp-34, -0x1.7069e2aa2aa5bp+4},
    {0x1.7e43c8800759cp+996, 0x1.5963447f87fb5p+9},
    {0x1.56e1fc2f8f359p-997, -0x1.5963447f87fb5p+9},
    {0x1.374d585a0bcc1p-175, -0x1.e46bb1b798e92p+6},
    {0x1.ee4d39847994p+1, 0x1.59e2b8260b95ep+0},
    {0x1.c2f9f4a24e39ap-666, -0x1.cd11dd692e608p+8},
    {0x1.7b7d916e4019p+1, 0x1.16387a9d4a265p+0},
    {0x1.e9095a950666dp-454, -0x1.3a0aa3b0a462bp+8},
    {0x1.30454d17c1196p-1, -0x1.0a72c3bc89ed6p-1},
    {0x1.8048662590992p+646, 0x1.c02de54a9b3f9p+8},
    {0x1.6222c77049754p+0, 0x1.4c4a8efb01388p-2},
    {0x1.430ae80690847p+620, 0x1.adfbde2a2c12dp+8},
    {0x1.bb27a4ce540e7p+1, 0x1.3dec7036f8101p+0},
    {0x1.4f603f1f83a79p+460, 0x1.3f1e26af7c88bp+8},
    {0x1.ff4de3deddc79p+1, 0x1.628b125e15cc1p+0},
    {0x1.7a49f0febddf8p-737, -0x1.fe75807798553p+8},
    {0x1.c8244c8b01f4ap+1, 0x1.4551689a48ee5p+0},
    {0x1.fc1d526a2658fp+784, 0x1.100e7421488e7p+9},
    {0x1.3a6230cce684cp+1, 0x1.cc1322d0c3e0ap-1},
};

// Doubles of one sign have the order of their bits.
std::int64_t units_between(double a, double b) {
  if (std::signbit(a) != std::signbit(b)) return a == b ? 0 : 1 << 20U;
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

TEST(Logarithm, IsCorrectlyRounded) {
  for (const auto [x, log] : known)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(natural_log(x)), std::bit_cast<std::uint64_t>(log))
        << x << ": " << natural_log(x) << " instead of " << log;
}

TEST(Logarithm, IsThatOfTheLibraryButForTheLastBit) {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> near(0.5, 4);
  const int count = test::sanitized ? 50'000 : 2'000'000;
  int others = 0;
  for (int i = 0; i < count; ++i) {
    const double any = std::bit_cast<double>(rng() >> 1U);
    const double x = i % 2 == 0 && std::isfinite(any) && any > 0 ? any : near(rng);
    const std::int64_t off = units_between(natural_log(x), std::log(x));
    ASSERT_LE(off, 1) << x;
    others += off != 0 ? 1 : 0;
  }
  EXPECT_LT(others, count / 10);
}

TEST(Logarithm, OfWholeNumbersAndPowersOfTwoIsThatOfTheLibraryButForTheLastBit) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double x = std::ldexp(1.0, exponent);
    EXPECT_LE(units_between(natural_log(x), std::log(x)), 1) << exponent;
  }
  for (int x = 1; x < 100'000; ++x) ASSERT_LE(units_between(natural_log(x), std::log(x)), 1) << x;
}

TEST(Logarithm, RisesFromNeighbourToNeighbour) {
  for (const auto& [centre, log] : known) {
    double x = centre;
    for (int i = 0; i < 1000 && x > 0; ++i) x = std::nextafter(x, 0);
    if (!(x > 0)) x = std::numeric_limits<double>::denorm_min();
    double last = natural_log(x);
    for (int i = 0; i < 2000; ++i) {
      x = std::nextafter(x, infinity);
      if (std::isinf(x)) break;
      const double next = natural_log(x);
      ASSERT_GE(next, last) << x;
      last = next;
    }
  }
}

}  // namespace
}  // namespace navvy::core
