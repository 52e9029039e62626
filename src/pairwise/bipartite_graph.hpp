// The graph of one transport problem, as LEMON wants to see it.
#pragma once

#include <lemon/core.h>

#include <cstddef>
#include <vector>

#include "pairwise/asking.hpp"

namespace navvy::pairwise {

/// The full bipartite graph from `sources` to `targets` nodes, in the form that LEMON's algorithms
/// read. Nothing is stored per arc, and its size can change: LEMON's own graphs would be built
/// anew, arc by arc, for every pair of histograms. The type and function names are LEMON's.
class BipartiteGraph {
 public:
  using NodeNumTag = lemon::True;
  using ArcNumTag = lemon::True;

  struct Node {
    int id = -1;

    Node() = default;
    Node(lemon::Invalid) {}
    explicit Node(int i) : id(i) {}
    bool operator==(const Node& other) const { return id == other.id; }
    bool operator!=(const Node& other) const { return id != other.id; }
    bool operator<(const Node& other) const { return id < other.id; }
  };

  /// Arcs know their ends, which saves a division per look.
  struct Arc {
    int id = -1;
    int from = 0;
    int to = 0;

    Arc() = default;
    Arc(lemon::Invalid) {}
    Arc(int i, int f, int t) : id(i), from(f), to(t) {}
    bool operator==(const Arc& other) const { return id == other.id; }
    bool operator!=(const Arc& other) const { return id != other.id; }
    bool operator<(const Arc& other) const { return id < other.id; }
  };

  struct NodeIt : Node {
    int end = 0;

    NodeIt(lemon::Invalid) {}
    explicit NodeIt(const BipartiteGraph& graph)
        : Node(graph.nodeNum() > 0 ? 0 : -1), end(graph.nodeNum()) {}
    NodeIt& operator++() {
      id = id + 1 < end ? id + 1 : -1;
      return *this;
    }
  };

  struct ArcIt : Arc {
    int first_target = 0, last_target = 0, arcs = 0;

    ArcIt(lemon::Invalid) {}
    explicit ArcIt(const BipartiteGraph& graph)
        : Arc(graph.arcNum() > 0 ? 0 : -1, 0, graph.sources_),
          first_target(graph.sources_),
          last_target(graph.nodeNum()),
          arcs(graph.arcNum()) {}
    ArcIt& operator++() {
      if (++to == last_target) {
        to = first_target;
        ++from;
        Asking::count();
      }
      id = id + 1 < arcs ? id + 1 : -1;
      return *this;
    }
  };

  struct OutArcIt : Arc {
    int last_target = 0;

    OutArcIt(lemon::Invalid) {}
    OutArcIt(const BipartiteGraph& graph, const Node& node) : last_target(graph.nodeNum()) {
      if (node.id < graph.sources_) Arc::operator=(graph.arc(node.id, 0));
    }
    OutArcIt& operator++() {
      id = ++to < last_target ? id + 1 : -1;
      return *this;
    }
  };

  struct InArcIt : Arc {
    int sources = 0, targets = 0;

    InArcIt(lemon::Invalid) {}
    InArcIt(const BipartiteGraph& graph, const Node& node)
        : sources(graph.sources_), targets(graph.targets_) {
      Asking::count();
      if (node.id >= sources) Arc::operator=(graph.arc(0, node.id - sources));
    }
    InArcIt& operator++() {
      id = ++from < sources ? id + targets : -1;
      return *this;
    }
  };

  /// Values per node or arc. Grows when written to after the graph has grown, to its size at once:
  /// step by step it would hold up to twice as much.
  template <class Key, class T>
  class Map {
   public:
    explicit Map(const BipartiteGraph& graph, const T& initial = T())
        : graph_(&graph), initial_(initial) {}
    typename std::vector<T>::reference operator[](const Key& key) {
      const auto place = static_cast<std::size_t>(key.id);
      if (place >= values_.size()) values_.resize(graph_->count(key), initial_);
      return values_[place];
    }
    typename std::vector<T>::const_reference operator[](const Key& key) const {
      return values_[static_cast<std::size_t>(key.id)];
    }

   private:
    const BipartiteGraph* graph_;
    T initial_;
    std::vector<T> values_;
  };
  template <class T>
  using NodeMap = Map<Node, T>;
  template <class T>
  using ArcMap = Map<Arc, T>;

  /// How many nodes or arcs there are.
  [[nodiscard]] std::size_t count(const Node&) const { return static_cast<std::size_t>(nodeNum()); }
  [[nodiscard]] std::size_t count(const Arc&) const { return static_cast<std::size_t>(arcNum()); }

  void resize(int sources, int targets) {
    sources_ = sources;
    targets_ = targets;
  }
  // NOLINTNEXTLINE(readability-identifier-naming): LEMON's name
  [[nodiscard]] int nodeNum() const { return sources_ + targets_; }
  // NOLINTNEXTLINE(readability-identifier-naming): LEMON's name
  [[nodiscard]] int arcNum() const { return sources_ * targets_; }
  [[nodiscard]] Node source(const Arc& arc) const { return Node(arc.from); }
  [[nodiscard]] Node target(const Arc& arc) const { return Node(arc.to); }
  /// The arc from source i to target j.
  [[nodiscard]] Arc arc(int i, int j) const { return {i * targets_ + j, i, sources_ + j}; }
  /// The nodes of source i and of target j.
  [[nodiscard]] static Node source_node(int i) { return Node(i); }
  [[nodiscard]] Node target_node(int j) const { return Node(sources_ + j); }

 private:
  int sources_ = 0;
  int targets_ = 0;
};

}  // namespace navvy::pairwise
