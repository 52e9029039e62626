// Results as files that NumPy and SciPy read: .npy and .npz.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/npz_writer.hpp"
#include "navvy/graph.hpp"
#include "navvy/search.hpp"

namespace navvy {

void Searcher::write_distances(const MatrixRange& range, const Question& question,
                               const RunOptions& run, const std::filesystem::path& path) const {
  core::AtomicFile file(path);
  const std::string head = core::npy_head(
      "<f4",
      core::shape_of({range.query_end - range.query_begin, range.row_end - range.row_begin}));
  file.write(std::as_bytes(std::span(head)));
  distances(range, question, run, [&](std::size_t, std::size_t, std::span<const float> values) {
    file.write(std::as_bytes(values));
  });
  file.commit();
}

void write_graph(const Matches& matches, std::size_t rows, const std::filesystem::path& path) {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  std::vector<float> data;
  for (std::size_t query = 0; query < matches.queries; ++query) {
    for (const Match& match : matches[query]) {
      indices.push_back(static_cast<std::int32_t>(match.row));
      data.push_back(static_cast<float>(match.distance));
    }
    indptr.push_back(static_cast<std::int64_t>(indices.size()));
  }
  const std::array<std::int64_t, 2> shape{static_cast<std::int64_t>(matches.queries),
                                          static_cast<std::int64_t>(rows)};
  core::NpzWriter npz(path);
  npz.add_list("indices", "<i4", std::span<const std::int32_t>(indices));
  npz.add_list("indptr", "<i8", std::span<const std::int64_t>(indptr));
  npz.add("format", core::npy_head("|S3", "()"), std::as_bytes(std::span<const char>("csr", 3)));
  npz.add_list("shape", "<i8", std::span<const std::int64_t>(shape));
  npz.add_list("data", "<f4", std::span<const float>(data));
  npz.commit();
}

}  // namespace navvy
