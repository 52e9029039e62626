// Reads a corpus: decides what it is, and hands documents on.
#include "navvy/corpus.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "loaders/corpus.hpp"
#include "loaders/folder.hpp"
#include "loaders/input.hpp"
#include "loaders/kept_fields.hpp"
#include "loaders/utf8.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace loaders {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t sample_bytes = 4096;

// The extension that tells the format: that before .gz or .zst.
std::string extension_of(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.extension().string();
}

// "[1] a note" is a line of text, "[{" begins a list of JSON objects.
bool begins_list_of_objects(std::string_view text) {
  if (!text.starts_with('[')) return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
  return next != std::string_view::npos && text[next] == '{';
}

void read_file(InputStream& stream, CorpusFormat format, CorpusRun& run) {
  switch (format) {
    case CorpusFormat::json_lines:
      return read_json(stream, run);
    case CorpusFormat::csv:
      return read_csv(stream, run);
    case CorpusFormat::tsv:
      return read_tsv(stream, run);
    default:
      require_no_fields(run.options, stream.name(), "a file of plain lines");
      return read_lines(stream, run);
  }
}

BrokenLinks named(std::span<const std::filesystem::path> links) {
  constexpr std::size_t most_names = 20;
  BrokenLinks result{links.size(), {}};
  for (const std::filesystem::path& link : links.first(std::min(links.size(), most_names)))
    result.names.push_back(name_of(link));
  return result;
}

// `text` keeps its memory from file to file.
CorpusReport finished(const CorpusRun& run, const std::string& name) {
  if (run.report.documents == 0) throw Error(ErrorCode::bad_input, name + ": holds no document");
  return run.report;
}

void read_whole(InputStream& stream, std::size_t limit, std::string& text) {
  constexpr std::size_t step = std::size_t{1} << 14;
  text.clear();
  for (;;) {
    const std::size_t begin = text.size();
    text.resize(begin + step);
    const std::size_t got = stream.read(std::as_writable_bytes(std::span(text).subspan(begin)));
    text.resize(begin + got);
    if (text.size() > limit)
      stream.fail("longer than " + std::to_string(limit) +
                  " bytes, which is the limit for one document");
    if (got < step) return;
  }
}

}  // namespace

std::string_view begin_of(InputStream& stream) {
  const auto bytes = stream.peek(sample_bytes);
  std::string_view sample(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (sample.starts_with(byte_order_mark)) sample.remove_prefix(byte_order_mark.size());
  sample.remove_prefix(std::min(sample.find_first_not_of(" \t\r\n"), sample.size()));
  return sample;
}

CorpusFormat detect(InputStream& stream, const std::filesystem::path& path) {
  const std::string_view sample = begin_of(stream);
  if (sample.starts_with('{') || begins_list_of_objects(sample)) return CorpusFormat::json_lines;
  const std::string extension = extension_of(path);
  if (extension == ".jsonl" || extension == ".ndjson" || extension == ".json")
    return CorpusFormat::json_lines;
  if (extension == ".csv") return CorpusFormat::csv;
  if (extension == ".tsv") return CorpusFormat::tsv;
  const bool has_tab = sample.substr(0, sample.find('\n')).find('\t') != std::string_view::npos;
  return has_tab ? CorpusFormat::tsv : CorpusFormat::lines;
}

std::string CorpusRun::decode(std::string_view bytes) {
  return to_utf8(bytes, options.encoding, report.broken_bytes);
}

void CorpusRun::deliver(Document&& document) {
  ++report.documents;
  sink(std::move(document));
}

void fail_at_line(const InputStream& stream, std::uint64_t line, const std::string& what) {
  stream.fail("line " + std::to_string(line) + ": " + what);
}

bool next_line(InputStream& stream, const CorpusOptions& options, std::string& line) {
  while (stream.read_line(line, options.max_document_bytes)) {
    if (stream.line_number() == 1 && line.starts_with(byte_order_mark))
      line.erase(0, byte_order_mark.size());
    if (line.find_first_not_of(" \t\r") != std::string::npos) return true;
  }
  return false;
}

std::string label_of(const std::filesystem::path& file, std::size_t depth) {
  const std::filesystem::path folders = file.parent_path();
  if (depth == whole_path) return name_of(folders);
  if (depth == last_folder) return name_of(folders.filename());
  for (const std::filesystem::path& folder : folders)
    if (--depth == 0) return name_of(folder);
  return "";
}

void read_folder(const std::filesystem::path& folder, CorpusRun& run) {
  require_no_fields(run.options, folder.string(), "a folder of texts");
  const FolderContent content = content_of(folder);
  run.report.broken_links = named(content.broken_links);
  std::string bytes;
  for (const std::filesystem::path& file : content.files) {
    InputStream stream(folder / file);
    require_text(stream);
    read_whole(stream, run.options.max_document_bytes, bytes);
    std::string_view text = bytes;
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    Document document;
    document.id = name_of(file);
    document.label = label_of(file, run.options.label_depth);
    document.text = run.decode(text);
    run.deliver(std::move(document));
  }
}

void read_lines(InputStream& stream, CorpusRun& run) {
  std::string line;
  while (next_line(stream, run.options, line)) {
    Document document;
    document.text = run.decode(line);
    run.deliver(std::move(document));
  }
}

}  // namespace loaders

