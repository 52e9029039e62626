#include "navvy/search.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
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
  result["unconverged"] = matches.counters.unconverged;
  result["distances"] = handed_over(std::move(matches.distances), shape);
  if (!matches.has_bounds()) return result;
  result["lower"] = handed_over(std::move(matches.lower), shape);
  result["upper"] = handed_over(std::move(matches.upper), shape);
  result["exact"] = handed_over(std::move(matches.exact), shape);
  return result;
}

// An array, and how many pairs' sinkhorn did not converge.
nb::tuple distances(Handle& self, const Handle::Range& queries, const Handle::Range& rows,
                    const Options& options) {
  require_range({queries.first, queries.second}, self.index().rows.size());
  require_range({rows.first, rows.second}, self.index().rows.size());
  auto done = unlocked([&] { return self.distances(queries, rows, options); });
  return nb::make_tuple(handed_over(std::move(done.first),
                                    {queries.second - queries.first, rows.second - rows.first}),
                        done.second);
}

nb::tuple distances_of(Handle& self, const Handle& queries, const Handle::Range& rows,
                       const Options& options) {
  require_range({rows.first, rows.second}, self.index().rows.size());
  auto done = unlocked([&] { return self.distances(queries.index(), rows, options); });
  return nb::make_tuple(
      handed_over(std::move(done.first), {queries.index().rows.size(), rows.second - rows.first}),
      done.second);
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

using Triple = std::tuple<double, double, double>;  // a mean, and from where to where

std::vector<Triple> triples(std::span<const Estimate> estimates) {
  std::vector<Triple> result;
  for (const Estimate& estimate : estimates)
    result.emplace_back(estimate.mean, estimate.low, estimate.high);
  return result;
}

Triple estimated(const std::vector<double>& values, double least, double most) {
  return triples(std::vector{estimate(values, least, most)}).front();
}

nb::dict to_python(Evaluation done) {
  nb::dict result;
  result["precision"] = nb::cast(triples(done.precision));
  nb::list classes;
  for (const ClassPrecision& label : done.classes)
    classes.append(nb::make_tuple(label.label, label.queries, triples(label.precision)));
  result["classes"] = classes;
  const std::size_t asked = done.asked.size();
  result["equal"] = handed_over(std::move(done.equal), {asked, done.tops.size()});
  result["asked"] = handed_over(std::move(done.asked), {asked});
  result["queries"] = done.queries;
  result["candidates"] = done.candidates;
  result["unlabelled"] = done.unlabelled;
  result["empty"] = done.empty;
  result["unknown_labels"] = done.unknown_labels;
  result["distances"] = done.distances;
  result["seconds"] = done.seconds;
  result["cpu_seconds"] = done.cpu_seconds;
  result["unconverged"] = done.counters.unconverged;
  return result;
}

nb::dict evaluate(Handle& self, const std::vector<std::size_t>& tops, std::size_t queries,
                  std::uint64_t seed, const Options& options) {
  return to_python(unlocked([&] {
    return self.evaluate({tops, queries, seed}, nullptr, options);
  }));
}

nb::dict evaluate_test(Handle& self, const Handle& test, const std::vector<std::string>& labels,
                       const std::vector<std::size_t>& tops,
                       const std::pair<std::size_t, std::uint64_t>& sample,
                       const Options& options) {
  const Handle::Test asked{test.index(), labels};
  return to_python(unlocked([&] {
    return self.evaluate({tops, sample.first, sample.second}, &asked, options);
  }));
}

}  // namespace

void bind_search(nb::module_& module) {
  module.def("estimate", &estimated);
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
  type.def("evaluate", &evaluate, nb::arg("tops"), nb::arg("queries"), nb::arg("seed"),
           nb::arg("options"));
  type.def("evaluate_test", &evaluate_test, nb::arg("test"), nb::arg("labels"), nb::arg("tops"),
           nb::arg("sample"), nb::arg("options"));
}

}  // namespace navvy::python
