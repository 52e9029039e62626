// Tasks over shards, and the files that they leave.
#include "cli/shard_work.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <chrono>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "navvy/navvy.hpp"

namespace navvy::cli {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::filesystem::path file_of(const std::filesystem::path& folder, const Pair& pair) {
  return folder / fmt::format("part-{:04}-{:04}.lists", pair.first, pair.second);
}

// Parts are made again when they are gone.
Lists open_part(const std::filesystem::path& file) {
  try {
    return open_lists(file);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    throw Error(error.code(), std::string(error.what()) + "; remove it to start anew");
  }
}

// A part that is done; none where there is no such file. Throws where it is of other work.
bool is_done(const std::filesystem::path& file, std::uint64_t work) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return false;
  const Lists lists = open_part(file);
  if (lists.work == work) return true;
  throw Error(ErrorCode::usage,
              fmt::format("{}: lists of other shards or another question ({}); remove them to "
                          "start anew",
                          printable(file.string()), lists.question));
}

// What two shards know of their own rows is where their pairs begin; it changes no answer.
void add_limits(const std::filesystem::path& output, const Pair& pair, const Shards& shards,
                std::uint64_t work, SearchOptions& options) {
  options.limits = {};
  if (pair.first == pair.second) return;
  std::vector<double> limits;
  for (const std::uint32_t shard : {pair.first, pair.second}) {
    const std::filesystem::path file = file_of(output, {shard, shard});
    std::vector<double> own(shards.manifest().shards[shard].rows,
                            std::numeric_limits<double>::infinity());
    if (is_done(file, work)) {
      const Array<double> known = open_part(file).limits();
      own.assign(known.begin(), known.end());
    }
    limits.insert(limits.end(), own.begin(), own.end());
  }
  options.limits = Array(std::move(limits));
}

// Writes a part; false where another process is just writing the same one: batch systems start
// tasks again that still run.
bool save_part(const Lists& lists, const std::filesystem::path& file) {
  try {
    save_lists(lists, file);
  } catch (const Error& error) {
    if (error.system_error() != EWOULDBLOCK) throw;
    return false;
  }
  return true;
}

// What one process does of all pairs.
class PairsWork {
 public:
  PairsWork(const PairsOfShards& work, const SearchOptions& options, std::string backend)
      : output_(work.output),
        shards_(work.folder),
        options_(options),
        backend_(std::move(backend)),
        id_(shards_.knn_work(options)) {}

  [[nodiscard]] std::vector<Pair> pairs() const { return shards_.pairs(); }
  [[nodiscard]] bool has(const Pair& pair) const { return is_done(file_of(output_, pair), id_); }

  // False where another process is at it.
  [[nodiscard]] bool make(const Pair& pair) const {
    SearchOptions asked = options_;
    add_limits(output_, pair, shards_, id_, asked);
    ProgressDisplay display;
    asked.run.progress = display.callback();
    const Lists lists = shards_.knn(pair.first, pair.second, asked, backend_);
    return save_part(lists, file_of(output_, pair));
  }

 private:
  std::filesystem::path output_;
  Shards shards_;
  SearchOptions options_;
  std::string backend_;
  std::uint64_t id_;
};

void tell(const CommonOptions& common, const app::Json& facts, const std::string& line) {
  if (!common.json) return talk(line);
  app::Json document = app::json_document();
  document.update(facts);
  print_json(document);
}

}  // namespace

void search_shard(const ShardSearch& work, const SearchOptions& options,
                  const CommonOptions& common) {
  check_output(work.output, lists_magic, "a file of lists");
  const Shards shards(work.folder);
  const Index queries = open_index(work.queries);
  SearchOptions asked = options;
  ProgressDisplay display;
  asked.run.progress = display.callback();
  const Lists lists = shards.search(work.shard, queries, asked, device_backend(common.device));
  save_lists(lists, work.output);
  tell(common,
       {{"file", work.output.string()},
        {"shard", work.shard},
        {"shards", lists.shards},
        {"queries", lists.queries.size()},
        {"question", lists.question}},
       fmt::format("{}: {} queries in shard {} of {}, {}", work.output.string(),
                   lists.queries.size(), work.shard, lists.shards, lists.question));
}

void knn_of_shards(const PairsOfShards& work, const SearchOptions& options,
                   const CommonOptions& common) {
  const PairsWork own(work, options, device_backend(common.device));
  std::error_code error;
  std::filesystem::create_directories(work.output, error);
  if (error)
    throw Error(ErrorCode::failed, fmt::format("{}: cannot make the folder: {}",
                                               printable(work.output.string()), error.message()));
  const std::vector<Pair> pairs = own.pairs();
  std::vector<Pair> busy;
  std::size_t done = 0;
  std::size_t skipped = 0;
  for (std::size_t i = work.rank.number; i < pairs.size(); i += work.rank.of) {
    if (own.has(pairs[i]))
      ++skipped;
    else if (own.make(pairs[i]))
      ++done;
    else
      busy.push_back(pairs[i]);
  }
  for (const Pair& pair : busy) {
    bool made = false;
    while (!own.has(pair) && !(made = own.make(pair)))
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ++(made ? done : skipped);
  }
  tell(common,
       {{"folder", work.output.string()},
        {"rank", work.rank.number},
        {"of", work.rank.of},
        {"parts", pairs.size()},
        {"done", done},
        {"skipped", skipped}},
       fmt::format("{}: process {} of {}: {} of {} parts done now, {} before", work.output.string(),
                   work.rank.number, work.rank.of, done, pairs.size(), skipped));
}

}  // namespace navvy::cli
