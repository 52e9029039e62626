#include "navvy/index.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/loaders.hpp"
#include "navvy/rows.hpp"
#include "progress.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace {

using HandlePtr = std::unique_ptr<Handle>;
using Indices = Values<std::int32_t>;
using Offsets = Values<std::int64_t>;
using Coordinates = Matrix<float>;

HandlePtr handle(Index index) { return std::make_unique<Handle>(std::move(index)); }

// Whether every row sums to 1 as it is, without bins that would have to go.
bool is_ready(std::span<const std::int64_t> offsets, std::span<const float> weights,
              ZeroBins zero_bins) {
  constexpr double slack = 1e-6;  // rounding of weights that were scaled in float
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    double sum = 0;
    const auto first = static_cast<std::size_t>(offsets[row]);
    const auto last = static_cast<std::size_t>(offsets[row + 1]);
    if (last > weights.size()) return false;
    for (std::size_t i = first; i < last; ++i) {
      if (!(weights[i] > 0 || (weights[i] == 0 && zero_bins == ZeroBins::keep))) return false;
      sum += static_cast<double>(weights[i]);
    }
    if (first < last && std::abs(sum - 1) > slack) return false;
  }
  return true;
}

template <class Weight>
Histograms built(std::size_t columns, std::span<const std::int64_t> offsets,
                 std::span<const std::int32_t> indices, std::span<const Weight> weights,
                 ZeroBins zero_bins) {
  HistogramsBuilder builder(columns, zero_bins);
  std::vector<std::uint32_t> coordinates;
  std::vector<double> values;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const auto first = static_cast<std::size_t>(offsets[row]);
    const auto count = static_cast<std::size_t>(offsets[row + 1]) - first;
    const auto bins = indices.subspan(first, count);
    const auto masses = weights.subspan(first, count);
    coordinates.assign(bins.begin(), bins.end());
    values.assign(masses.begin(), masses.end());
    builder.add(coordinates, values);
  }
  return builder.build();
}

// Canonical: sorted, without duplicates. Such rows are taken as they are where nothing has to be
// changed.
Histograms from_float(std::size_t columns, const Offsets& offsets, const Indices& indices,
                      const Values<float>& weights, bool canonical, bool keep_zeros) {
  const ZeroBins zero_bins = keep_zeros ? ZeroBins::keep : ZeroBins::drop;
  const nb::gil_scoped_release release;
  if (!canonical || !is_ready(span_of(offsets), span_of(weights), zero_bins))
    return built(columns, span_of(offsets), span_of(indices), span_of(weights), zero_bins);
  // What is scaled already sums to 1, and so much it weighs.
  const auto ends = span_of(offsets);
  std::vector<double> masses;
  for (std::size_t row = 0; row + 1 < ends.size(); ++row)
    masses.push_back(ends[row] < ends[row + 1] ? 1 : 0);
  return {columns, shared<std::uint64_t>(offsets), shared<std::uint32_t>(indices),
          shared<float>(weights), Array(std::move(masses))};
}

Histograms from_double(std::size_t columns, const Offsets& offsets, const Indices& indices,
                       const Values<double>& weights, bool, bool keep_zeros) {
  const nb::gil_scoped_release release;
  return built(columns, span_of(offsets), span_of(indices), span_of(weights),
               keep_zeros ? ZeroBins::keep : ZeroBins::drop);
}

// `numbers` are places in a larger set of coordinates.
HandlePtr from_histograms(const Histograms& rows, const Coordinates& coordinates,
                          const std::optional<Values<std::uint32_t>>& numbers, bool keep_zeros) {
  const nb::gil_scoped_release release;
  const Vocabulary vocabulary(coordinates.shape(1), shared<float>(coordinates),
                              numbers ? shared<std::uint32_t>(*numbers) : Array<std::uint32_t>());
  Index index = index_histograms(rows, vocabulary);
  if (keep_zeros) index.properties["background"] = "kept";
  return handle(std::move(index));
}

HandlePtr from_images(
    const nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>& pixels,
    bool keep_background) {
  const nb::gil_scoped_release release;
  const auto size = [&](std::size_t axis) {
    return static_cast<std::uint32_t>(pixels.shape(axis));
  };
  Images images{size(0), size(1), size(2), {}};
  images.pixels.assign(pixels.data(), pixels.data() + pixels.size());
  return handle(index_images(images, keep_background ? ZeroBins::keep : ZeroBins::drop));
}

HandlePtr from_pixels(const Histograms& rows, std::uint32_t height, std::uint32_t width,
                      bool keep_background) {
  const nb::gil_scoped_release release;
  return handle(
      index_pixels(rows, height, width, keep_background ? ZeroBins::keep : ZeroBins::drop));
}

HandlePtr labelled(const Handle& source, const std::optional<std::vector<std::string>>& labels,
                   const std::optional<std::vector<std::string>>& ids) {
  const nb::gil_scoped_release release;
  Index index = source.index();
  if (labels) set_labels(index, *labels);
  if (ids) set_ids(index, *ids);
  return handle(std::move(index));
}

