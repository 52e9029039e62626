// Launches every kernel of the text on a device, on small data, and compares with plain loops.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "devices/kernel_bench.hpp"
#include "devices/plain_kernels.hpp"

namespace navvy::test {

class EveryKernel : public KernelBench {
 public:
  explicit EveryKernel(devices::Device& device, std::uint64_t shortened = 0)
      : KernelBench(device, shortened),
        lanes_(static_cast<std::uint32_t>(2 * device.lane_width())) {
    coordinates_ = upload(data_.coordinates);
    offsets_ = upload(data_.offsets);
    bins_ = upload(data_.bins);
    std::vector<std::uint32_t> ids(data_.size);
    std::iota(ids.begin(), ids.end(), 0u);
    ids_ = upload(ids);
  }

  void run_common() {
    ground();
    combine();
    lists();
    if (!device_.facts().has_doubles) return;
    baselines();
    sinkhorn(600.0);
    sinkhorn(1.0);  // too little: nothing is computed
  }

  /// Those for a number of levels; after run_common().
  void run_levels(int room) {
    room_ = room;
    levels_ = room == 16 ? 11u : static_cast<std::uint32_t>(room);
    only_at_zero_ = room == 2 ? 1u : 0u;
    tables();
    costs();
    query_costs();
  }

 private:
  // The squares of coordinates ids[a], ids[b] as the loops have them.
  [[nodiscard]] std::vector<float> plain_squares() const {
    std::vector<float> squares;
    for (std::uint32_t b = 0; b < data_.size; ++b) {
      for (std::uint32_t a = 0; a < data_.size; ++a) squares.push_back(plain_square(data_, a, b));
    }
    return squares;
  }

  void ground() {
    const std::uint32_t size = data_.size;
    norms_ = make(size * 4);
    launch("squared_norms", 0, groups_for(size), 1,
           {coordinates_.get(), data_.dimensions, size, norms_.get()});
    std::vector<float> norms;
    for (std::uint32_t id = 0; id < size; ++id) {
      norms.push_back(plain_dot(data_.at(id), data_.at(id), data_.dimensions));
    }
    expect("squared_norms", download<float>(norms_) == norms);
    squares_ = make(std::uint64_t{size} * size * 4);
    launch("squares", 0, 1, 1,
           {coordinates_.get(), data_.dimensions, norms_.get(), data_.largest, ids_.get(), 0u, size,
            ids_.get(), 0u, size, squares_.get(), std::uint64_t{0}, size});
    const std::vector<float> squares = plain_squares();
    expect("squares", download<float>(squares_) == squares);
    sort_neighbours(squares);
  }

  void sort_neighbours(const std::vector<float>& squares) {
    const std::uint32_t size = data_.size;
    const std::uint32_t some = 30;
    const Held scratch = make(some * 64 * 8);
    neighbours_ = make(std::uint64_t{size} * size * 8);
    for (std::uint32_t first = 0; first < size; first += some) {
      launch("sort_neighbours", 0, std::min(some, size - first), 1,
             {squares_.get(), size, first, 64u, scratch.get(), neighbours_.get()});
    }
    std::vector<std::uint64_t> sorted;  // the coordinate in the low half, the distance above
    for (std::uint32_t id = 0; id < size; ++id) {
      std::vector<std::pair<float, std::uint64_t>> order;
      for (std::uint32_t other = 0; other < size; ++other) {
        order.emplace_back(squares[id * size + other], other);
      }
      std::sort(order.begin(), order.end());
      for (const auto& [square, other] : order) {
        const auto bits = std::bit_cast<std::uint32_t>(std::sqrt(square));
        sorted.push_back(std::uint64_t{bits} << 32 | other);
      }
    }
    expect("sort_neighbours", download<std::uint64_t>(neighbours_) == sorted);
  }

