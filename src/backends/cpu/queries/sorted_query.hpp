// One query against rows over a small support, from ground distances that are kept sorted.
#pragma once

#include <vector>

#include "backends/cpu/queries/query_against_rows.hpp"
#include "backends/cpu/tables/one_query.hpp"

namespace navvy::backends {

class SortedQuery : public QueryAgainstRows {
 public:
  SortedQuery(const Engine& engine, Levels levels, Destinations destinations, core::Run& run);

  /// Bytes for so many threads.
  [[nodiscard]] static std::uint64_t memory(const Engine& engine, const Levels& levels,
                                            unsigned threads) noexcept;

  void set_query(const Histogram& query);
  void set_query(const Histogram& query, core::Run& /*run*/) override { set_query(query); }
  void into_query(std::span<const std::uint32_t> rows, std::span<float> costs,
                  unsigned thread) override;
  float into_query(std::uint32_t row, unsigned thread) override;
  float into_row(std::uint32_t row, unsigned thread) override;
  float ict(std::uint32_t row, unsigned thread) override;
  void distances(std::uint32_t coordinate, std::span<float> out) const override;

 private:
  struct Worker {
    OneQueryTable table;
    bool has_table = false;  // of the present query: made by who first asks
    PairWorker<SortedNearest> pairs;
  };

  const Engine& engine_;
  Levels levels_;
  const Histograms& destinations_;
  core::Reservation reserved_;
  Histogram query_;
  std::vector<std::uint32_t> ends_;
  std::vector<Worker> workers_;
};

}  // namespace navvy::backends
