// The measures, their names and what is known about each.
#pragma once

// Measures and directions: their names, and what is true of each.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace navvy {

/// How the distance between two histograms is computed. On every pair
/// rwmd <= omr <= act-1 <= act-2 <= ... <= ict <= emd (Theorem 2 of the paper) and wcd <= emd.
/// emd_hat is emd under the ground distance min(d, threshold), FastEMD's.
enum class MeasureKind { bow, wcd, rwmd, omr, act, ict, sinkhorn, emd, emd_hat };
inline constexpr std::size_t measure_kinds = static_cast<std::size_t>(MeasureKind::emd_hat) + 1;

/// What a measure takes besides its name.
enum class MeasureParameter { none, iterations, threshold };

/// What a measure looks at between two coordinates: whether they are the same, their ground
/// distance, or the coordinates themselves, where a norm gives the ground distance.
enum class GroundUse { identity, distances, coordinates };

/// What is true of every measure of a kind. Code that treats measures differently asks for one of
/// these, or lists every kind in a switch without a default, so that the compiler names the places
/// that a new kind has to decide.
struct MeasureFacts {
  MeasureKind kind;
  std::string_view name;  ///< iterations follow it after a dash
  MeasureParameter parameter = MeasureParameter::none;
  GroundUse ground = GroundUse::distances;
  bool symmetric = false;   ///< by itself: the direction asked for does not matter
  bool partial = false;     ///< asked for one way, it moves masses that may differ (is_partial)
  bool relaxation = false;  ///< one transfer rule describes it
  bool exact = false;       ///< its search proves the answer
  bool moves_mass = false;  ///< its transport has a flow to show
  bool whole_plan = false;  ///< that flow is a plan which keeps both sides, solved pair by pair
  bool bounds_emd = false;  ///< is never above emd
};

/// The facts about a kind.
const MeasureFacts& facts(MeasureKind kind) noexcept;

/// The facts about every kind, in the order of MeasureKind.
std::span<const MeasureFacts> all_facts() noexcept;

/// Which histogram is moved into which, and what the two costs of a pair make: the larger of them
/// (symmetric), one of them, or a mix, (1 - share) of query_to_database and `share` of
/// database_to_query, which is below the larger and so bounds emd as well. bow, wcd and sinkhorn
/// are symmetric by themselves. emd and emd_hat move histograms of mass 1 (symmetric) or, one way,
/// the masses that they have (is_partial); they do not mix.
struct Direction {
  enum class Way { symmetric, database_to_query, query_to_database, mix };

  Way way = Way::symmetric;
  double share = 0;  ///< of moving the row into the query; only of a mix, where it is in (0, 1)

  static const Direction symmetric, database_to_query, query_to_database;
  /// Throws Error(usage) unless the share is from 0 (the query alone is moved) to 1 (rows alone).
  static Direction mix(double share);

  bool operator==(const Direction&) const = default;
};

inline constexpr Direction Direction::symmetric{Way::symmetric};
inline constexpr Direction Direction::database_to_query{Way::database_to_query};
inline constexpr Direction Direction::query_to_database{Way::query_to_database};

struct Measure {
  MeasureKind kind = MeasureKind::act;
  /// Iterations of Phase 2, only for act: "ACT-7" in the paper is 7 here, and looks at k = 8
  /// nearest bins. At least 1; act-0 is called rwmd.
  int iterations = 1;
  /// No way is dearer than this, only for emd_hat, which needs one above 0.
  double threshold = 0;

  bool operator==(const Measure&) const = default;
};

/// The largest number of iterations that a name may ask for; more than any histogram has bins is
/// never needed.
inline constexpr int max_iterations = 65535;

/// Reads "bow", "wcd", "rwmd", "omr", "act-1", ..., "ict", "sinkhorn", "emd", "emd-hat";
/// "act-0" is rwmd. Names are read forgivingly: "ACT-1", "act_1" and "act1" are one, and some that
/// others use are known, such as "wmd" and "Word Mover's Distance" for emd. Throws Error(usage) on
/// anything else, with the name that was probably meant.
Measure parse_measure(std::string_view name);

/// Reads a comma-separated list such as "bow,act-1" or "bow, act-1".
std::vector<Measure> parse_measures(std::string_view names);

/// The inverse of parse_measure.
std::string to_string(const Measure& measure);

/// "symmetric", "rows" (moved into the query; also "database-to-query" or "forward"), "query"
/// (moved into the rows; also "query-to-database" or "backward") or "mix:0.23".
Direction parse_direction(std::string_view name);
/// The inverse, by the short names.
std::string to_string(const Direction& direction);

/// Throws Error(usage) on an act without iterations, on an emd_hat without a threshold and on a
/// threshold of anything else.
void validate(const Measure& measure);

/// True for emd and emd_hat one way: Rubner's EMD of unequal masses. All that is moved, the mass of
/// the query or of the row, finds room in the other as far as that has mass, which keeps what is
/// not needed; what finds none, or none that is nearer than the price, pays the price. The distance
/// is the cost for each unit of what is moved. With equal masses it is emd; it is no metric.
bool is_partial(const Measure& measure, const Direction& direction) noexcept;

/// True for emd and emd_hat, whose searches are exact.
bool is_exact(const Measure& measure) noexcept;

/// True for rwmd, omr, act and ict: the measures that one transfer rule describes.
bool is_relaxation(const Measure& measure) noexcept;

}  // namespace navvy
