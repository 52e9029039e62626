// Documents from folders, JSON lines, tables and plain lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "navvy/fields.hpp"

/// Reading texts: a folder tree, JSON lines, CSV, TSV or plain lines, one document after the other.
namespace navvy {

/// How bytes become characters. Bytes that are no UTF-8 are replaced by U+FFFD and counted; every
/// byte is a Latin-1 character.
enum class Encoding { utf8, latin1 };

/// "utf8" (or "utf-8") and "latin1" (or "latin-1", "iso-8859-1"); throws Error(usage).
Encoding parse_encoding(std::string_view name);
std::string to_string(Encoding encoding);

/// What a document has under a name, as the corpus writes it.
struct FieldValue {
  std::string name;
  std::string text;                    ///< empty: none
  std::optional<FieldType> type = {};  ///< unset: the values of all documents tell
};

/// One text. Everything is UTF-8; parts that the corpus does not have are empty.
struct Document {
  std::string id;
  std::string label;
  std::string title;
  std::string text;
  std::vector<FieldValue> fields = {};  ///< names are all different
};

/// A field of documents that is to be kept beside their text.
struct KeptField {
  std::string name;
  std::optional<FieldType> type = {};  ///< unset: the values of all documents tell
  bool required = true;                ///< false: no error where the corpus does not have it
};

/// "year", or "year:number" where the type is told: text, number or date. Throws Error(usage) on a
/// name that is empty or no single line.
KeptField parse_kept_field(std::string_view text);

/// What a corpus is. `automatic`: a folder is a folder; a file that begins with "{", or with "["
/// and
/// "{", is JSON, an object per line or a list of objects; the names .jsonl, .ndjson, .json, .csv
/// and .tsv (before .gz or .zst) tell; else a tab in the first line means TSV, and anything else
/// plain lines. `json_lines` reads a list of objects too.
enum class CorpusFormat { automatic, folder, json_lines, csv, tsv, lines };

/// "auto", "folder", "jsonl" (or "json"), "csv", "tsv", "lines"; throws Error(usage).
CorpusFormat parse_corpus_format(std::string_view name);

/// Which folder on the way to a text is its label: the one that it lies in, all of them joined by
/// "/", or the n-th below the corpus, from 1, where texts further up have no label.
inline constexpr std::size_t last_folder = 0;
inline constexpr std::size_t whole_path = static_cast<std::size_t>(-1);

/// "last", "path" or a number from 1; throws Error(usage).
std::size_t parse_label_depth(std::string_view name);

/// Fields are names: keys of JSON objects, or columns of the head line of CSV and TSV; a number is
/// a column, from 1. A key may be a path through objects, "doc.body", unless there is a key that
/// has the dots itself. An empty field means: "text", "label", "id", "title" where there is such a
/// field. A table without head line may be text; label, text; or id, label, text.
struct CorpusOptions {
  CorpusFormat format = CorpusFormat::automatic;
  Encoding encoding = Encoding::utf8;
  std::string text_field;
  std::string label_field;
  std::string id_field;
  std::string title_field;
  std::size_t label_depth = last_folder;  ///< of a folder
  /// What else is kept of each document, in this order; JSON lines, CSV and TSV have such fields.
  std::vector<KeptField> keep_fields;
  /// Whether the first record of CSV and TSV names the columns; unset: it does if one of its cells
  /// is the name of the text field.
  std::optional<bool> head_line;
  /// A longer line, record or file is an error that names it.
  std::size_t max_document_bytes = std::size_t{16} << 20;
};

/// The options for documents that join others with `fields`: these are kept too, as what they are
/// there, where the corpus has them. Throws Error(usage) where another type is asked for.
CorpusOptions keeping(CorpusOptions options, std::span<const Field> fields);

/// Links in a folder that lead nowhere, or to themselves; no documents.
struct BrokenLinks {
  std::uint64_t count = 0;
  std::vector<std::string> names;  ///< the first ones by path below the folder, at most 20
};

/// What was met on the way.
struct CorpusReport {
  std::uint64_t documents = 0;
  std::uint64_t broken_bytes = 0;  ///< replaced, since they were no UTF-8
  BrokenLinks broken_links = {};   ///< passed over
};

/// Receives each document in turn and may take it over. To stop early, throw.
using DocumentSink = std::function<void(Document&&)>;

/// Reads all documents in a fixed order. `path` is a folder, a file (plain, gzip or zstd) or "-"
/// for standard input.
///
/// Folder: every file below it is a document, ordered by path; its id is the path below the folder,
/// its label the folder that it lies in (see label_depth); names that begin with "." are passed
/// over, and so are links that lead nowhere, which the report names; links to folders are not
/// followed. Byte order marks are dropped, and so are, in all other formats, carriage returns
/// before line ends and blank lines. Files in UTF-16 are refused. Cells of TSV lose quotes that
/// enclose them whole; a text in the last column of TSV may hold tabs. Of the fields to keep,
/// strings are taken as they are, numbers and truth values as JSON writes them; null is none. A
/// column that is asked for by its number has the name of the head line, where there is one.
///
/// Throws Error(bad_input) naming file and line on malformed input, a missing text field, a field
/// to keep that is a list or an object, that no document has, or whose value is not of the type
/// asked for, or a corpus without any document; Error(usage) where fields are to be kept of a
/// corpus that has none; and Error(failed) on files that cannot be read.
CorpusReport read_corpus(const std::filesystem::path& path, const CorpusOptions& options,
                         const DocumentSink& sink);

/// The same out of the bytes of a file.
CorpusReport read_corpus(std::span<const std::byte> file, const CorpusOptions& options,
                         const DocumentSink& sink);

}  // namespace navvy
