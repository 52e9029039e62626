// Any text as a filter over a small index with every kind of column.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "navvy/filter.hpp"

namespace {

using namespace navvy;
using Texts = std::vector<std::string>;

Index example() {
  Index index;
  index.rows = Histograms(0, Array(std::vector<std::uint64_t>(5)), {}, {});
  index.labels = Array(std::vector<std::int32_t>{0, 1, -1, 0});
  index.label_names = Strings(Texts{"soil", "people"});
  index.ids = Strings(Texts{"a", "b", "", "d"});
  index.titles = Strings(Texts{"One", "Two", "", "Four"});
  const double none = std::numeric_limits<double>::quiet_NaN();
  index.fields.push_back({"author", FieldType::text, Strings(Texts{"Ann", "", "Bob", ""}), {}, {}});
  index.fields.push_back(
      {"year", FieldType::number, {}, Array(std::vector<double>{1990, 0.5, none, 2e300}), {}});
  index.fields.push_back(
      {"day", FieldType::date, {}, {}, Array(std::vector<std::int64_t>{0, no_date, 86399, -1})});
  return index;
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Index index = example();
  const std::string filter(reinterpret_cast<const char*>(data), size);
  try {
    const std::vector<std::uint32_t> rows = rows_where(filter, index);
    require(std::ranges::is_sorted(rows));
    // What is turned away by a filter passes its opposite, unless this one is too long or too deep.
    const std::vector<std::uint32_t> others = rows_where("not (" + filter + ")", index);
    require(rows.size() + others.size() == index.rows.size());
    for (const std::uint32_t row : others) require(!std::ranges::binary_search(rows, row));
  } catch (const FilterError& error) {
    require(error.place() <= filter.size() + 6);
    require(std::ranges::count(error.picture(), '\n') == 1);
    require(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
