// The tree of the network simplex, looked at whole after every pivot.
#include "pairwise/spanning_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/facts.hpp"

namespace navvy::test {
namespace {

using pairwise::SpanningTree;
using Node = std::int32_t;

struct Problem {
  Node sources;
  Node targets;
  std::vector<std::int64_t> masses;  // by node
  std::vector<std::int64_t> costs;   // row by row

  [[nodiscard]] Node nodes() const { return sources + targets; }
  [[nodiscard]] std::int64_t cost(Node source, Node target) const {
    return costs[static_cast<std::size_t>(source * targets + target - sources)];
  }
  [[nodiscard]] std::int64_t cost_of_arc(const SpanningTree& tree, Node child) const {
    const Node parent = tree.at(child).parent;
    return cost(std::min(child, parent), std::max(child, parent));
  }
};

Problem random_problem(Rng& rng) {
  Problem problem;
  problem.sources = static_cast<Node>(random_size(rng, 1, 12));
  problem.targets = static_cast<Node>(random_size(rng, 1, 12));
  const std::size_t most = random_size(rng, 1, 50);  // few values: many ties
  problem.masses.assign(static_cast<std::size_t>(problem.nodes()), 0);
  for (std::size_t i = 0; i < 40; ++i) {
    const auto mass = static_cast<std::int64_t>(random_size(rng, 1, 3));
    problem.masses[random_size(rng, 0, static_cast<std::size_t>(problem.sources - 1))] += mass;
    problem.masses[static_cast<std::size_t>(problem.sources) +
                   random_size(rng, 0, static_cast<std::size_t>(problem.targets - 1))] += mass;
  }
  for (Node i = 0; i < problem.sources * problem.targets; ++i)
    problem.costs.push_back(static_cast<std::int64_t>(random_size(rng, 0, most)));
  return problem;
}

// The northwest corner: along both sides in order. A target that is filled together with a source
// takes the next source without mass.
SpanningTree first_tree(const Problem& problem) {
  SpanningTree tree;
  tree.begin(static_cast<std::size_t>(problem.sources), static_cast<std::size_t>(problem.targets),
             1);
  std::vector<std::int64_t> left = problem.masses;
  std::vector<Node> order{tree.root()};
  Node source = 0, target = problem.sources;
  const auto hang = [&](Node node, Node parent, std::int64_t flow) {
    tree.hang(node, parent, flow, problem.cost(source, target));
    order.push_back(node);
  };
  for (bool new_source = true;;) {
    std::int64_t& mass = left[static_cast<std::size_t>(source)];
    std::int64_t& room = left[static_cast<std::size_t>(target)];
    const std::int64_t sent = std::min(mass, room);
    new_source ? hang(source, target, sent) : hang(target, source, sent);
    mass -= sent;
    room -= sent;
    new_source = mass == 0;
    if (new_source && ++source == problem.sources) break;
    if (!new_source) ++target;
  }
  tree.finish(order);
  return tree;
}

void expect_order(const SpanningTree& tree) {
  const auto count = static_cast<Node>(tree.nodes());
  std::vector<Node> place(tree.nodes(), -1);
  Node node = tree.root();
  for (Node i = 0; i < count; ++i) {
    ASSERT_EQ(place[static_cast<std::size_t>(node)], -1);
    place[static_cast<std::size_t>(node)] = i;
    ASSERT_EQ(tree.at(tree.at(node).next).previous, node);
    node = tree.at(node).next;
  }
  ASSERT_EQ(node, tree.root());
  for (node = 0; node < count; ++node) {
    const Node own = place[static_cast<std::size_t>(node)];
    ASSERT_EQ(place[static_cast<std::size_t>(tree.at(node).last)], own + tree.at(node).size - 1);
    if (node == tree.root()) continue;
    const Node above = place[static_cast<std::size_t>(tree.at(node).parent)];
    ASSERT_LT(above, own);
    ASSERT_LE(own + tree.at(node).size, above + tree.at(tree.at(node).parent).size);
  }
}

void expect_strongly_feasible(const SpanningTree& tree, const Problem& problem) {
  std::vector<std::int64_t> left = problem.masses;
  for (Node node = 0; node < problem.nodes(); ++node) {
    ASSERT_EQ(tree.prices()[node], static_cast<float>(tree.at(node).potential));
    if (node == tree.root()) continue;
    const Node parent = tree.at(node).parent;
    ASSERT_NE(node < problem.sources, parent < problem.sources);
    ASSERT_GE(tree.at(node).flow, node < problem.sources ? 0 : 1);
    ASSERT_EQ(problem.cost_of_arc(tree, node) - tree.at(std::min(node, parent)).potential +
                  tree.at(std::max(node, parent)).potential,
              0);
    left[static_cast<std::size_t>(node)] -= tree.at(node).flow;
    left[static_cast<std::size_t>(parent)] -= tree.at(node).flow;
  }
  ASSERT_EQ(std::ranges::count(left, 0), problem.nodes());
}

std::int64_t cost_of(const SpanningTree& tree, const Problem& problem) {
  std::int64_t cost = 0;
  for (Node node = 0; node < problem.nodes(); ++node)
    if (node != tree.root()) cost += tree.at(node).flow * problem.cost_of_arc(tree, node);
  return cost;
}

TEST(SpanningTree, StaysOneAndStronglyFeasibleUntilNothingIsToBeGained) {
  Rng rng(2);
  int pivots = 0, degenerate = 0;
  for (int round = 0; round < 400; ++round) {
    const Problem problem = random_problem(rng);
    if (std::ranges::count(problem.masses, 0) > 0) continue;
    SpanningTree tree = first_tree(problem);
    expect_order(tree);
    expect_strongly_feasible(tree, problem);
    for (bool gains = true; gains;) {
      gains = false;
      // Any arc below 0 will do: the first after a random one.
      const auto arcs = static_cast<Node>(problem.costs.size());
      const auto first = static_cast<Node>(random_size(rng, 0, problem.costs.size() - 1));
      for (Node k = 0; k < arcs && !gains; ++k) {
        const Node arc = (first + k) % arcs;
        const Node source = arc / problem.targets;
        const Node target = problem.sources + arc % problem.targets;
        const std::int64_t reduced =
            problem.cost(source, target) - tree.at(source).potential + tree.at(target).potential;
        if (reduced >= 0) continue;
        gains = true;
        const std::int64_t before = cost_of(tree, problem);
        tree.pivot(source, target, reduced);
        ++pivots;
        degenerate += cost_of(tree, problem) == before ? 1 : 0;
        ASSERT_LE(cost_of(tree, problem), before);
        ASSERT_NO_FATAL_FAILURE(expect_order(tree));
        ASSERT_NO_FATAL_FAILURE(expect_strongly_feasible(tree, problem));
      }
    }
  }
  EXPECT_GT(pivots, 1000);
  EXPECT_GT(degenerate, 50);
}

}  // namespace
}  // namespace navvy::test
