// An index as a value: what it holds, and how it is opened and saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "navvy/array.hpp"
#include "navvy/conditioning.hpp"
#include "navvy/fields.hpp"
#include "navvy/histograms.hpp"
#include "navvy/progress.hpp"
#include "navvy/strings.hpp"
#include "navvy/vocabulary.hpp"
#include "navvy/words_beyond.hpp"

namespace navvy {

/// What the rows of an index were made of.
enum class DataKind : std::uint32_t { histograms = 0, images = 1, text = 2 };

/// "histograms", "images" or "text".
std::string to_string(DataKind kind);

/// The property in which the command keeps what it told when it built an index of texts. No query
/// depends on it, and edits drop it: it would no longer be true.
inline constexpr const char* build_report_property = "build_report";

/// Everything needed to search and to show results: read-only values that share their memory, so
/// that copies are cheap. Optional parts are empty.
struct Index {
  DataKind kind = DataKind::histograms;
  Vocabulary vocabulary;
  /// What was taken from the vectors of words before they were scaled; vectors of more words go
  /// through the same. The property "condition" tells the number of its components.
  Conditioning conditioning;
  /// Words that no row uses but queries may: numbers and words are others than those of the
  /// vocabulary, which counts where both have one. Edits keep them, and what rows use no more joins
  /// them.
  WordsBeyond beyond;
  Histograms rows;
  /// Per bin of `rows`, how often the word stands in the text. Only where weights depend on all
  /// rows (weighting tfidf, bm25 or sif), so that they can be computed anew when rows come and go;
  /// empty otherwise.
  Array<std::uint32_t> counts;
  /// Under these, what rows and queries are weighed against: how many documents there were, and per
  /// coordinate how many of these had the word; under sif, how often all of them together had the
  /// word, and any word (`tokens`). Fixed when the index was built or weighed anew; edits keep
  /// them, so that no row changes when others come and go. Empty: those of the rows.
  Array<std::uint32_t> frequencies;
  std::uint64_t documents = 0;
  std::uint64_t tokens = 0;
  /// Per row a place in `label_names`, or -1 for none. Empty: no labels.
  Array<std::int32_t> labels;
  Strings label_names;
  Strings ids;                ///< the user's names of the rows; empty: row numbers serve
  Strings titles;             ///< one line per row, for display
  Strings snippets;           ///< the beginning of each text, for display
  std::vector<Field> fields;  ///< what else is known of each row; names are all different
  /// How the rows were made (everything that a query must repeat): image size, tokens, weighting,
  /// ... Keys and values are single lines.
  std::map<std::string, std::string> properties;

  /// The id of a row as users see it.
  [[nodiscard]] std::string id(std::size_t row) const;
  /// The label of a row as users see it; empty for none.
  [[nodiscard]] std::string label(std::size_t row) const;
};

/// Throws Error(bad_input) unless all parts fit together (sizes, label numbers, duplicate ids).
void validate(const Index& index);

/// Gives the rows of an index labels, ids or fields, in place of those that it had; throws
/// Error(bad_input) where their number differs, or ids or names of fields repeat.
void set_labels(Index& index, const std::vector<std::string>& labels);
void set_ids(Index& index, const std::vector<std::string>& ids);
void set_fields(Index& index, std::vector<Field> fields);

struct OpenOptions {
  /// Checksums of the large sections are compared as well; structure is validated always.
  bool verify_checksums = true;
};

/// Maps a .navvy file. Everything that later code relies on is validated here, whatever the
/// checksums say. Throws Error(damaged_index), or Error(failed) where the file cannot be read.
Index open_index(const std::filesystem::path& path, const OpenOptions& options = {});

/// The same out of the bytes of such a file in memory. The index refers to them where they lie at a
/// multiple of 64 bytes, and to a copy elsewhere.
Index open_index(const Array<std::byte>& file, const OpenOptions& options = {});

/// What tells a .navvy file from others: the checksum in its head, which stands for those of all
/// its sections. Reads the head alone. Throws Error(damaged_index) where that is none, or of
/// another version, and Error(failed) where the file cannot be read.
std::uint64_t index_identity(const std::filesystem::path& path);

/// Writes a .navvy file through a temporary file in the same folder, synced and renamed: an
/// interrupted save leaves the old file whole.
void save_index(const Index& index, const std::filesystem::path& path,
                const ProgressCallback& progress = {});

/// The bytes that save_index writes.
std::vector<std::byte> to_bytes(const Index& index);

}  // namespace navvy
