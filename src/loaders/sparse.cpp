// SciPy sparse matrices of every layout as histograms.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loaders/histograms.hpp"

namespace navvy::loaders {
namespace {

struct Entry {
  std::uint32_t column;
  double weight;
};

// The entries of a csr, csc or coo matrix, whatever their order.
class SparseMatrix {
 public:
  explicit SparseMatrix(const NpzFile& file)
      : file_(file), format_(read_format(file)), data_(file.get("data")) {
    const NpyArray shape = file.get("shape");
    if (!shape.is_integer() || shape.shape() != std::vector<std::uint64_t>{2}) {
      shape.fail("expected two integers, found shape " + to_string(shape.shape()) + " of type '" +
                 shape.type() + "'");
    }
    rows_ = side(shape, 0, "rows");
    columns_ = side(shape, 1, "columns");
    require_one_dimension(data_);
    if (!data_.is_number()) data_.fail("type '" + data_.type() + "', expected numbers");
  }

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t columns() const noexcept { return columns_; }

  /// Calls visit(row, column, weight) for every entry. Everything is checked on the way.
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (format_ == "coo") {
      for_each_triple(visit);
    } else {
      for_each_compressed(visit);
    }
  }

 private:
  template <class Visit>
  void for_each_triple(const Visit& visit) const {
    const NpyArray row = indices("row");
    const NpyArray column = indices("col");
    require_room(data_.size());
    for (std::uint64_t i = 0; i < data_.size(); ++i) {
      emit(i, row.integer(i), column.integer(i), visit);
    }
  }

  template <class Visit>
  void for_each_compressed(const Visit& visit) const {
    const bool by_row = format_ == "csr";
    const NpyArray minor = indices("indices");
    const NpyArray pointers = file_.get("indptr");
    check_pointers(pointers, by_row ? rows_ : columns_);
    if (!by_row) require_room(data_.size());
    for (std::uint64_t major = 0; major + 1 < pointers.size(); ++major) {
      const auto begin = static_cast<std::uint64_t>(pointers.integer(major));
      const auto end = static_cast<std::uint64_t>(pointers.integer(major + 1));
      const auto line = static_cast<std::int64_t>(major);
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::int64_t other = minor.integer(i);
        emit(i, by_row ? line : other, by_row ? other : line, visit);
      }
    }
  }

  static std::string read_format(const NpzFile& file) {
    const NpyArray format = file.get("format");
    std::string name = format.is_text() && format.size() == 1 ? format.text(0) : "?";
    if (name != "csr" && name != "csc" && name != "coo") {
      format.fail("sparse format '" + (is_plain(name) ? name : "?") +
                  "', expected csr, csc or coo; save the matrix with .tocsr()");
    }
    return name;
  }

  static bool is_plain(const std::string& name) {
    return name.size() < 16 && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == name.npos;
  }

  // Rows and columns are counted in 32 bits everywhere else.
  static std::uint64_t side(const NpyArray& shape, std::uint64_t i, const std::string& what) {
    const std::int64_t value = shape.integer(i);
    if (value < 1 || value >= row_limit) {
      shape.fail(std::to_string(value) + " " + what + ", expected 1 to " +
                 std::to_string(row_limit - 1));
    }
    return static_cast<std::uint64_t>(value);
  }

  static void require_one_dimension(const NpyArray& array) {
    if (array.shape().size() != 1) {
      array.fail("shape " + to_string(array.shape()) + ", expected one dimension");
    }
  }

  [[nodiscard]] NpyArray indices(const std::string& name) const {
    NpyArray array = file_.get(name);
    require_one_dimension(array);
    if (!array.is_integer()) array.fail("type '" + array.type() + "', expected integers");
    if (array.size() != data_.size()) {
      array.fail(std::to_string(array.size()) + " entries, expected " +
                 std::to_string(data_.size()) + " as in data.npy");
    }
    return array;
  }

  void check_pointers(const NpyArray& pointers, std::uint64_t lines) const {
    require_one_dimension(pointers);
    if (!pointers.is_integer() || pointers.size() != lines + 1) {
      pointers.fail(std::to_string(pointers.size()) + " entries of type '" + pointers.type() +
                    "', expected " + std::to_string(lines + 1) + " integers");
    }
    std::int64_t last = 0;
    for (std::uint64_t i = 0; i < pointers.size(); ++i) {
      const std::int64_t value = pointers.integer(i);
      const bool ascends = i == 0 ? value == 0 : value >= last;
      if (!ascends || static_cast<std::uint64_t>(value) > data_.size()) {
        pointers.fail("entry " + std::to_string(i) + " is " + std::to_string(value) +
                      ", expected to ascend from 0 to at most " + std::to_string(data_.size()));
      }
      last = value;
    }
  }

