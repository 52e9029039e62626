// How long a device and the processor take for the same jobs, and whether they give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/devices.hpp"
#include "app/json.hpp"
#include "navvy/options.hpp"

namespace navvy::app {

enum class BenchData { images, texts };
enum class BenchWork { all_pairs, search, matrix };

std::string_view to_string(BenchData data);
std::string_view to_string(BenchWork work);

struct BenchJob {
  BenchData data = BenchData::images;
  BenchWork work = BenchWork::all_pairs;
  Measure measure;
  std::size_t queries = 0;  ///< 0: every row
};

struct BenchResult {
  BenchJob job;
  std::size_t rows = 0;
  std::uint64_t distances = 0;  ///< query-row pairs answered
  double first = 0;             ///< seconds of the device with all that is made when first needed
  double device = 0;            ///< seconds of the device when asked again
  double cpu = 0;               ///< seconds of the processor, asked again likewise
  bool same_bits = false;
  std::vector<DevicePhase> phases{};  ///< of the devices together, in a further run
};

/// The jobs that are measured, in order.
std::span<const BenchJob> bench_jobs();

/// Rows of pictures by default: enough for a GPU to show what it can, few for others.
std::size_t bench_rows(std::span<const TestedDevice> devices);

/// Made-up data with whoever computes on both sides.
class DeviceBench {
 public:
  /// So many pictures, and a quarter of that as texts. `devices`: those of the backend.
  DeviceBench(const std::string& backend, std::span<const TestedDevice> devices, std::size_t rows);
  ~DeviceBench();
  DeviceBench(DeviceBench&&) = delete;

  /// Throws what the device throws.
  [[nodiscard]] BenchResult run(const BenchJob& job, const RunOptions& options) const;

 private:
  struct Sides;
  std::vector<Sides> sides_;  // by data
  std::vector<std::string> devices_;
};

/// What the devices did in all jobs together.
std::vector<DevicePhase> all_phases(std::span<const BenchResult> results);

/// The document of a run. Later versions may add keys to jobs, devices and the document.
Json bench_document(std::span<const TestedDevice> devices, std::span<const BenchResult> results,
                    std::size_t rows, unsigned threads);

}  // namespace navvy::app
