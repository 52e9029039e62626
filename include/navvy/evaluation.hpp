// How well nearest neighbours have the label of their query: who asks, and what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "navvy/array.hpp"
#include "navvy/histograms.hpp"
#include "navvy/matches.hpp"
#include "navvy/measure.hpp"
#include "navvy/options.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy {

/// The seed of a sample unless told otherwise.
inline constexpr std::uint64_t usual_seed = 1;

/// `count` of the numbers below `size`, ascending, each at most once; all of them where there are
/// no more. Every choice is as likely as any other, the same on every machine, and a larger sample
/// of the same seed holds the smaller.
std::vector<std::uint32_t> sample(std::uint32_t size, std::size_t count, std::uint64_t seed);

/// A mean over queries, with the 95 % interval for that over all queries of their kind.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Of values between `least` and `most`, one per query: the mean and, to both sides, as many
/// standard errors as hold 95 % of Student's t (1.96 of many values, 2.26 of ten; values of one
/// query are one value, so that its neighbours are not taken for independent), cut at `least` and
/// `most`. Where all values are the same, three of their number are given away (the rule of three);
/// one value alone says nothing.
Estimate estimate(std::span<const double> values, double least = 0, double most = 1);

/// Which rows or queries ask, what, and for how many neighbours.
struct EvaluateOptions {
  Question question = {};
  RunOptions run = {};
  std::vector<std::size_t> tops = {1, 16};  ///< lengths of lists
  /// So many of those that can ask, by chance; 0, or more than there are: all.
  std::size_t queries = 0;
  std::uint64_t seed = usual_seed;
  /// As in SearchOptions: the other rows neither ask nor are found.
  Array<std::uint8_t> among = {};
};

/// Queries over coordinates of their own, as in Searcher::search, with the names of their labels,
/// "" for none.
struct LabelledQueries {
  Histograms histograms;
  Vocabulary vocabulary;
  std::vector<std::string> labels;
};

/// Precision over the queries of one label.
struct ClassPrecision {
  std::string label;
  std::uint64_t queries = 0;
  std::vector<Estimate> precision;  ///< one per entry of tops
};

/// Precision of nearest-neighbour lists against labels.
struct Evaluation {
  Measure measure;
  std::vector<std::size_t> tops;
  std::vector<Estimate> precision = {};  ///< one per entry of tops: the mean share of equal labels
  /// Labels that ask: those of the index in its order, then those that it does not have.
  std::vector<ClassPrecision> classes = {};
  std::vector<std::uint32_t> asked = {};  ///< the rows, or the numbers of the queries, ascending
  /// Of each that asked, at each of tops, how many of its nearest rows have its label.
  std::vector<std::uint32_t> equal = {};
  std::uint64_t queries = 0;         ///< that asked
  std::uint64_t candidates = 0;      ///< of so many that could
  std::uint64_t unlabelled = 0;      ///< could not: they have no label
  std::uint64_t empty = 0;           ///< could not: they have a label but no weight
  std::uint64_t unknown_labels = 0;  ///< asked with a label that no row has: nothing is right
  std::uint64_t distances = 0;       ///< query-row pairs answered
  double seconds = 0;                ///< wall time of the distance and top work
  double cpu_seconds = 0;            ///< CPU time of the whole process meanwhile
  SearchCounters counters = {};

  /// The place of a length in tops; throws Error(usage) where it is not among them.
  [[nodiscard]] std::size_t place_of(std::size_t top) const;
  /// The precision of each that asked at an entry of tops.
  [[nodiscard]] std::vector<double> of_each(std::size_t place) const;
};

/// By how much `a` is more precise than `b` at a length of lists, query by query: since both were
/// asked the same, the interval of the difference is narrower than those of the two tell. Throws
/// Error(usage) where others asked.
Estimate difference(const Evaluation& a, const Evaluation& b, std::size_t top);

/// The places of those that are not clearly less precise at a length than the most precise: the
/// interval of its difference to each of them holds 0. The most precise comes first, then by
/// precision. Of one alone it can be said that it is better.
std::vector<std::size_t> not_clearly_worse(std::span<const Evaluation> evaluations,
                                           std::size_t top);

}  // namespace navvy
