#include "navvy/shards.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "handle.hpp"
#include "navvy/collection.hpp"
#include "navvy/devices.hpp"
#include "navvy/error.hpp"
#include "navvy/text.hpp"
#include "progress.hpp"
#include "unlocked.hpp"

namespace navvy::python {
namespace {

using HandlePtr = std::unique_ptr<Handle>;

// Work that makes an index, done while other Python threads may run.
template <class Work>
HandlePtr made(const Work& work) {
  const nb::gil_scoped_release release;
  return std::make_unique<Handle>(work());
}

std::vector<Index> indexes_of(const std::vector<const Handle*>& handles) {
  std::vector<Index> indexes;
  indexes.reserve(handles.size());
  for (const Handle* handle : handles) indexes.push_back(handle->index());
  return indexes;
}

nb::dict frequencies(const Handle& self) {
  const Index known = unlocked([&] { return with_frequencies(self.index()); });
  nb::dict result;
  result["numbers"] = shown(known.vocabulary.numbers(), {known.vocabulary.size()});
  result["words"] = known.vocabulary.words().to_vector();
  result["frequencies"] = shown(known.frequencies, {known.frequencies.size()});
  result["documents"] = known.documents;
  result["tokens"] = known.tokens;
  return result;
}

HandlePtr encode(const Handle& vocabulary, const std::vector<std::string>& texts,
                 const std::vector<std::string>& ids) {
  const nb::gil_scoped_release release;
  const TextEncoder encoder(vocabulary.index());
  std::vector<TextQuery> queries;
  std::vector<std::vector<std::string>> unknown;
  for (const std::string& text : texts) {
    queries.push_back(encoder.encode(text));
    unknown.push_back(queries.back().unknown);
  }
  auto encoded =
      std::make_unique<Handle>(encoded_queries(vocabulary.index(), encoder, queries, ids));
  encoded->unknown = std::move(unknown);
  return encoded;
}

Lists knn(const Shards& self, std::size_t a, std::size_t b, const Options& options,
          const std::optional<Values<double>>& limits) {
  SearchOptions asked = options;
  if (limits) asked.limits = shared<double>(*limits);
  return unlocked([&] { return self.knn(a, b, asked, device_backend(options.device)); });
}

std::vector<std::string> files_of(const Shards& self) {
  std::vector<std::string> names;
  for (const NamedFile& shard : self.manifest().shards) names.push_back(shard.name);
  return names;
}

std::vector<std::int64_t> numbers_of(const Shards& self, std::size_t shard) {
  const std::vector<std::uint64_t> rows = self.rows_of(shard);
  return {rows.begin(), rows.end()};
}

nb::dict columns(const Lists& self) {
  const Matches& matches = self.matches;
  const std::initializer_list<std::size_t> shape{matches.queries, matches.top};
  nb::dict result;
  result["queries"] = handed_over(std::vector(self.queries));
  result["owners"] = handed_over(std::vector(self.owners));
  result["rows"] = handed_over(std::vector(matches.rows), shape);
  result["distances"] = handed_over(std::vector(matches.distances), shape);
  if (!matches.has_bounds()) return result;
  result["lower"] = handed_over(std::vector(matches.lower), shape);
  result["upper"] = handed_over(std::vector(matches.upper), shape);
  result["exact"] = handed_over(std::vector(matches.exact), shape);
  return result;
}

Lists merge(const std::vector<const Lists*>& parts, const std::vector<std::string>& names) {
  const nb::gil_scoped_release release;
  std::vector<Lists> lists;
  lists.reserve(parts.size());
  for (const Lists* part : parts) lists.push_back(*part);
  return merged(lists, names);
}

void bind_collection(nb::module_& module) {
  auto type = nb::borrow<nb::class_<Handle>>(module.attr("Handle"));
  type.def("frequencies", &frequencies);
  type.def("encode_queries", &encode, nb::arg("texts"), nb::arg("ids"));
  type.def("reweighed", [](const Handle& self, const Handle& vocabulary) {
    return made([&] { return reweighed(self.index(), vocabulary.index()); });
  });
  module.def("joined_vocabulary", [](const std::vector<const Handle*>& parts) {
    return made([&] { return joined_vocabulary(indexes_of(parts)); });
  });
}

void bind_lists(nb::module_& module) {
  nb::class_<Lists>(module, "Lists")
      .def_ro("question", &Lists::question)
      .def_ro("shards", &Lists::shards)
      .def_ro("parts", &Lists::parts)
      .def_ro("uncut", &Lists::uncut)
      .def_ro("work", &Lists::work)
      .def_prop_ro("top", [](const Lists& self) { return self.matches.top; })
      .def("columns", &columns)
      .def("limits",
           [](const Lists& self) {
             const Array<double> limits = self.limits();
             return shown(limits, {limits.size()});
           })
      .def("of", &Lists::of)
      .def("require_complete", &Lists::require_complete)
      .def("save",
           [](const Lists& self, const std::filesystem::path& path) {
             const nb::gil_scoped_release release;
             save_lists(self, path);
           })
      .def("to_bytes", [](const Lists& self) {
        const std::vector<std::byte> bytes = unlocked([&] { return to_bytes(self); });
        return nb::bytes(bytes.data(), bytes.size());
      });
  module.def("open_lists", [](const std::filesystem::path& path) {
    const nb::gil_scoped_release release;
    return open_lists(path);
  });
  module.def("lists_from_bytes", [](const nb::bytes& bytes) {
    const std::span content(static_cast<const std::byte*>(bytes.data()), bytes.size());
    const nb::gil_scoped_release release;
    return open_lists(content);
  });
  module.def("merge_lists", &merge, nb::arg("parts"), nb::arg("names"));
}

}  // namespace

void bind_shards(nb::module_& module) {
  bind_collection(module);
  bind_lists(module);
  nb::class_<Shards>(module, "Shards")
      .def(nb::init<const std::filesystem::path&>())
      .def("__len__", [](const Shards& self) { return self.manifest().shards.size(); })
      .def_prop_ro("rows", [](const Shards& self) { return self.manifest().rows(); })
      .def_prop_ro("kind", [](const Shards& self) { return to_string(self.manifest().kind); })
      .def_prop_ro("numbered", [](const Shards& self) { return self.manifest().numbered; })
      .def_prop_ro("files", &files_of)
      .def_prop_ro("identity", [](const Shards& self) { return self.manifest().identity(); })
      .def("rows_of", [](const Shards& self,
                         std::size_t shard) { return handed_over(numbers_of(self, shard)); })
      .def("open", [](const Shards& self,
                      std::size_t shard) { return made([&] { return self.open(shard); }); })
      .def("vocabulary", [](const Shards& self) { return made([&] { return self.vocabulary(); }); })
      .def("pairs", &Shards::pairs)
      .def(
          "search",
          [](const Shards& self, std::size_t shard, const Handle& queries, const Options& options) {
            return unlocked([&] {
              return self.search(shard, queries.index(), options, device_backend(options.device));
            });
          })
      .def("knn", &knn, nb::arg("a"), nb::arg("b"), nb::arg("options"), nb::arg("limits").none());
  module.def("is_sharded", [](const std::filesystem::path& path) { return is_sharded(path); });
  module.def("open_whole", [](const std::filesystem::path& path) {
    return made([&] { return open_whole(path); });
  });
  module.def(
      "split",
      [](const Handle& index, const std::filesystem::path& folder, std::size_t shards, bool hashed,
         nb::object progress) {
        const ProgressCallback callback = progress_callback(std::move(progress));
        const nb::gil_scoped_release release;
        split(index.index(), shards, hashed ? Sharing::hashed : Sharing::contiguous, folder,
              callback);
      },
      nb::arg("index"), nb::arg("folder"), nb::arg("shards"), nb::arg("hashed"),
      nb::arg("progress").none());
  module.def("make_shards",
             [](const std::filesystem::path& folder, const std::vector<std::string>& files,
                const std::string& vocabulary) {
               const nb::gil_scoped_release release;
               make_shards(folder, files, vocabulary);
             });
}

}  // namespace navvy::python