  void combine() {
    const std::uint32_t i_count = 37;
    const std::uint32_t j_count = 35;
    const std::uint32_t columns = 41;
    for (const std::uint32_t how : {0u, 1u, 2u}) {
      std::vector<float> ours(i_count * columns);
      std::vector<float> theirs(j_count * columns);
      for (std::size_t i = 0; i < ours.size(); ++i) ours[i] = static_cast<float>(i * 37 % 101);
      for (std::size_t i = 0; i < theirs.size(); ++i) theirs[i] = static_cast<float>(i * 53 % 97);
      const Held device_ours = upload(ours);
      const Held device_theirs = upload(theirs);
      launch("combine", 0, 2, 2,
             {device_ours.get(), device_theirs.get(), i_count, j_count, columns, how});
      for (std::uint32_t i = 0; i < i_count; ++i) {
        for (std::uint32_t j = 0; j < j_count; ++j) {
          float& own = ours[i * columns + j];
          float& other = theirs[j * columns + i];
          if (how == 0) own = other = std::max(own, other);
          if (how == 1) std::swap(own, other);
          if (how == 2) other = own;
        }
      }
      expect("combine", download_all(device_ours, ours.size()) == ours &&
                            download_all(device_theirs, theirs.size()) == theirs);
    }
  }
  std::vector<float> download_all(const Held& memory, std::size_t count) {
    std::vector<float> values(count);
    stream_->read(*memory, 0, values.data(), count * 4);
    return values;
  }

  void lists() {
    const std::uint32_t count = 5;  // of lists; all but the first are offered candidates
    const std::uint32_t top = 3;
    const std::uint32_t candidates = 23;
    const std::uint32_t columns = 25;
    const std::uint32_t first = 2;
    const std::uint64_t none = ~std::uint64_t{0};
    std::vector<float> distances((count - 1) * columns);
    for (std::size_t i = 0; i < distances.size(); ++i) {
      distances[i] = static_cast<float>(i * 29 % 17);
    }
    std::vector<std::uint32_t> wanted(first + candidates, 1);
    wanted[9] = 0;
    std::vector<std::uint64_t> limits(count, none);
    limits[3] = 0;  // nothing may enter
    limits[4] = std::uint64_t{std::bit_cast<std::uint32_t>(2.0f)} << 32;
    std::vector<std::uint64_t> expected(count * top, none);
    expected[2 * top] = 7;  // a key that is there already
    const Held lists = upload(expected);
    const Held scratch = make((count - 1) * 32 * 8);
    launch("update_lists", 0, count - 1, 1,
           {upload_kept(distances), columns, 1u, first, candidates, upload_kept(wanted),
            upload_kept(limits), lists.get(), top, scratch.get(), 32u});
    for (std::uint32_t list = 1; list < count; ++list) {
      std::vector<std::uint64_t> keys(&expected[list * top], &expected[list * top] + top);
      for (std::uint32_t i = 0; i < candidates; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(distances[(list - 1) * columns + i]);
        const std::uint64_t key = std::uint64_t{bits} << 32 | (first + i);
        if (first + i != list && wanted[first + i] != 0 && key < limits[list]) keys.push_back(key);
      }
      std::sort(keys.begin(), keys.end());
      std::copy_n(keys.begin(), top, &expected[list * top]);
    }
    std::vector<std::uint64_t> found(expected.size());
    stream_->read(*lists, 0, found.data(), found.size() * 8);
    expect("update_lists", found == expected);
    kept_.clear();
  }
  // Weights of the queries by coordinate, over what stands for absent bins.
  Held spread(float absent) {
    Held weights = make(blocks() * data_.size * lanes_ * 4, std::bit_cast<std::uint32_t>(absent));
    launch("spread", 0, queries, 1,
           {offsets_.get(), bins_.get(), first_query, lanes_, data_.size, weights.get()});
    return weights;
  }