  // In csc and coo the number of rows is a mere claim; a few bytes must not make us reserve
  // gigabytes for rows without entries.
  void require_room(std::uint64_t entries) const {
    constexpr std::uint64_t allowance = 1'000'000;
    if (rows_ > allowance + 16 * entries) {
      file_.fail(std::to_string(rows_) + " rows for " + std::to_string(entries) +
                 " entries: nearly all rows are empty, which is taken for an error");
    }
  }

  template <class Visit>
  void emit(std::uint64_t i, std::int64_t row, std::int64_t column, const Visit& visit) const {
    if (row < 0 || column < 0 || static_cast<std::uint64_t>(row) >= rows_ ||
        static_cast<std::uint64_t>(column) >= columns_) {
      file_.fail("entry " + std::to_string(i) + " is at row " + std::to_string(row) + ", column " +
                 std::to_string(column) + ", but the matrix is " + std::to_string(rows_) + " x " +
                 std::to_string(columns_));
    }
    const double weight = data_.number(i);
    if (!std::isfinite(weight) || weight < 0) {
      file_.fail("row " + std::to_string(row) + ", column " + std::to_string(column) +
                 ": weight is " + shortest(weight) + ", expected a finite number of at least 0");
    }
    visit(static_cast<std::size_t>(row), static_cast<std::uint32_t>(column), weight);
  }

  const NpzFile& file_;
  std::string format_;
  NpyArray data_;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
};

// What rows weighed before they were scaled, as export_npz() writes it; empty where it did not.
Array<double> masses_of(const NpzFile& file, const Histograms& rows) {
  if (!file.has("masses")) return {};
  const NpyArray array = file.get("masses");
  if (!array.is_number() || array.shape() != std::vector<std::uint64_t>{rows.size()})
    array.fail("shape " + to_string(array.shape()) + " of type '" + array.type() + "', expected " +
               std::to_string(rows.size()) + " numbers, one per row");
  std::vector<double> masses;
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    const double mass = array.number(row);
    const bool fits = is_empty(rows[row]) ? mass == 0 : mass > 0 && std::isfinite(mass);
    if (!fits)
      array.fail("entry " + std::to_string(row) + " is " + shortest(mass) +
                 ", expected a finite number above 0, or 0 for a row without weight");
    masses.push_back(mass);
  }
  return Array(std::move(masses));
}

// Rows that export_npz() wrote are scaled already, and scaling them once more may change last bits.
// What is told of a file is not trusted: weights are taken as they are only where they differ in
// nothing else. Their masses stand beside them, or nobody knows them.
Histograms as_written(const Histograms& scaled, std::span<const std::uint32_t> columns,
                      std::span<const double> weights, const NpzFile& file) {
  constexpr double last_bits = 1.0 / (1 << 22);
  if (!std::ranges::equal(scaled.coordinates(), columns)) return scaled;
  std::vector<float> written;
  written.reserve(weights.size());
  for (std::size_t bin = 0; bin < weights.size(); ++bin) {
    const auto weight = static_cast<float>(weights[bin]);
    const double change = static_cast<double>(scaled.weights()[bin]) - weights[bin];
    if (static_cast<double>(weight) != weights[bin] || std::abs(change) > last_bits * weights[bin])
      return scaled;
    written.push_back(weight);
  }
  return {scaled.vocabulary_size(), scaled.offsets(), scaled.coordinates(),
          Array(std::move(written)), masses_of(file, scaled)};
}

}  // namespace

Histograms sparse_histograms(const NpzFile& file, ZeroBins zero_bins) {
  const SparseMatrix matrix(file);
  std::vector<std::uint64_t> ends(1);
  std::vector<std::uint32_t> row_of;
  std::vector<Entry> entries;
  matrix.for_each([&](std::size_t row, std::uint32_t column, double weight) {
    row_of.push_back(static_cast<std::uint32_t>(row));
    entries.push_back({column, weight});
  });

  // Counting sort by row; within a row entries keep the order of the file.
  ends.resize(matrix.rows() + 1);
  for (const std::uint32_t row : row_of) ++ends[row + 1];
  for (std::size_t row = 0; row < matrix.rows(); ++row) ends[row + 1] += ends[row];
  std::vector<std::uint32_t> columns(entries.size());
  std::vector<double> weights(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t place = ends[row_of[i]]++;
    columns[place] = entries[i].column;
    weights[place] = entries[i].weight;
  }

  HistogramsBuilder builder(matrix.columns(), zero_bins);
  std::uint64_t begin = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const std::size_t count = ends[row] - begin;
    builder.add(std::span(columns).subspan(begin, count), std::span(weights).subspan(begin, count));
    begin = ends[row];
  }
  const Histograms scaled = builder.build();
  return file.has("scaled") ? as_written(scaled, columns, weights, file) : scaled;
}

}  // namespace navvy::loaders
