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

/// Reading texts: a folder tree, JSON lines, CSV, TSV or plain lines, one document after the other.
namespace navvy {

/// How bytes become characters. Bytes that are no UTF-8 are replaced by U+FFFD and counted; every
/// byte is a Latin-1 character.
enum class Encoding { utf8, latin1 };

/// "utf8" (or "utf-8") and "latin1" (or "latin-1", "iso-8859-1"); throws Error(usage).
Encoding parse_encoding(std::string_view name);
std::string to_string(Encoding encoding);

/// One text. Everything is UTF-8; parts that the corpus does not have are empty.
struct Document {
  std::string id;
  std::string label;
  std::string title;
  std::string text;
};

/// What a corpus is. `automatic`: a folder is a folder; a file whose first character is "{" is JSON
/// lines; the names .jsonl, .ndjson, .csv, .tsv and .txt (before .gz or .zst) tell; else a tab in
/// the first line means TSV, and anything else plain lines.
enum class CorpusFormat { automatic, folder, json_lines, csv, tsv, lines };

/// "auto", "folder", "jsonl", "csv", "tsv", "lines"; throws Error(usage).
CorpusFormat parse_corpus_format(std::string_view name);

/// Fields are names: keys of JSON objects, or columns of the head line of CSV and TSV; a number is
/// a column, from 1. An empty field means: "text", "label", "id", "title" where there is such a
/// field. A table without head line may be text; label, text; or id, label, text.
struct CorpusOptions {
  CorpusFormat format = CorpusFormat::automatic;
  Encoding encoding = Encoding::utf8;
  std::string text_field;
  std::string label_field;
  std::string id_field;
  std::string title_field;
  /// Whether the first record of CSV and TSV names the columns; unset: it does if one of its cells
  /// is the name of the text field.
  std::optional<bool> head_line;
  /// A longer line, record or file is an error that names it.
  std::size_t max_document_bytes = std::size_t{16} << 20;
};

/// What was met on the way.
struct CorpusReport {
  std::uint64_t documents = 0;
  std::uint64_t broken_bytes = 0;  ///< replaced, since they were no UTF-8
};

/// Receives each document in turn and may take it over. To stop early, throw.
using DocumentSink = std::function<void(Document&&)>;

/// Reads all documents in a fixed order. `path` is a folder, a file (plain, gzip or zstd) or "-"
/// for standard input.
///
/// Folder: every file below it is a document, ordered by path; its id is the path below the folder,
/// its label the folder part of that; names that begin with "." and links that lead nowhere are
/// passed over, links to folders are not followed. Byte order marks are dropped, and so are, in all
/// other formats, carriage returns before line ends and blank lines. Cells of TSV lose quotes that
/// enclose them whole; a text in the last column of TSV may hold tabs.
///
/// Throws Error(bad_input) naming file and line on malformed input, a missing text field, or a
/// corpus without any document, and Error(failed) on files that cannot be read.
CorpusReport read_corpus(const std::filesystem::path& path, const CorpusOptions& options,
                         const DocumentSink& sink);

/// The same out of the bytes of a file.
CorpusReport read_corpus(std::span<const std::byte> file, const CorpusOptions& options,
                         const DocumentSink& sink);

}  // namespace navvy