  void baselines() {
    const std::uint32_t columns = static_cast<std::uint32_t>(blocks()) * lanes_;
    const Held row_lengths = make(data_.rows * 8);
    const Held query_lengths = make(queries * 8);
    launch("squared_lengths", 0, groups_for(data_.rows), 1,
           {offsets_.get(), bins_.get(), 0u, data_.rows, row_lengths.get()});
    launch("squared_lengths", 0, groups_for(queries), 1,
           {offsets_.get(), bins_.get(), first_query, queries, query_lengths.get()});
    std::vector<double> lengths;
    for (std::uint32_t row = 0; row < data_.rows; ++row) {
      lengths.push_back(plain_product(data_.row(row), data_.row(row)));
    }
    expect("squared_lengths", download<double>(row_lengths) == lengths);
    const Held weights = spread(0.0f);
    const Held costs = make((data_.rows - 1) * columns * 4);
    launch("bow_costs", 0, data_.rows - 1, blocks(),
           {offsets_.get(), bins_.get(), 1u, weights.get(), data_.size, lanes_, row_lengths.get(),
            query_lengths.get(), queries, costs.get(), columns});
    expect_costs("bow_costs", download<float>(costs), columns, 1,
                 [&](std::uint32_t row, std::uint32_t query) {
                   return plain_bow(data_.row(row), data_.row(query));
                 });
    const Held means = make(std::uint64_t{data_.rows} * data_.dimensions * 8);
    launch("centroids", 0, data_.rows, 1,
           {coordinates_.get(), data_.dimensions, offsets_.get(), bins_.get(), 0u, means.get()});
    launch("wcd_costs", 0, data_.rows - 1, 1,
           {means.get(), 1u, means.get(), first_query, queries, data_.dimensions, costs.get(),
            columns});
    expect_costs("wcd_costs", download<float>(costs), columns, 1,
                 [&](std::uint32_t row, std::uint32_t query) {
                   return plain_wcd(data_, data_.row(row), data_.row(query));
                 });
  }

  template <class Cost>
  void expect_costs(const char* name, const std::vector<float>& costs, std::size_t columns,
                    std::uint32_t first_row, const Cost& cost) {
    bool right = true;
    for (std::uint32_t row = first_row; row < data_.rows; ++row) {
      for (std::uint32_t query = 0; query < queries; ++query) {
        const float found = costs[(row - first_row) * columns + query];
        right = right && found == cost(row, first_query + query);
      }
    }
    expect(name, right);
  }

  void tables() {
    const std::uint64_t bytes = blocks() * data_.size * planes() * lanes_ * 4;
    const Held weights = spread(-1.0f);
    tables_ = make(bytes);
    launch("pick_sorted", room_, data_.size, blocks(),
           {neighbours_.get(), data_.size, weights.get(), offsets_.get(), first_query, queries,
            lanes_, levels_, only_at_zero_, tables_.get()});
    expect_tables("pick_sorted", download<float>(tables_));
    const Held fused = make(bytes);
    launch("pick_fused", room_, groups_for(data_.size), queries,
           {coordinates_.get(), data_.dimensions, norms_.get(), data_.largest, data_.size,
            offsets_.get(), bins_.get(), first_query, lanes_, levels_, only_at_zero_, fused.get()});
    expect_tables("pick_fused", download<float>(fused));
    std::vector<std::uint32_t> places;  // all words have their squares: a bin's place is its id
    for (std::uint32_t query = 0; query < queries; ++query) {
      for (const DeviceBin& bin : data_.row(first_query + query)) places.push_back(bin.id());
    }
    const Held device_places = upload(places);
    const Held picked = make(bytes);
    launch("pick", room_, groups_for(data_.size), queries,
           {squares_.get(), data_.size, 0u, data_.size, data_.size, offsets_.get(), bins_.get(),
            device_places.get(), first_query, lanes_, levels_, only_at_zero_, picked.get()});
    expect_tables("pick", download<float>(picked));
  }

