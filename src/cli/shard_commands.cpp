// navvy split, encode and merge-lists: an index in shards, queries for all of them, and one answer.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/queries.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/shard_work.hpp"
#include "cli/sources.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

struct SplitOptions {
  CommonOptions common;
  std::vector<std::filesystem::path> files;
  std::filesystem::path output;
  std::size_t shards = 0;
  bool hashed = false;
};

// Indexes that were built apart, each as a shard of all of them.
void gather(const SplitOptions& options) {
  std::vector<Index> parts;
  for (const std::filesystem::path& file : options.files) parts.push_back(open_whole(file));
  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  if (is_sharded(options.output))
    throw Error(ErrorCode::usage, fmt::format("{}: there are shards already; expected another "
                                              "folder",
                                              printable(options.output.string())));
  for (std::size_t i = 0; i < parts.size(); ++i)
    check_output(options.output / fmt::format("shard-{:04}.navvy", i), index_magic,
                 "a navvy index");
  check_output(options.output / vocabulary_name, index_magic, "a navvy index");
  std::string vocabulary;
  Index known;
  if (parts.front().kind == DataKind::text) {
    vocabulary = vocabulary_name;
    known = joined_vocabulary(parts);
    save_index(known, options.output / vocabulary);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    names.push_back(fmt::format("shard-{:04}.navvy", i));
    save_index(vocabulary.empty() ? parts[i] : reweighed(parts[i], known),
               options.output / names.back());
  }
  make_shards(options.output, names, vocabulary);
}

void run_split(const SplitOptions& options) {
  if ((options.files.size() > 1) == (options.shards > 0))
    throw Error(ErrorCode::usage,
                "split needs one index and --shards N, or several indexes that become shards");
  limit_memory(options.common);
  if (options.files.size() > 1) {
    if (options.hashed) throw Error(ErrorCode::usage, "--hashed needs --shards");
    gather(options);
  } else {
    ProgressDisplay display;
    split(open_whole(options.files.front()), options.shards,
          options.hashed ? Sharing::hashed : Sharing::contiguous, options.output,
          display.callback());
  }
  const ShardManifest manifest = read_manifest(options.output);
  if (!options.common.json)
    return talk(fmt::format("wrote {}: {} rows in {} shards", options.output.string(),
                            manifest.rows(), manifest.shards.size()));
  app::Json document = app::json_document();
  document["folder"] = options.output.string();
  document["n"] = manifest.rows();
  document["shards"] = app::Json::array();
  for (const NamedFile& shard : manifest.shards)
    document["shards"].push_back({{"file", shard.name}, {"rows", shard.rows}});
  print_json(document);
}

struct EncodeOptions {
  CommonOptions common;
  std::filesystem::path file;
  std::filesystem::path queries;
  std::filesystem::path output;
  app::ArrayOptions arrays;
  CorpusOptions corpus;
};

// An index that makes queries as all shards need them.
Index maker_of(const std::filesystem::path& path) {
  if (!is_sharded(path)) {
    Index index = open_index(path);
    if (index.kind != DataKind::text || index.rows.size() == 0) return index;
    if (index.properties.contains(collection_property))
      throw Error(ErrorCode::usage,
                  fmt::format("{}: this is a shard, which knows its own words alone; expected the "
                              "folder of all, or its vocabulary",
                              printable(path.string())));
    return vocabulary_of(index);  // the same as that of shards which are split off it
  }
  const Shards shards(path);
  return shards.manifest().kind == DataKind::text ? shards.vocabulary() : shards.open(0);
}

Index encoded(const Index& maker, const app::Queries& queries) {
  Index rows;
  rows.kind = maker.kind;
  rows.vocabulary = queries.vocabulary;
  rows.rows = queries.histograms;
  for (const auto& [key, value] : maker.properties)
    if (maker.kind != DataKind::text || key == collection_property) rows.properties[key] = value;
  std::vector<std::string> names;
  for (const app::Query& query : queries.list) names.push_back(query.name);
  set_ids(rows, names);
  return rows;
}

void run_encode(const EncodeOptions& options) {
  check_output(options.output, index_magic, "a navvy index");
  limit_memory(options.common);
  const Index maker = maker_of(options.file);
  const app::Queries queries =
      app::file_queries(maker, options.queries, options.arrays, options.corpus);
  save_index(encoded(maker, queries), options.output);
  const auto empty = std::ranges::count_if(
      queries.list, [](const app::Query& query) { return !query.error.empty(); });
  if (!options.common.json)
    return talk(fmt::format("wrote {}: {} queries, {} of them without anything known",
                            options.output.string(), queries.list.size(), empty));
  app::Json document = app::json_document();
  document["file"] = options.output.string();
  document["queries"] = queries.list.size();
  document["empty"] = empty;
  print_json(document);
}

struct MergeOptions {
  CommonOptions common;
  std::vector<std::filesystem::path> files;
  std::filesystem::path output;
};

