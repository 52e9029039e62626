// Calls on an index, brought to the searcher that knows the coordinates of their queries.
#include "handle.hpp"

#include <algorithm>

#include "navvy/align.hpp"
#include "navvy/devices.hpp"

namespace navvy::python {
namespace {

/// A matrix of so many columns that takes in lines as they come.
struct Lines {
  Lines(std::size_t count, std::size_t columns) : width(columns), values(count * columns) {}

  DistanceSink sink() {
    return [this](std::size_t first, std::size_t, std::span<const float> lines) {
      std::ranges::copy(lines, values.begin() + static_cast<std::ptrdiff_t>(first * width));
    };
  }

  std::size_t width;
  std::vector<float> values;
};

Histograms renumbered(const Index& queries, const Index& index) {
  return navvy::renumbered(queries.rows, queries.vocabulary, index.vocabulary);
}

}  // namespace

Handle::Ready Handle::ready_for(const Options& options) {
  const std::string backend = device_backend(options.device);
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = searchers_.find(backend); found != searchers_.end())
      return found->second;
  }
  // Opening a device may take long: a fork must not find the lock held meanwhile.
  auto made = std::make_shared<const Searcher>(index_, backend);
  const std::scoped_lock lock(mutex_);
  return searchers_.try_emplace(backend, std::move(made)).first->second;
}

Handle::Ready Handle::ready_for(const Vocabulary& vocabulary, const Options& options) {
  const std::string backend = device_backend(options.device);
  Ready ready = ready_for(options);
  while (true) {
    Index wide = ready->index();
    if (!extend(wide, vocabulary)) return ready;
    auto wider = std::make_shared<const Searcher>(wide, backend);
    const std::scoped_lock lock(mutex_);
    // Another thread may have been first, with other coordinates: they stay.
    if (searchers_[backend] == ready) return searchers_[backend] = wider;
    ready = searchers_[backend];
  }
}

Matches Handle::search(const Index& queries, const Options& options) {
  const Ready ready = ready_for(queries.vocabulary, options);
  return ready->search(renumbered(queries, ready->index()), options);
}

Matches Handle::search_rows(std::span<const std::uint32_t> rows, const Options& options) {
  return ready_for(options)->search_rows(rows, options);
}

Matches Handle::knn(const Options& options) { return ready_for(options)->knn(options); }

std::vector<float> Handle::distances(const Range& queries, const Range& rows,
                                     const Options& options) {
  Lines lines(queries.second - queries.first, rows.second - rows.first);
  ready_for(options)->distances({queries.first, queries.second, rows.first, rows.second},
                                options.question, options.run, lines.sink());
  return std::move(lines.values);
}

std::vector<double> Handle::distances(const Index& queries, const Range& rows,
                                      const Options& options) {
  const Ready ready = ready_for(queries.vocabulary, options);
  std::vector<double> values;
  values.reserve(queries.rows.size() * (rows.second - rows.first));
  ready->distances(renumbered(queries, ready->index()), rows.first, rows.second, options.question,
                   options.run, [&](std::size_t, std::span<const double> line) {
                     values.insert(values.end(), line.begin(), line.end());
                   });
  return values;
}

Evaluation Handle::evaluate(std::span<const std::size_t> tops, std::size_t queries,
                            const Options& options) {
  return ready_for(options)->evaluate(tops, queries, options.question, options.run, options.among);
}

}  // namespace navvy::python
