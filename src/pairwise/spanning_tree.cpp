// Pivots of a transport simplex on lists of nodes in preorder.
#include "pairwise/spanning_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace navvy::pairwise {

void SpanningTree::reserve(std::size_t nodes) {
  nodes_.reserve(nodes);
  prices_.reserve(nodes + spare);
}

void SpanningTree::begin(std::size_t sources, std::size_t targets, float unit) {
  sources_ = static_cast<std::int32_t>(sources);
  unit_ = unit;
  nodes_.assign(sources + targets, {});
  prices_.assign(sources + targets + spare, 0);
  nodes_[sources] = {0, 0, -1, root(), root(), 1, root()};
}

// A first child: right after its parent in preorder.
void SpanningTree::hang(std::int32_t node, std::int32_t parent, std::int64_t flow,
                        std::int64_t cost) {
  Node* const nodes = nodes_.data();
  const std::int32_t next = nodes[parent].next;
  const std::int64_t potential = nodes[parent].potential + (is_source(node) ? cost : -cost);
  nodes[node] = {potential, flow, parent, next, parent, 1, node};
  nodes[parent].next = node;
  nodes[next].previous = node;
}

// The child that was hung first is the last in preorder.
void SpanningTree::finish(const std::vector<std::int32_t>& order) {
  Node* const nodes = nodes_.data();
  for (std::size_t i = order.size(); i-- > 1;) {
    const Node& node = nodes[order[i]];
    nodes[node.parent].size += node.size;
    nodes[node.parent].last = node.last;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    prices_[i] = static_cast<float>(nodes[i].potential) * unit_;
}

std::int64_t SpanningTree::largest_potential() const {
  std::int64_t largest = 0;
  for (const Node& node : nodes_) largest = std::max(largest, std::abs(node.potential));
  return largest;
}

// Going from the join down to the source, over the new arc and up again, the last arc that lets no
// more flow through is the one that leaves.
SpanningTree::Cycle SpanningTree::find_cycle(std::int32_t source, std::int32_t target) const {
  const Node* const nodes = nodes_.data();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t below_source = most, below_target = most;
  std::int32_t leaving_source = -1, leaving_target = -1;
  std::int32_t a = source, b = target;
  while (a != b) {
    const Node& from = nodes[a];
    const Node& to = nodes[b];
    if (from.size < to.size) {
      if (is_source(a) && from.flow < below_source) below_source = from.flow, leaving_source = a;
      a = from.parent;
    } else {
      if (!is_source(b) && to.flow <= below_target) below_target = to.flow, leaving_target = b;
      b = to.parent;
    }
  }
  if (below_target <= below_source) return {a, leaving_target, false, below_target};
  return {a, leaving_source, true, below_source};
}

void SpanningTree::push(std::int32_t source, std::int32_t target, const Cycle& cycle) {
  if (cycle.flow == 0) return;
  Node* const nodes = nodes_.data();
  for (std::int32_t node = source; node != cycle.join; node = nodes[node].parent)
    nodes[node].flow += is_source(node) ? -cycle.flow : cycle.flow;
  for (std::int32_t node = target; node != cycle.join; node = nodes[node].parent)
    nodes[node].flow += is_source(node) ? cycle.flow : -cycle.flow;
}

void SpanningTree::cut(std::int32_t top, const Cycle& cycle) {
  Node* const nodes = nodes_.data();
  const Node& cut = nodes[top];
  const std::int32_t after = nodes[cut.last].next;
  for (std::int32_t node = cut.parent; node != cycle.join; node = nodes[node].parent)
    nodes[node].size -= cut.size;
  for (std::int32_t node = cut.parent; node >= 0 && nodes[node].last == cut.last;
       node = nodes[node].parent)
    nodes[node].last = cut.previous;
  nodes[cut.previous].next = after;
  nodes[after].previous = cut.previous;
}

// Hangs the subtree of `top` by another of its nodes: what stood above `end` comes after what stood
// below it. Returns the last node in the new order.
std::int32_t SpanningTree::turn(std::int32_t end, std::int32_t top, std::int32_t parent,
                                std::int64_t flow) {
  Node* const nodes = nodes_.data();
  const std::int32_t total = nodes[top].size;
  const std::int32_t above = parent;
  std::int32_t tail = nodes[end].last;
  // Of the node below, before it was turned: its first and last neighbours, last node and size.
  std::int32_t before = 0, after = 0, last = -1, size = 0;
  for (std::int32_t node = end;;) {
    const Node old = nodes[node];
    const std::int32_t next = old.last == last ? after : nodes[old.last].next;
    if (node != end) {
      nodes[tail].next = node;
      nodes[node].previous = tail;
      tail = before;
      if (last != old.last) {
        nodes[before].next = after;
        nodes[after].previous = before;
        tail = old.last;
      }
    }
    nodes[node].size = total - size;
    nodes[node].parent = parent;
    nodes[node].flow = flow;
    if (node == top) break;
    before = old.previous, after = next, last = old.last, size = old.size;
    parent = node, flow = old.flow, node = old.parent;
  }
  for (std::int32_t node = top; node != above; node = nodes[node].parent) nodes[node].last = tail;
  return tail;
}

void SpanningTree::insert(std::int32_t top, std::int32_t last, std::int32_t parent) {
  Node* const nodes = nodes_.data();
  const std::int32_t next = nodes[parent].next;
  nodes[parent].next = top;
  nodes[top].previous = parent;
  nodes[last].next = next;
  nodes[next].previous = last;
  for (std::int32_t node = parent; node >= 0 && nodes[node].last == parent;
       node = nodes[node].parent)
    nodes[node].last = last;
}

void SpanningTree::raise(std::int32_t top, std::int64_t by) {
  Node* const nodes = nodes_.data();
  float* const prices = prices_.data();
  const float unit = unit_;
  const auto update = [&](std::int32_t node) {
    const std::int64_t potential = nodes[node].potential += by;
    prices[node] = static_cast<float>(potential) * unit;
  };
  // From both ends at once: two chains of loads that wait for each other's values no more.
  std::int32_t first = top;
  std::int32_t last = nodes[top].last;
  for (std::int32_t left = nodes[top].size; left > 1; left -= 2) {
    update(first);
    update(last);
    first = nodes[first].next;
    last = nodes[last].previous;
  }
  if (nodes[top].size % 2 != 0) update(first);
}

void SpanningTree::pivot(std::int32_t source, std::int32_t target, std::int64_t reduced) {
  const Cycle cycle = find_cycle(source, target);
  push(source, target, cycle);
  const std::int32_t end = cycle.above_source ? source : target;
  const std::int32_t parent = cycle.above_source ? target : source;
  cut(cycle.leaving, cycle);
  const std::int32_t size = nodes_[static_cast<std::size_t>(cycle.leaving)].size;
  for (std::int32_t node = parent; node != cycle.join; node = at(node).parent)
    nodes_[static_cast<std::size_t>(node)].size += size;
  const std::int32_t last = turn(end, cycle.leaving, parent, cycle.flow);
  insert(end, last, parent);
  raise(end, is_source(end) ? reduced : -reduced);
}

}  // namespace navvy::pairwise
