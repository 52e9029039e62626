// Files of lists. Their fingerprint is corrected first, since a fuzzer cannot guess it: what is
// tried here are the checks behind it. What is accepted is merged and made a matrix's rows.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../tests/shards/forged.hpp"
#include "navvy/error.hpp"
#include "navvy/lists.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = std::as_bytes(std::span(data, size));
  std::vector<std::byte> bytes(given.begin(), given.end());
  navvy::test::correct_lists(bytes);
  navvy::Lists lists;
  try {
    lists = navvy::open_lists(std::span<const std::byte>(bytes));
  } catch (const navvy::Error&) {
    return 0;
  }
  if (navvy::to_bytes(lists) != bytes) std::abort();
  for (std::size_t query = 0; query < lists.queries.size(); ++query) {
    double last = 0;
    for (const navvy::Match& match : lists.matches[query]) {
      if (match.row < 0 || !std::isfinite(match.distance) || match.distance < last) std::abort();
      last = match.distance;
    }
  }
  static_cast<void>(lists.limits());
  try {
    const navvy::Lists whole = navvy::merged(std::span(&lists, 1));
    if (whole.queries != lists.queries || whole.owners != lists.owners) std::abort();
    for (const std::uint32_t owner : whole.owners) static_cast<void>(whole.of(owner));
    static_cast<void>(navvy::by_row(whole, whole.queries.size()));
  } catch (const navvy::Error&) {
  }
  return 0;
}
