// The pictures of the reports for notebooks: plain values in, SVG that stands alone out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "navvy/error.hpp"
#include "report/flows.hpp"
#include "report/items.hpp"
#include "report/markup.hpp"
#include "report/style.hpp"

namespace navvy::python {
namespace {

using BinParts = std::tuple<std::string, double, double, double>;  // name, weight, x, y
using MoveParts = std::tuple<std::uint32_t, std::uint32_t, double, double>;
using GridParts = std::tuple<std::size_t, std::size_t, bool>;  // width, height, points

std::string standalone(report::Markup& drawn) {
  std::string svg = drawn.take();
  const std::size_t end = svg.find('>');
  svg.insert(end + 1, "<style>" + std::string(report::picture_style()) + "</style>");
  svg.insert(end, " xmlns=\"http://www.w3.org/2000/svg\"");
  return svg;
}

std::vector<report::Bin> bins_of(std::vector<BinParts>&& parts) {
  std::vector<report::Bin> bins;
  bins.reserve(parts.size());
  for (auto& [name, weight, x, y] : parts) bins.push_back({std::move(name), weight, x, y});
  return bins;
}

std::string picture(std::size_t width, std::size_t height, const Values<float>& shades,
                    const std::string& description) {
  const auto values = span_of(shades);
  if (values.size() != width * height)
    throw Error(ErrorCode::usage, std::to_string(values.size()) + " shades of " +
                                      std::to_string(width) + " x " + std::to_string(height));
  report::Markup out;
  report::draw(out, {width, height, {values.begin(), values.end()}}, description);
  return standalone(out);
}

std::string flow_picture(std::vector<BinParts> a, std::vector<BinParts> b,
                         const std::vector<MoveParts>& moves, const std::string& measure,
                         const std::optional<GridParts>& grid) {
  report::FlowComparison pair;
  pair.bins_a = bins_of(std::move(a));
  pair.bins_b = bins_of(std::move(b));
  report::Flow flow{measure, 0, false, {}};
  for (const auto& [from, to, mass, distance] : moves) {
    if (from >= pair.bins_a.size() || to >= pair.bins_b.size())
      throw Error(ErrorCode::usage, "a move between bins that are not there");
    flow.moves.push_back({from, to, mass, distance});
  }
  pair.flows.push_back(flow);
  report::Markup out;
  if (grid) {
    pair.grid = report::Grid{std::get<0>(*grid), std::get<1>(*grid), std::get<2>(*grid)};
    report::draw_arrows(out, pair, flow);
  } else {
    report::draw_bands(out, pair, flow);
  }
  return standalone(out);
}

}  // namespace

void bind_pictures(nb::module_& module) {
  module.def("picture", &picture, nb::arg("width"), nb::arg("height"), nb::arg("shades"),
             nb::arg("description"));
  module.def("flow_picture", &flow_picture, nb::arg("a"), nb::arg("b"), nb::arg("moves"),
             nb::arg("measure"), nb::arg("grid").none());
}

}  // namespace navvy::python
