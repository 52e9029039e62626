// The basis of a transport simplex: a spanning tree over sources and targets that knows its flows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace navvy::pairwise {

/// A spanning tree of the full bipartite graph: nodes below sources() are sources, the others
/// targets. Everything is kept per node: the arc to its parent, which leads from the source of both
/// to the target, what flows on it, and a potential. Along arcs of the tree
/// cost - potential(source) + potential(target) is 0.
///
/// The tree is strongly feasible: an arc without flow leads from a source to its parent. Choosing
/// the arc that leaves accordingly (Cunningham 1976) keeps it so and rules out cycling.
class SpanningTree {
 public:
  struct Node {
    std::int64_t potential;
    std::int64_t flow;      // on the arc to the parent
    std::int32_t parent;    // -1 for the root
    std::int32_t next;      // in preorder, round and round
    std::int32_t previous;  // likewise
    std::int32_t size;      // nodes below and including this one
    std::int32_t last;      // of these, in preorder
  };

  /// Bytes for so many nodes.
  static std::uint64_t memory(std::uint64_t nodes) {
    return (sizeof(Node) + sizeof(float)) * nodes + spare * sizeof(float);
  }

  /// Room that is readable beyond the last of prices(), as whole vectors are read.
  static constexpr std::size_t spare = 16;

  void reserve(std::size_t nodes);

  /// Begins with a root, the first target, alone. `unit` is what prices() are multiplied with.
  void begin(std::size_t sources, std::size_t targets, float unit);
  /// Hangs a node that is not there yet to one that is, by an arc of that cost.
  void hang(std::int32_t node, std::int32_t parent, std::int64_t flow, std::int64_t cost);
  /// Makes the tree ready for pivots. `order` are all nodes in the order in which they were hung.
  void finish(const std::vector<std::int32_t>& order);

  [[nodiscard]] bool has(std::int32_t node) const { return at(node).size != 0; }
  [[nodiscard]] std::int32_t root() const { return sources_; }
  [[nodiscard]] std::size_t sources() const { return static_cast<std::size_t>(sources_); }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] const Node& at(std::int32_t node) const {
    return nodes_[static_cast<std::size_t>(node)];
  }

  /// Potentials as floats, in units.
  [[nodiscard]] const float* prices() const { return prices_.data(); }
  [[nodiscard]] std::int64_t largest_potential() const;

  /// Takes in the arc of that reduced cost, below 0, as much flow as can, and lets another go.
  void pivot(std::int32_t source, std::int32_t target, std::int64_t reduced);

 private:
  struct Cycle {
    std::int32_t join;     // the nearest node above both ends
    std::int32_t leaving;  // the child of the arc that leaves
    bool above_source;     // it lies between the source and the join
    std::int64_t flow;     // that goes round
  };

  [[nodiscard]] bool is_source(std::int32_t node) const { return node < sources_; }
  [[nodiscard]] Cycle find_cycle(std::int32_t source, std::int32_t target) const;
  void push(std::int32_t source, std::int32_t target, const Cycle& cycle);
  void cut(std::int32_t top, const Cycle& cycle);
  std::int32_t turn(std::int32_t end, std::int32_t top, std::int32_t parent, std::int64_t flow);
  void insert(std::int32_t top, std::int32_t last, std::int32_t parent);
  void raise(std::int32_t top, std::int64_t by);

  std::int32_t sources_ = 0;
  float unit_ = 1;
  std::vector<Node> nodes_;
  std::vector<float> prices_;
};

}  // namespace navvy::pairwise
