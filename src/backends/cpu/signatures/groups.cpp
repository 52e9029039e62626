// Space is halved by weight, across its longest side, until there are enough parts.
#include "backends/cpu/signatures/groups.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace navvy::backends {
namespace {

class Halves {
 public:
  Halves(const Vocabulary& vocabulary, const Histograms& rows)
      : vocabulary_(vocabulary), masses_(vocabulary.size()), groups_(vocabulary.size()) {
    for (std::size_t bin = 0; bin < rows.coordinates().span().size(); ++bin)
      masses_[rows.coordinates().span()[bin]] += rows.weights().span()[bin];
  }

  std::vector<std::uint8_t> into(std::size_t parts) {
    std::vector<std::uint32_t> all(vocabulary_.size());
    std::iota(all.begin(), all.end(), 0U);
    halve(all, parts);
    return std::move(groups_);
  }

 private:
  void halve(std::span<std::uint32_t> ids, std::size_t parts) {
    if (parts == 1 || ids.size() <= 1) {
      for (const std::uint32_t id : ids) groups_[id] = next_;
      ++next_;
      return;
    }
    const std::size_t side = longest_side(ids);
    std::ranges::sort(ids, [&](std::uint32_t a, std::uint32_t b) {
      const float x = vocabulary_.coordinate(a)[side];
      const float y = vocabulary_.coordinate(b)[side];
      return x != y ? x < y : a < b;
    });
    const std::size_t cut = half_of_mass(ids);
    // A side with few coordinates leaves its parts to the other.
    const std::size_t right = std::min(ids.size() - cut, parts - std::min(cut, parts / 2));
    const std::size_t left = std::min(cut, parts - right);
    halve(ids.first(cut), left);
    halve(ids.subspan(cut), right);
  }

  [[nodiscard]] std::size_t longest_side(std::span<const std::uint32_t> ids) const {
    std::size_t longest = 0;
    float length = -1;
    for (std::size_t side = 0; side < vocabulary_.dimensions(); ++side) {
      const auto [least, most] = std::ranges::minmax(
          ids, {}, [&](std::uint32_t id) { return vocabulary_.coordinate(id)[side]; });
      const float extent = vocabulary_.coordinate(most)[side] - vocabulary_.coordinate(least)[side];
      if (extent > length) {
        length = extent;
        longest = side;
      }
    }
    return longest;
  }

  // At least one coordinate is on each side.
  [[nodiscard]] std::size_t half_of_mass(std::span<const std::uint32_t> ids) const {
    double total = 0;
    for (const std::uint32_t id : ids) total += masses_[id];
    double before = 0;
    std::size_t cut = 0;
    while (cut + 1 < ids.size() && (cut == 0 || before < total / 2)) before += masses_[ids[cut++]];
    return cut;
  }

  const Vocabulary& vocabulary_;
  std::vector<double> masses_;
  std::vector<std::uint8_t> groups_;
  std::uint8_t next_ = 0;
};

}  // namespace

std::vector<std::uint8_t> signature_groups(const Vocabulary& vocabulary, const Histograms& rows,
                                           std::size_t groups) {
  return Halves(vocabulary, rows).into(groups);
}

}  // namespace navvy::backends