  void expect_tables(const char* name, const std::vector<float>& tables) {
    bool right = true;
    for (std::uint32_t query = 0; query < queries; ++query) {
      const std::size_t block = query / lanes_;
      for (std::uint32_t id = 0; id < data_.size; ++id) {
        const std::vector<float> expected =
            plain_levels(data_, id, data_.row(first_query + query), levels_,
                         static_cast<std::size_t>(room_), only_at_zero_ != 0);
        for (std::size_t plane = 0; plane < planes(); ++plane) {
          const std::size_t entry = (block * data_.size + id) * planes() + plane;
          // Capacities of levels that nobody pays for may be anything.
          if (plane % 2 == 1 && expected[plane + 1] == 0.0f) continue;
          right = right && tables[entry * lanes_ + query % lanes_] == expected[plane];
        }
      }
    }
    expect(name, right);
  }

  void costs() {
    const std::uint32_t columns = static_cast<std::uint32_t>(blocks()) * lanes_;
    const Held costs = make((data_.rows - 1) * columns * 4);
    launch(
        "row_costs", room_, data_.rows - 1, blocks(),
        {offsets_.get(), bins_.get(), 1u, tables_.get(), data_.size, lanes_, costs.get(), columns});
    const auto cost = [&](std::uint32_t row, std::uint32_t query) {
      return plain_cost(data_, data_.row(row), data_.row(query), levels_, only_at_zero_ != 0);
    };
    expect_costs("row_costs", download<float>(costs), columns, 1, cost);
    const Held table = make(data_.size * planes() * 4);
    launch("pick_fused", room_, groups_for(data_.size), 1,
           {coordinates_.get(), data_.dimensions, norms_.get(), data_.largest, data_.size,
            offsets_.get(), bins_.get(), first_query, 1u, levels_, only_at_zero_, table.get()});
    const Held of_one = make(data_.rows * 4);
    launch("row_costs_of_one", room_, groups_for(data_.rows), 1,
           {offsets_.get(), bins_.get(), data_.rows, table.get(), of_one.get()});
    const std::vector<float> found = download<float>(of_one);
    bool right = true;
    for (std::uint32_t row = 0; row < data_.rows; ++row) {
      right = right && found[row] == cost(row, first_query);
    }
    expect("row_costs_of_one", right);
  }

  // squares[bin of all rows][bin of the first query]
  Held squares_of_one() {
    std::vector<std::uint32_t> own;
    std::vector<std::uint32_t> others;
    for (const DeviceBin& bin : data_.row(first_query)) own.push_back(bin.id());
    for (const DeviceBin& bin : data_.bins) others.push_back(bin.id());
    const auto stride = static_cast<std::uint32_t>(own.size());
    const auto count = static_cast<std::uint32_t>(others.size());
    Held squares = make(std::uint64_t{stride} * count * 4);
    launch("squares", 0, 1, (count + 63) / 64,
           {coordinates_.get(), data_.dimensions, norms_.get(), data_.largest, upload_kept(own), 0u,
            stride, upload_kept(others), 0u, count, squares.get(), std::uint64_t{0}, stride});
    return squares;
  }

