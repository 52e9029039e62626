#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/align.hpp"
#include "navvy/pairwise.hpp"
#include "navvy/rows.hpp"
#include "options.hpp"
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

nb::dict to_python(Transport done) {
  nb::dict result;
  result["distance"] = done.distance;
  result["direction"] = to_string(done.direction);
  result["unmoved"] = done.unmoved;
  result["converged"] = done.converged;
  result["iterations"] = done.iterations;
  result["flow"] = flow_arrays(done.flow);
  result["potentials"] = nb::make_tuple(handed_over(std::move(done.p_potentials)),
                                        handed_over(std::move(done.q_potentials)));
  return result;
}

TransportOptions transport_options(const Options& options, bool with_flow) {
  return {options.question.direction, options.question.sinkhorn, with_flow,
          options.run.progress,       options.run.memory,        options.question.price};
}

nb::dict transport_costs(const Values<double>& p, const Values<double>& q,
                         const Matrix<double>& costs, const Options& options, bool with_flow) {
  return to_python(unlocked([&] {
    const CostMatrix matrix{costs.shape(0), costs.shape(1), span_of(costs)};
    return transport(options.question.measure, span_of(p), span_of(q), matrix,
                     transport_options(options, with_flow));
  }));
}

Index one_row(const Index& index, std::size_t row) {
  const auto number = static_cast<std::uint32_t>(row);
  return restricted(index, std::span(&number, 1));
}

nb::dict transport_rows(const Handle& a, std::size_t a_row, const Handle& b, std::size_t b_row,
                        const Options& options, bool with_flow) {
  require_row(a_row, a.index());
  require_row(b_row, b.index());
  return to_python(unlocked([&] {
    Index wide = one_row(a.index(), a_row);
    const Index other = one_row(b.index(), b_row);
    extend(wide, other.vocabulary);
    const Histograms target = renumbered(other.rows, other.vocabulary, wide.vocabulary);
    TransportOptions how = transport_options(options, with_flow);
    const Question& asked = options.question;
    if (asked.measure.kind == MeasureKind::emd && is_partial(asked.measure, asked.direction) &&
        asked.price == 0)
      how.price = price_of(wide);
    return transport(asked.measure, wide.vocabulary, wide.rows[0], target[0], how);
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
