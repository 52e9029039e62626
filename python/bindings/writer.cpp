#include "navvy/writer.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "handle.hpp"
#include "navvy/error.hpp"
#include "progress.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;

namespace navvy::python {
namespace {

/// A writer until it is closed, which gives the lock back.
class OpenWriter {
 public:
  OpenWriter(const std::filesystem::path& path, double wait, bool tidy, nb::object progress) {
    const WriterOptions options{wait, tidy, progress_callback(std::move(progress))};
    const nb::gil_scoped_release release;
    writer_.emplace(path, options);
  }

  IndexWriter& get() {
    if (!writer_) throw Error(ErrorCode::usage, "the writer is closed");
    return *writer_;
  }
  void close() { writer_.reset(); }

 private:
  std::optional<IndexWriter> writer_;
};

std::tuple<std::unique_ptr<Handle>, FileState> open(const std::filesystem::path& path) {
  const nb::gil_scoped_release release;
  OpenedIndex opened = open_with_state(path);
  return {std::make_unique<Handle>(std::move(opened.index)), opened.state};
}

void save(const Handle& index, const std::filesystem::path& path,
          const std::optional<FileState>& state, nb::object progress) {
  const ProgressCallback callback = progress_callback(std::move(progress));
  const nb::gil_scoped_release release;
  if (state)
    save_index(index.index(), path, *state, callback);
  else
    save_index(index.index(), path, callback);
}

nb::dict facts(const std::filesystem::path& path) {
  const FileFacts found = unlocked([&] { return file_facts(path); });
  nb::list segments;
  for (const SegmentFacts& segment : found.segments) {
    nb::dict entry;
    entry["rows"] = segment.rows;
    entry["removed"] = segment.removed;
    entry["bytes"] = segment.bytes;
    segments.append(entry);
  }
  nb::dict result;
  result["version"] = found.version;
  result["edits"] = found.edits;
  result["segments"] = segments;
  result["bytes"] = found.bytes;
  result["unused"] = found.unused;
  result["leftover"] = found.leftover;
  result["drift"] = found.drift;
  return result;
}

}  // namespace

void bind_writer(nb::module_& module) {
  nb::class_<FileState>(module, "FileState")
      .def("__eq__", [](const FileState& a, const FileState& b) { return a == b; });
  module.def("open", &open, nb::arg("path"));
  module.def("save", &save, nb::arg("index"), nb::arg("path"), nb::arg("state").none(),
             nb::arg("progress").none());
  module.def("file_state", [](const std::filesystem::path& path) {
    const nb::gil_scoped_release release;
    return file_state(path);
  });
  module.def("file_facts", &facts);
  nb::class_<OpenWriter>(module, "Writer")
      .def(nb::init<const std::filesystem::path&, double, bool, nb::object>(), nb::arg("path"),
           nb::arg("wait"), nb::arg("tidy"), nb::arg("progress").none())
      .def("outline",
           [](OpenWriter& self) {
             const nb::gil_scoped_release release;
             return std::make_unique<Handle>(self.get().outline());
           })
      .def("add",
           [](OpenWriter& self, const Handle& rows) {
             const nb::gil_scoped_release release;
             self.get().add(rows.index());
           })
      .def("update",
           [](OpenWriter& self, const Handle& rows) {
             const nb::gil_scoped_release release;
             const auto done = self.get().update(rows.index());
             return std::tuple(done.replaced, done.added);
           })
      .def("remove",
           [](OpenWriter& self, const std::vector<std::string>& ids) {
             const nb::gil_scoped_release release;
             self.get().remove(ids);
           })
      .def("compact",
           [](OpenWriter& self, bool reweigh) {
             const nb::gil_scoped_release release;
             self.get().compact(reweigh);
           })
      .def("close", &OpenWriter::close);
}

}  // namespace navvy::python