  // One query into all rows.
  void query_costs() {
    const auto query = data_.row(first_query);
    const auto stride = static_cast<std::uint32_t>(query.size());
    std::vector<float> weights;
    for (const DeviceBin& bin : data_.bins) weights.push_back(bin.weight);
    const Held squares = squares_of_one();
    const std::vector<std::uint32_t> starts(data_.offsets.begin(), data_.offsets.end());
    const Held scratch = make(data_.rows * planes() * stride * 4);
    const Held costs = make(data_.rows * 4);
    launch("query_costs", room_, data_.rows, 1,
           {squares.get(), stride, bins_.get(), data_.offsets[first_query], stride,
            upload_kept(starts), upload_kept(weights), levels_, only_at_zero_, scratch.get(),
            costs.get()});
    std::vector<float> expected;
    for (std::uint32_t row = 0; row < data_.rows; ++row) {
      expected.push_back(plain_cost(data_, query, data_.row(row), levels_, only_at_zero_ != 0));
    }
    expect("query_costs", download<float>(costs) == expected);
    std::vector<std::uint32_t> rows(data_.rows);  // from the last to the first
    std::iota(rows.rbegin(), rows.rend(), 0u);
    const Held spread = make(data_.rows * data_.size * 4);
    launch("query_costs_sorted", room_, data_.rows, 1,
           {neighbours_.get(), data_.size, bins_.get(), data_.offsets[first_query], stride,
            offsets_.get(), bins_.get(), upload_kept(rows), levels_, only_at_zero_, spread.get(),
            scratch.get(), stride, costs.get()});
    std::reverse(expected.begin(), expected.end());
    expect("query_costs_sorted", download<float>(costs) == expected);
    kept_.clear();
  }

  // All rows against one query; `limit`: how far down exponentials may go.
  void sinkhorn(double limit) {
    const auto query = data_.row(first_query);
    const auto stride = static_cast<std::uint32_t>(query.size());
    const Held squares = squares_of_one();
    const std::vector<std::uint32_t> starts(data_.offsets.begin(), data_.offsets.end());
    std::vector<std::uint32_t> turned;
    std::vector<double> weights;
    for (std::uint32_t row = 0; row < data_.rows; ++row) {
      turned.push_back(row % 2);
      for (const double weight : plain_shares(data_.row(row))) weights.push_back(weight);
    }
    const devices::Memory* turns = upload_kept(turned);
    const devices::Memory* begins = upload_kept(starts);
    const Held kernels = make(2 * 8 * data_.bins.size() * stride);
    const Held vectors = make(2 * 8 * (data_.bins.size() + std::uint64_t{data_.rows} * stride));
    const Held states = make(data_.rows * 4);
    const Held costs = make(data_.rows * 8);
    launch("sinkhorn_start", 0, data_.rows, 1,
           {squares.get(), stride, begins, turns, upload_kept(weights),
            upload_kept(plain_shares(query)), lambda, 0.0, limit, kernels.get(), vectors.get(),
            states.get()});
    launch("sinkhorn_scale", 0, data_.rows, 1,
           {stride, begins, turns, kernels.get(), vectors.get(), 0.0, iterations, states.get()});
    launch("sinkhorn_costs", 0, data_.rows, 1,
           {squares.get(), stride, begins, turns, kernels.get(), vectors.get(), states.get(),
            costs.get()});
    const std::vector<double> found = download<double>(costs);
    for (std::uint32_t row = 0; row < data_.rows; ++row) {
      const auto first = row % 2 == 0 ? data_.row(row) : query;
      const auto second = row % 2 == 0 ? query : data_.row(row);
      const double expected =
          lambda > limit ? 0.0 : plain_sinkhorn(data_, first, second, lambda, iterations);
      // Exponentials are within a few units of the last place, and the sums in any order.
      expect("sinkhorn_costs", std::abs(found[row] - expected) <= 1e-10 * expected);
    }
    kept_.clear();
  }

  [[nodiscard]] std::size_t blocks() const { return (queries + lanes_ - 1) / lanes_; }
  [[nodiscard]] std::size_t planes() const { return 2 * static_cast<std::size_t>(room_) - 1; }

  static constexpr std::uint32_t first_query = 2;
  static constexpr std::uint32_t queries = 6;
  static constexpr double lambda = 5.0;
  static constexpr std::uint32_t iterations = 4;

  SmallData data_;
  std::uint32_t lanes_;
  int room_ = 1;
  std::uint32_t levels_ = 1;
  std::uint32_t only_at_zero_ = 0;
  Held coordinates_, offsets_, bins_, ids_, norms_, squares_, neighbours_, tables_;
};

}  // namespace navvy::test
