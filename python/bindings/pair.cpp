#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/error.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/search.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace {

// The flow as four arrays: from, to, mass, distance.
nb::tuple flow_arrays(const std::vector<Move>& flow) {
  std::vector<std::int64_t> from, to;
  std::vector<double> mass, distance;
  for (const Move& move : flow) {
    from.push_back(move.from);
    to.push_back(move.to);
    mass.push_back(move.mass);
    distance.push_back(move.distance);
  }
  return nb::make_tuple(handed_over(std::move(from)), handed_over(std::move(to)),
                        handed_over(std::move(mass)), handed_over(std::move(distance)));
}

nb::dict to_python(const Transport& done) {
  nb::dict result;
  result["distance"] = done.distance;
  result["direction"] = to_string(done.direction);
  result["converged"] = done.converged;
  result["iterations"] = done.iterations;
  result["flow"] = flow_arrays(done.flow);
  return result;
}

TransportOptions transport_options(const SearchOptions& options, bool with_flow) {
  return {options.direction, options.sinkhorn, with_flow, options.progress};
}

nb::dict transport_costs(const Values<double>& p, const Values<double>& q,
                         const Matrix<double>& costs, const SearchOptions& options,
                         bool with_flow) {
  return to_python(unlocked([&] {
    const CostMatrix matrix{costs.shape(0), costs.shape(1), span_of(costs)};
    return transport(options.measure, span_of(p), span_of(q), matrix,
                     transport_options(options, with_flow));
  }));
}

void check_row(const Handle& handle, std::size_t row) {
  if (row >= handle.index().rows.size())
    throw Error(ErrorCode::usage, "row " + std::to_string(row) + " does not exist: the index has " +
                                      std::to_string(handle.index().rows.size()) +
                                      " rows, numbered from 0");
}

// Coordinates of two indexes are the same where their numbers are.
nb::dict transport_rows(const Handle& a, std::size_t a_row, const Handle& b, std::size_t b_row,
                        const SearchOptions& options, bool with_flow) {
  check_row(a, a_row);
  check_row(b, b_row);
  return to_python(unlocked([&] {
    Index wide = a.index();
    extend(wide, b.index().vocabulary);
    const Histograms other = renumbered(b.index().rows, b.index().vocabulary, wide.vocabulary);
    return transport(options.measure, wide.vocabulary, wide.rows[a_row], other[b_row],
                     transport_options(options, with_flow));
  }));
}

}  // namespace

void bind_pair(nb::module_& module) {
  module.def("transport_costs", &transport_costs, nb::arg("p"), nb::arg("q"), nb::arg("costs"),
             nb::arg("options"), nb::arg("with_flow"));
  module.def("transport_rows", &transport_rows, nb::arg("a"), nb::arg("a_row"), nb::arg("b"),
             nb::arg("b_row"), nb::arg("options"), nb::arg("with_flow"));
}

}  // namespace navvy::python
