// One function per format of a corpus, and what they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/input.hpp"
#include "navvy/corpus.hpp"

namespace navvy::loaders {

/// Where documents go while a corpus is read.
struct CorpusRun {
  const CorpusOptions& options;
  const DocumentSink& sink;
  CorpusReport report;
  /// Records are fields of rows that come from elsewhere: no text is looked for, and all fields are
  /// kept unless some are named.
  bool fields_only = false;

  /// Bytes of the corpus as UTF-8.
  std::string decode(std::string_view bytes);
  /// Counts the document and hands it on.
  void deliver(Document&& document);
};

void read_folder(const std::filesystem::path& folder, CorpusRun& run);
void read_json(InputStream& stream, CorpusRun& run);
void read_csv(InputStream& stream, CorpusRun& run);
void read_tsv(InputStream& stream, CorpusRun& run);
void read_lines(InputStream& stream, CorpusRun& run);

/// What a file is by its first bytes or its name; see CorpusFormat::automatic.
CorpusFormat detect(InputStream& stream, const std::filesystem::path& path);

/// The next few thousand bytes behind a byte order mark and white space; they are not taken.
std::string_view begin_of(InputStream& stream);

/// The label of a text by its path below the folder of the corpus, as asked for.
std::string label_of(const std::filesystem::path& file, std::size_t depth);

/// Throws Error(bad_input): file, line, what.
[[noreturn]] void fail_at_line(const InputStream& stream, std::uint64_t line,
                               const std::string& what);

/// Reads a line with content, without byte order mark and line end; false at the end.
bool next_line(InputStream& stream, const CorpusOptions& options, std::string& line);

/// Reads one cell of a CSV record after the other; for the sake of fuzzing apart from the reader.
/// `line` grows by the lines that the record takes. False at the end of the stream.
bool next_csv_record(InputStream& stream, const CorpusOptions& options, std::uint64_t& line,
                     std::vector<std::string>& cells);

/// Which column of a table holds which part of a document.
class TableColumns {
 public:
  /// Looks at the first record. With `open_end`, cells beyond it belong to the last cell, where
  /// that is the text. Throws Error(bad_input) where the text cannot be told.
  TableColumns(const InputStream& stream, const CorpusRun& run,
               const std::vector<std::string>& first, bool open_end);

  /// True if the first record names the columns and is no document.
  [[nodiscard]] bool has_head_line() const noexcept { return has_head_line_; }
  /// Joins surplus `cells` where the end is open. Throws Error(bad_input) unless there are as many
  /// as in the first record.
  Document document(const InputStream& stream, std::uint64_t line,
                    std::vector<std::string>& cells) const;

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Kept {
    std::size_t column;
    KeptField field;
  };

  void find_parts(const InputStream& stream, const CorpusOptions& options,
                  const std::vector<std::string>& first);
  void find_kept(const InputStream& stream, const CorpusRun& run,
                 const std::vector<std::string>& first);
  void keep(const InputStream& stream, std::size_t column, KeptField field);

  std::size_t width_ = 0;
  bool open_end_;
  bool has_head_line_ = false;
  std::size_t text_ = none, label_ = none, id_ = none, title_ = none;
  std::vector<Kept> kept_;
};

/// The title that a text has itself, and where the text goes on after it: the "Subject:" of a head
/// of "Name: value" lines, otherwise the first line with content.
struct OwnTitle {
  std::string title;
  std::size_t body = 0;
};
OwnTitle own_title(std::string_view text);

/// The beginning of a text for display: one line, single spaces.
std::string snippet_of(std::string_view text);

}  // namespace navvy::loaders
