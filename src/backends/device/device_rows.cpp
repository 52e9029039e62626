// Copies rows and coordinates to a device and makes there what measures need of them.
#include "backends/device/device_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/pieces.hpp"
#include "navvy/error.hpp"

namespace navvy::backends {
namespace {

// Above this size all ground distances cost more than they save; as on the processor.
constexpr std::size_t most_sorted = 4096;

constexpr std::uint32_t last_of_piece = 0x80000000U;

void add_bins(const Vocabulary& vocabulary, const Histogram& histogram, bool with_weight,
              std::vector<DeviceBin>& bins) {
  const std::size_t first = bins.size();
  for (std::size_t bin = 0; bin < histogram.size(); ++bin)
    if (!with_weight || histogram.weights[bin] != 0)
      bins.push_back({histogram.coordinates[bin], histogram.weights[bin]});
  const auto piece = [&](const DeviceBin& bin) {
    return core::piece_of(vocabulary.number(bin.coordinate));
  };
  for (std::size_t bin = first; bin + 1 < bins.size(); ++bin)
    if (piece(bins[bin]) != piece(bins[bin + 1])) bins[bin].coordinate |= last_of_piece;
  if (bins.size() > first) bins.back().coordinate |= last_of_piece;
}

bool all_have_weight(const Histograms& rows) {
  const auto weights = rows.weights().span();
  return std::find(weights.begin(), weights.end(), 0.0F) == weights.end();
}

void check_sizes(const RowSet& set, const std::string& device) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() / 2;
  if (set.rows.size() <= most && set.vocabulary.size() <= most) return;
  throw Error(ErrorCode::limit, device + ": " + std::to_string(set.rows.size()) + " rows over " +
                                    std::to_string(set.vocabulary.size()) +
                                    " coordinates; expected at most " + std::to_string(most) +
                                    " of each");
}

// Of the memory of a card others want a share; that of a processor is everybody's.
std::uint64_t usual_memory(const devices::Facts& facts) {
  return facts.is_gpu ? facts.memory / 4 * 3 : facts.memory / 4;
}

}  // namespace

DeviceHistograms copy_histograms(OnDevice& device, const Vocabulary& vocabulary,
                                 const Histograms& histograms, core::Range range,
                                 bool with_weight) {
  // In parts: the copy of all bins in the caller's memory would be as large as the index.
  constexpr std::size_t step = 4096;
  std::vector<std::uint64_t> offsets{0};
  std::vector<DeviceBin> bins;
  std::uint64_t count = 0;
  for (std::size_t row = range.begin; row < range.end; ++row) {
    const Histogram histogram = histograms[row];
    count += with_weight ? static_cast<std::uint64_t>(std::ranges::count_if(
                               histogram.weights, [](float weight) { return weight != 0; }))
                         : histogram.size();
    offsets.push_back(count);
  }
  DeviceHistograms made{device.copy<std::uint64_t>(offsets, "the places of rows"),
                        device.buffer<DeviceBin>(count, "the bins of rows"), std::move(offsets)};
  for (std::size_t first = range.begin; first < range.end; first += step) {
    bins.clear();
    for (std::size_t row = first; row < std::min(first + step, range.end); ++row)
      add_bins(vocabulary, histograms[row], with_weight, bins);
    device.write<DeviceBin>(made.bins, bins, made.counted[first - range.begin]);
  }
  return made;
}

core::Budget DeviceRows::budget(std::uint64_t device_memory) const {
  const std::uint64_t bytes = device_memory != 0 ? device_memory : usual_memory(device_.facts());
  return core::Budget(bytes, ledger_, "device_memory");
}

OnDevice DeviceRows::work(std::uint64_t device_memory) const {
  return {device_, budget(device_memory)};
}

