#include "navvy/search.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/filter.hpp"
#include "navvy/rows.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace {

nb::dict stages_of(const SearchCounters& counters) {
  nb::dict stages;
  for (const auto& stage : counters.stages) stages[stage.measure.c_str()] = stage.rows;
  return stages;
}

nb::dict to_python(Matches matches) {
  nb::dict result;
  const std::initializer_list<std::size_t> shape{matches.queries, matches.top};
  result["rows"] = handed_over(std::move(matches.rows), shape);
  result["stages"] = stages_of(matches.counters);
  result["list_growths"] = matches.counters.list_growths;
  result["distances"] = handed_over(std::move(matches.distances), shape);
  if (!matches.has_bounds()) return result;
  result["lower"] = handed_over(std::move(matches.lower), shape);
  result["upper"] = handed_over(std::move(matches.upper), shape);
  result["exact"] = handed_over(std::move(matches.exact), shape);
  return result;
}

Output<float> distances(Handle& self, const Handle::Range& queries, const Handle::Range& rows,
                        const Options& options) {
  require_range({queries.first, queries.second}, self.index().rows.size());
  require_range({rows.first, rows.second}, self.index().rows.size());
  std::vector<float> values = unlocked([&] { return self.distances(queries, rows, options); });
  return handed_over(std::move(values), {queries.second - queries.first, rows.second - rows.first});
}

Output<double> distances_of(Handle& self, const Handle& queries, const Handle::Range& rows,
                            const Options& options) {
  require_range({rows.first, rows.second}, self.index().rows.size());
  std::vector<double> values =
      unlocked([&] { return self.distances(queries.index(), rows, options); });
  return handed_over(std::move(values), {queries.index().rows.size(), rows.second - rows.first});
}

// Rows that pass a filter and have one of these ids; what is None is not asked for.
void choose(const Handle& self, Options& options, const std::optional<std::string>& where,
            const std::optional<std::vector<std::string>>& ids) {
  const Index& index = self.index();
  std::vector<std::uint32_t> rows;
  if (where) rows = rows_where(*where, index);
  if (ids) {
    std::vector<std::uint32_t> named = rows_with_ids(*ids, index);
    if (where)
      std::erase_if(named, [&](auto row) { return !std::ranges::binary_search(rows, row); });
    rows = std::move(named);
  }
  if (rows.empty())
    throw Error(ErrorCode::usage, "no row is left of " + std::to_string(index.rows.size()) +
                                      ": none meets " + (where ? "the filter" : "the ids") +
                                      (where && ids ? " and the ids" : ""));
  options.among = marked(rows, index.rows.size());
}

nb::dict evaluate(Handle& self, const std::vector<std::size_t>& tops, std::size_t queries,
                  const Options& options) {
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
  type.def("choose", &choose, nb::arg("options"), nb::arg("where").none(), nb::arg("ids").none());
  type.def("search", [](Handle& self, const Handle& queries, const Options& options) {
    return to_python(unlocked([&] { return self.search(queries.index(), options); }));
  });
  type.def("search_rows",
           [](Handle& self, const Values<std::uint32_t>& rows, const Options& options) {
             return to_python(unlocked([&] { return self.search_rows(span_of(rows), options); }));
           });
  type.def("knn", [](Handle& self, const Options& options) {
    return to_python(unlocked([&] { return self.knn(options); }));
  });
  type.def("distances", &distances, nb::arg("queries"), nb::arg("rows"), nb::arg("options"));
  type.def("distances", &distances_of, nb::arg("queries"), nb::arg("rows"), nb::arg("options"));
  type.def("evaluate", &evaluate, nb::arg("tops"), nb::arg("queries"), nb::arg("options"));
}

}  // namespace navvy::python
