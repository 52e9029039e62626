// The names of what an index remembers of its making.
#pragma once

#include <string>

#include "navvy/collection.hpp"
#include "navvy/index.hpp"

/// The names under which an index stores how its rows were made. Values are single lines.
namespace navvy::core::property {

inline constexpr const char* tokens = "tokens";          ///< a pattern, or "letters"
inline constexpr const char* letter_case = "case";       ///< "lower" or "keep"
inline constexpr const char* stop_words = "stop_words";  ///< the words, with tabs between them
inline constexpr const char* max_bins = "max_bins";
inline constexpr const char* weighting = "weighting";            ///< "tf", "log" or "tfidf"
inline constexpr const char* normalized = "normalized_vectors";  ///< "yes" or "no"
inline constexpr const char* condition = "condition";  ///< components of the conditioning; or none
inline constexpr const char* unknown_words = "unknown_words";  ///< "own" where they have points
inline constexpr const char* background = "background";        ///< zero bins: "kept" or "dropped"
inline constexpr const char* channel_distance = "channel_distance";  ///< of pictures in colour

// What pictures are brought to where they are asked for; others that fit may join them.
inline constexpr const char* inverted = "inverted";  ///< "yes": dark is what counts
inline constexpr const char* resized = "resized";    ///< "yes"

// What is told to people, but no query depends on.
inline constexpr const char* encoding = "encoding";            ///< of the corpus
inline constexpr const char* vectors = "vectors";              ///< name of the vectors file
inline constexpr const char* vectors_words = "vectors_words";  ///< how many it has
inline constexpr const char* vectors_kept = "vectors_kept";    ///< "all" where queries may use all
inline constexpr const char* label_type = "label_type";  ///< "integers" where they were given so

/// What is told to people alone, or, as the collection, looked at by those whom it concerns:
/// indexes may differ in it and are made in the same way.
inline bool is_told_only(const std::string& key) {
  return key == encoding || key == vectors || key == vectors_words || key == inverted ||
         key == resized || key == vectors_kept || key == label_type ||
         key == build_report_property || key == collection_property;
}

/// The value, or an empty string where there is none.
inline std::string get(const Index& index, const std::string& key) {
  const auto place = index.properties.find(key);
  return place == index.properties.end() ? std::string() : place->second;
}

}  // namespace navvy::core::property