DeviceRows::DeviceRows(devices::Device& device, const RowSet& set, double threshold,
                       std::uint64_t device_memory)
    : device_(device), set_(set), ground_(Ground::euclidean(set.vocabulary, threshold)) {
  check_sizes(set, device.facts().name);
  OnDevice work(device_, budget(device_memory).for_kept());
  const core::Range all{0, size()};
  sources_ = copy_histograms(work, set_.vocabulary, set_.rows, all, true);
  if (!all_have_weight(set_.rows))
    destinations_ = std::make_unique<DeviceHistograms>(
        copy_histograms(work, set_.vocabulary, set_.rows, all, false));
  values_ = work.copy<float>(set_.vocabulary.coordinates().span(), "the coordinates");
  norms_ = work.buffer<float>(coordinates(), "the norms of coordinates");
  work.launch_each({"squared_norms"}, coordinates(), 1, values_, number(dimensions()),
                   number(coordinates()), norms_);
  work.count(Phase::ground, squared_norms_work(work_sizes()));
  std::vector<std::uint32_t> ids(coordinates());
  std::iota(ids.begin(), ids.end(), 0U);
  ids_ = work.copy<std::uint32_t>(ids, "the numbers of coordinates");
  work.stream().finish();
}

void DeviceRows::squares(OnDevice& device, const Ids& a, const Ids& b,
                         const DeviceBuffer<float>& out, std::size_t stride) const {
  constexpr std::size_t tile = 64;
  constexpr std::size_t micro_tiles = 256;
  if (a.count == 0 || b.count == 0) return;
  // Short launches: the driver of a display ends those that take long.
  constexpr std::size_t most_rows = 4096;
  for (std::size_t first = 0; first < b.count; first += most_rows * tile) {
    const std::size_t count = std::min(most_rows * tile, b.count - first);
    device.launch(
        {"squares"},
        {(a.count + tile - 1) / tile, (count + tile - 1) / tile, device.items(micro_tiles)},
        values_, number(dimensions()), norms_, largest_squared(), a.ids, number(a.first),
        number(a.count), b.ids, number(b.first + first), number(count), out,
        std::uint64_t{first * stride}, number(stride));
  }
  device.count(Phase::ground, squares_work(a.count, b.count, dimensions()));
}

DeviceBuffer<DeviceNeighbour> DeviceRows::sorted_neighbours(OnDevice& device) const {
  const std::size_t n = coordinates();
  OnDevice kept = keeping(device);
  auto sorted = kept.buffer<DeviceNeighbour>(n * n, "neighbours of coordinates");
  const auto all = device.buffer<float>(n * n, "all ground distances");
  const std::size_t padded = std::bit_ceil(n);
  constexpr std::size_t together = 256;
  const auto keys = device.buffer<std::uint64_t>(together * padded, "neighbours to be sorted");
  squares(device, {ids_, 0, n}, {ids_, 0, n}, all, n);
  for (std::size_t first = 0; first < n; first += together)
    device.launch({"sort_neighbours"},
                  {std::min(together, n - first), 1, device.items(OnDevice::usual_items)}, all,
                  number(n), number(first), number(padded), keys, sorted);
  device.count(Phase::ground, sort_neighbours_work(n, padded));
  device.stream().finish();
  return sorted;
}

const DeviceBuffer<DeviceNeighbour>* DeviceRows::neighbours(OnDevice& device) const {
  const std::uint64_t n = coordinates();
  if (n > most_sorted) return nullptr;
  try {
    return &neighbours_.get([&] {
      if (n * n * sizeof(DeviceNeighbour) > device.room() / 4)
        throw Error(ErrorCode::limit, "no room for sorted neighbours");
      return sorted_neighbours(device);
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::limit) throw;
    return nullptr;
  }
}

const DeviceBuffer<double>& DeviceRows::squared_lengths(OnDevice& device) const {
  return lengths_.get([&] {
    auto made = keeping(device).buffer<double>(size(), "the lengths of all rows");
    device.launch_each({"squared_lengths"}, size(), 1, sources_.offsets, sources_.bins, number(0),
                       number(size()), made);
    device.count(Phase::row_costs, squared_lengths_work(size(), sources_.bins_of(0, size())));
    device.stream().finish();
    return made;
  });
}

const DeviceBuffer<double>& DeviceRows::centroids(OnDevice& device) const {
  return centroids_.get([&] {
    auto made = keeping(device).buffer<double>(size() * dimensions(), "the centroids of all rows");
    device.launch({"centroids"}, {size(), 1, device.items(OnDevice::usual_items)}, values_,
                  number(dimensions()), sources_.offsets, sources_.bins, number(0), made);
    device.count(Phase::row_costs,
                 centroids_work(work_sizes(), size(), sources_.bins_of(0, size())));
    device.stream().finish();
    return made;
  });
}

}  // namespace navvy::backends