// Files of lists, those of a folder in the order of their names.
std::vector<std::filesystem::path> files_of(const std::vector<std::filesystem::path>& given) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& path : given) {
    std::error_code none;
    if (!std::filesystem::is_directory(path, none)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::filesystem::path> inside;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      if (entry.path().extension() == ".lists") inside.push_back(entry.path());
    if (inside.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: no file NAME.lists in it", printable(path.string())));
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

// Rows that ask have all rows of the whole as owners.
bool asks_all_rows(const Lists& lists) { return lists.question.ends_with("all rows"); }

void print_lines(const Lists& lists) {
  fmt::print("query\trank\trow\tdistance\n");
  for (std::size_t query = 0; query < lists.queries.size(); ++query) {
    std::size_t rank = 0;
    for (const Match& match : lists.matches[query])
      fmt::print("{}\t{}\t{}\t{}\n", lists.queries[query], ++rank, match.row, match.distance);
  }
}

void write_matrix(const Lists& lists, const std::filesystem::path& output) {
  const bool all_rows = asks_all_rows(lists);
  const std::int64_t last =
      lists.matches.rows.empty() ? -1 : *std::ranges::max_element(lists.matches.rows);
  const std::size_t rows = all_rows ? lists.queries.size() : static_cast<std::size_t>(last + 1);
  if (rows > std::size_t{0x7fffffff})
    throw Error(ErrorCode::limit, fmt::format("{} rows are too many for one matrix; "
                                              "merge into NAME.lists",
                                              rows));
  write_graph(all_rows ? by_row(lists, rows) : lists.matches, rows, output);
}

void run_merge(const MergeOptions& options) {
  const bool to_lists = options.output.extension() == ".lists";
  if (!options.output.empty() && !to_lists && options.output.extension() != ".npz")
    throw Error(ErrorCode::usage, fmt::format("{}: expected NAME.npz for a matrix or NAME.lists",
                                              printable(options.output.string())));
  if (!options.output.empty())
    check_output(options.output, to_lists ? lists_magic : "PK",
                 to_lists ? "a file of lists" : "an .npz file");
  limit_memory(options.common);
  std::vector<Lists> parts;
  std::vector<std::string> names;
  for (const std::filesystem::path& file : files_of(options.files)) {
    parts.push_back(open_lists(file));
    names.push_back(printable(file.string()));
  }
  const Lists lists = merged(parts, names);
  lists.require_complete();
  if (options.output.empty()) return print_lines(lists);
  if (to_lists)
    save_lists(lists, options.output);
  else
    write_matrix(lists, options.output);
  if (!options.common.json)
    return talk(fmt::format("wrote {}: {} queries out of {} files, {}", options.output.string(),
                            lists.queries.size(), parts.size(), lists.question));
  app::Json document = app::json_document();
  document["file"] = options.output.string();
  document["queries"] = lists.queries.size();
  document["files"] = parts.size();
  document["question"] = lists.question;
  print_json(document);
}

}  // namespace

void add_split_command(CLI::App& app) {
  auto options = std::make_shared<SplitOptions>();
  CLI::App* command = app.add_subcommand("split", "Make shards of an index, or of several");
  command
      ->add_option(
          "FILES", options->files,
          "an index, or a folder of shards; or several that were built apart: each becomes "
          "a shard, weighed against the words of all")
      ->required()
      ->type_name("");
  command->add_option("--shards", options->shards, "how many shards to make of one index")
      ->type_name("N");
  command->add_flag("--hashed", options->hashed,
                    "share rows out by a hash of their numbers instead of in ranges");
  add_output_option(*command, options->output,
                    "the folder; verbs that search, info and verify take it as an index");
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy split news.navvy --shards 4 -o news.shards",
                          "navvy split news.navvy --shards 4 --hashed -o news.shards",
                          "navvy split monday.navvy tuesday.navvy -o week.shards"});
  command->callback([options] { run_split(*options); });
}

void add_encode_command(CLI::App& app) {
  auto options = std::make_shared<EncodeOptions>();
  CLI::App* command = app.add_subcommand("encode", "Make queries ready for all shards of an index");
  command
      ->add_option("FOLDER", options->file,
                   "a folder of shards, its vocabulary, or the index that it was split from")
      ->required()
      ->type_name("");
  command
      ->add_option("--query-file", options->queries,
                   "queries: a corpus, pictures, IDX images, or histograms with --coordinates")
      ->type_name("PATH")
      ->required();
  command
      ->add_option("--coordinates", options->arrays.coordinates, "coordinates of such histograms")
      ->type_name("FILE");
  add_picture_options(*command, options->arrays.pictures);
  add_corpus_options(*command, options->corpus);
  add_output_option(*command, options->output, "the queries");
  add_common_options(*command, options->common);
  add_examples(*command,
               {"navvy encode news.shards --query-file questions.jsonl -o questions.navvy"});
  command->callback([options] { run_encode(*options); });
}

void add_merge_lists_command(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command =
      app.add_subcommand("merge-lists", "Put what was found in all shards together");
  command->add_option("FILES", options->files, "files of lists, or folders of such")
      ->required()
      ->type_name("");
  add_output_option(*command, options->output,
                    "NAME.npz: a CSR matrix of distances that scipy.sparse.load_npz reads; or "
                    "NAME.lists: one file of lists; without it, lines go to stdout")
      ->required(false);
  add_common_options(*command, options->common);
  add_examples(*command, {"navvy merge-lists 0.lists 1.lists 2.lists",
                          "navvy merge-lists parts/ -o graph.npz"});
  command->callback([options] { run_merge(*options); });
}

}  // namespace navvy::cli
