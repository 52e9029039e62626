#include "navvy/search.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/error.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace {

// Rows as signed numbers; -1 stands where there are fewer matches.
std::vector<std::int64_t> row_numbers(const Matches& matches) {
  std::vector<std::int64_t> rows;
  rows.reserve(matches.rows.size());
  for (const std::uint32_t row : matches.rows)
    rows.push_back(row == Matches::no_row ? -1 : static_cast<std::int64_t>(row));
  return rows;
}

nb::dict stages_of(const SearchCounters& counters) {
  nb::dict stages;
  for (const auto& stage : counters.stages) stages[stage.measure.c_str()] = stage.rows;
  return stages;
}

nb::dict to_python(Matches matches) {
  nb::dict result;
  const std::initializer_list<std::size_t> shape{matches.queries, matches.top};
  result["rows"] = handed_over(row_numbers(matches), shape);
  result["stages"] = stages_of(matches.counters);
  result["list_growths"] = matches.counters.list_growths;
  result["distances"] = handed_over(std::move(matches.distances), shape);
  if (matches.exact.empty()) return result;
  result["lower"] = handed_over(std::move(matches.lower), shape);
  result["upper"] = handed_over(std::move(matches.upper), shape);
  result["exact"] = handed_over(std::move(matches.exact), shape);
  return result;
}

using Range = std::pair<std::size_t, std::size_t>;

void check_range(const Range& range, std::size_t size) {
  if (range.first > range.second || range.second > size)
    throw Error(ErrorCode::usage, "range '" + std::to_string(range.first) + ":" +
                                      std::to_string(range.second) + "' does not fit: there are " +
                                      std::to_string(size) + " rows, and a range A:B needs A < B");
}

Output<float> distances(Handle& self, const Range& queries, const Range& rows,
                        const SearchOptions& options) {
  check_range(queries, self.index().rows.size());
  check_range(rows, self.index().rows.size());
  std::vector<float> values = unlocked([&] {
    return self.distances({queries.first, queries.second, rows.first, rows.second}, options);
  });
  return handed_over(std::move(values), {queries.second - queries.first, rows.second - rows.first});
}

nb::dict evaluate(Handle& self, const std::vector<std::size_t>& tops, std::size_t queries,
                  const SearchOptions& options) {
  const Evaluation done = unlocked([&] { return self.evaluate(tops, queries, options); });
  nb::dict result;
  result["precision"] = nb::cast(done.precision);
  result["queries"] = done.queries;
  result["distances"] = done.distances;
  result["seconds"] = done.seconds;
  return result;
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<Handle> type = nb::borrow<nb::class_<Handle>>(module.attr("Handle"));
  type.def("search", [](Handle& self, const Handle& queries, const SearchOptions& options) {
    return to_python(unlocked([&] { return self.search(queries.index(), options); }));
  });
  type.def("search_rows",
           [](Handle& self, const Values<std::uint32_t>& rows, const SearchOptions& options) {
             return to_python(unlocked([&] { return self.search_rows(span_of(rows), options); }));
           });
  type.def("knn", [](Handle& self, const SearchOptions& options) {
    return to_python(unlocked([&] { return self.knn(options); }));
  });
  type.def("distances", &distances, nb::arg("queries"), nb::arg("rows"), nb::arg("options"));
  type.def("evaluate", &evaluate, nb::arg("tops"), nb::arg("queries"), nb::arg("options"));
}

}  // namespace navvy::python