Encoding parse_encoding(std::string_view name) {
  if (name == "utf8" || name == "utf-8") return Encoding::utf8;
  if (name == "latin1" || name == "latin-1" || name == "iso-8859-1") return Encoding::latin1;
  throw Error(ErrorCode::usage,
              "unknown encoding '" + std::string(name) + "'; expected utf8 or latin1");
}

std::string to_string(Encoding encoding) {
  return encoding == Encoding::latin1 ? "latin1" : "utf8";
}

CorpusFormat parse_corpus_format(std::string_view name) {
  constexpr std::pair<std::string_view, CorpusFormat> names[] = {
      {"auto", CorpusFormat::automatic},   {"folder", CorpusFormat::folder},
      {"jsonl", CorpusFormat::json_lines}, {"json", CorpusFormat::json_lines},
      {"csv", CorpusFormat::csv},          {"tsv", CorpusFormat::tsv},
      {"lines", CorpusFormat::lines}};
  for (const auto& [known, format] : names)
    if (name == known) return format;
  throw Error(ErrorCode::usage, "unknown corpus format '" + std::string(name) +
                                    "'; expected auto, folder, jsonl, csv, tsv or lines");
}

std::size_t parse_label_depth(std::string_view name) {
  if (name == "last") return last_folder;
  if (name == "path") return whole_path;
  std::size_t depth = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), depth);
  if (error == std::errc() && end == name.data() + name.size() && depth > 0 && depth < whole_path)
    return depth;
  throw Error(ErrorCode::usage,
              "label depth '" + std::string(name) +
                  "'; expected last (folder), path (all folders) or 1 (the first folder), 2, ...");
}

CorpusReport read_corpus(const std::filesystem::path& path, const CorpusOptions& options,
                         const DocumentSink& sink) {
  loaders::require_different_names(options.keep_fields);
  loaders::CorpusRun run{options, sink, {}};
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  if (options.format == CorpusFormat::folder && !is_folder)
    throw Error(ErrorCode::bad_input, path.string() + ": is no folder");
  if (is_folder) {
    loaders::read_folder(path, run);
  } else {
    loaders::InputStream stream(path == "-" ? "/dev/stdin" : path);
    loaders::require_text(stream);
    const CorpusFormat format =
        options.format == CorpusFormat::automatic ? loaders::detect(stream, path) : options.format;
    loaders::read_file(stream, format, run);
  }
  return loaders::finished(run, path.string());
}

CorpusReport read_corpus(std::span<const std::byte> file, const CorpusOptions& options,
                         const DocumentSink& sink) {
  loaders::require_different_names(options.keep_fields);
  loaders::CorpusRun run{options, sink, {}};
  loaders::InputStream stream(loaders::bytes_name, file);
  loaders::require_text(stream);
  if (options.format == CorpusFormat::folder) stream.fail("is no folder");
  const CorpusFormat format =
      options.format == CorpusFormat::automatic ? loaders::detect(stream, {}) : options.format;
  loaders::read_file(stream, format, run);
  return loaders::finished(run, stream.name());
}

}  // namespace navvy