std::vector<std::string> ids_of(const Index& index) {
  std::vector<std::string> ids;
  ids.reserve(index.rows.size());
  for (std::size_t row = 0; row < index.rows.size(); ++row) ids.push_back(index.id(row));
  return ids;
}

// Keeps the bytes object for as long as the index refers to it.
HandlePtr from_bytes(const nb::bytes& file) {
  auto owner = std::shared_ptr<const nb::bytes>(new nb::bytes(file), [](const nb::bytes* old) {
    const nb::gil_scoped_acquire lock;
    delete old;
  });
  const std::span content(static_cast<const std::byte*>(file.data()), file.size());
  const nb::gil_scoped_release release;
  return handle(open_index(Array<std::byte>(content, std::move(owner))));
}

void bind_makers(nb::class_<Handle>& type) {
  type.def_static("from_histograms", &from_histograms, nb::arg("rows"), nb::arg("coordinates"),
                  nb::arg("numbers").none(), nb::arg("keep_zeros"));
  type.def_static("from_images", &from_images, nb::arg("pixels"), nb::arg("keep_background"));
  type.def_static("from_pixels", &from_pixels, nb::arg("rows"), nb::arg("height"), nb::arg("width"),
                  nb::arg("keep_background"));
  type.def_static("from_bytes", &from_bytes);
  type.def("to_bytes", [](const Handle& self) {
    const std::vector<std::byte> file = unlocked([&] { return to_bytes(self.index()); });
    return nb::bytes(file.data(), file.size());
  });
  type.def("labelled", &labelled, nb::arg("labels").none(), nb::arg("ids").none());
  type.def("removed", [](const Handle& self, const std::vector<std::string>& ids) {
    const nb::gil_scoped_release release;
    return handle(removed(self.index(), ids));
  });
  type.def("appended", [](const Handle& self, const Handle& rows) {
    const nb::gil_scoped_release release;
    return handle(appended(self.index(), rows.index()));
  });
  type.def("encode_histograms", [](const Handle& self, const Histograms& rows) {
    const nb::gil_scoped_release release;
    Index queries;
    queries.vocabulary = self.index().vocabulary;
    queries.rows = over_vocabulary(rows, queries.vocabulary);
    return handle(std::move(queries));
  });
}

void bind_parts(nb::class_<Handle>& type) {
  type.def("__len__", [](const Handle& self) { return self.index().rows.size(); });
  type.def_prop_ro("kind", [](const Handle& self) { return to_string(self.index().kind); });
  type.def_prop_ro("properties", [](const Handle& self) {
    auto properties = self.index().properties;
    properties.erase(label_type_property);  // says nothing of how rows were made
    return properties;
  });
  type.def_prop_ro("keeps_zeros", [](const Handle& self) {
    return making_of(self.index()).zero_bins == ZeroBins::keep;
  });
  type.def_prop_ro("has_labels", [](const Handle& self) { return !self.index().labels.empty(); });
  type.def_prop_ro("has_ids", [](const Handle& self) { return !self.index().ids.empty(); });
  type.def("ids", [](const Handle& self) { return ids_of(self.index()); });
  type.def("id", [](const Handle& self, std::size_t row) { return self.index().id(row); });
  type.def("row_with_id",
           [](const Handle& self, const std::string& id) { return row_with_id(id, self.index()); });
  type.def("label_numbers", [](const Handle& self) {
    const auto& labels = self.index().labels;
    return shown(labels, {labels.size()});
  });
  type.def("label_names", [](const Handle& self) { return self.index().label_names.to_vector(); });
  type.def("titles", [](const Handle& self) { return self.index().titles.to_vector(); });
  type.def("snippets", [](const Handle& self) { return self.index().snippets.to_vector(); });
  type.def("words", [](const Handle& self) { return self.index().vocabulary.words().to_vector(); });
  type.def("numbers", [](const Handle& self) {
    const auto& numbers = self.index().vocabulary.numbers();
    return shown(numbers, {numbers.size()});
  });
  type.def("coordinates", [](const Handle& self) {
    const Vocabulary& vocabulary = self.index().vocabulary;
    return shown(vocabulary.coordinates(), {vocabulary.size(), vocabulary.dimensions()});
  });
  type.def("histograms", [](const Handle& self) {
    const Histograms& rows = self.index().rows;
    return nb::make_tuple(shown(rows.offsets(), {rows.offsets().size()}),
                          shown(rows.coordinates(), {rows.bins()}),
                          shown(rows.weights(), {rows.bins()}));
  });
}

}  // namespace

void bind_index(nb::module_& module) {
  nb::class_<Histograms>(module, "Rows").def("__len__", &Histograms::size);
  module.def("rows_from_float", &from_float, nb::arg("columns"), nb::arg("offsets"),
             nb::arg("indices"), nb::arg("weights"), nb::arg("canonical"), nb::arg("keep_zeros"));
  module.def("rows_from_double", &from_double, nb::arg("columns"), nb::arg("offsets"),
             nb::arg("indices"), nb::arg("weights"), nb::arg("canonical"), nb::arg("keep_zeros"));
  nb::class_<Handle> type(module, "Handle");
  bind_makers(type);
  bind_parts(type);
}

}  // namespace navvy::python
