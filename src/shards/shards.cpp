// What is asked of one shard, or of two, and the numbers of the whole that its answers get.
#include "navvy/shards.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <tuple>

#include "core/files.hpp"
#include "core/fingerprint.hpp"
#include "core/question_fingerprint.hpp"
#include "navvy/collection.hpp"
#include "navvy/error.hpp"
#include "navvy/fields.hpp"
#include "navvy/rows.hpp"
#include "navvy/search.hpp"
#include "navvy/writer.hpp"
#include "shards/sharing.hpp"

namespace navvy {
namespace {

// The rows of one shard, or of two one after the other, and their numbers in the whole.
struct Made {
  Searcher searcher;
  std::vector<std::uint64_t> numbers;
  std::size_t border = 0;  // where those of the second begin
};
using Ready = std::shared_ptr<const Made>;
using Place = std::tuple<std::size_t, std::size_t, std::string>;

void add(const SearchOptions& options, core::Fingerprint& work) {
  core::add(options.question, work);
  work.add(options.top);
  work.add(options.within);
  work.add(options.exact.deadline);
  work.add(options.exact.max_solves);
  work.add(options.exact.tolerance);
}

void require_all_rows(const SearchOptions& options) {
  if (!options.among.empty())
    throw Error(ErrorCode::usage,
                "a choice of rows asked of shards, which search all of theirs; expected none");
}

std::string told(const SearchOptions& options) {
  std::string text =
      to_string(options.question.measure) + " " + to_string(options.question.direction);
  if (options.question.bow_share > 0)
    text += " with bow " + number_text(options.question.bow_share);
  if (options.top != uncut) text += ", top " + std::to_string(options.top);
  return text;
}

// Answers of all measures have the columns that their measure has.
Matches no_matches(std::size_t queries, const SearchOptions& options) {
  Matches matches(queries, options.top == uncut ? 0 : options.top);
  if (is_exact(options.question.measure)) matches.add_bounds();
  return matches;
}

std::vector<std::uint32_t> with_weight(const Histograms& rows) {
  std::vector<std::uint32_t> good;
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    if (!is_empty(rows[row])) good.push_back(row);
  return good;
}

SearchOptions of_some(const SearchOptions& options, std::span<const std::uint32_t> queries) {
  if (options.limits.empty()) return options;
  SearchOptions some = options;
  std::vector<double> limits;
  for (const std::uint32_t query : queries) limits.push_back(options.limits[query]);
  some.limits = Array(std::move(limits));
  return some;
}

// What is found for some queries, at their places among all.
Matches at_places(const Matches& found, std::span<const std::uint32_t> places,
                  std::size_t queries) {
  Matches matches(queries, found.top);
  matches.counters = found.counters;
  if (found.has_bounds()) matches.add_bounds();
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t rank = 0;
    for (const Match& match : found[i]) matches.put(places[i], rank++, match);
    if (!found.proofs.empty()) matches.proofs[places[i]] = found.proofs[i];
  }
  return matches;
}

void number_as_whole(Matches& matches, std::span<const std::uint64_t> numbers) {
  for (std::int64_t& row : matches.rows)
    if (row != no_row) row = static_cast<std::int64_t>(numbers[static_cast<std::size_t>(row)]);
}

// Rows that are compared alone need no names.
Index nameless(Index index) {
  index.labels = {};
  index.label_names = {};
  for (Strings* strings : {&index.ids, &index.titles, &index.snippets}) *strings = {};
  index.fields.clear();
  return index;
}

std::string collection_of(const Index& index) {
  const auto place = index.properties.find(collection_property);
  return place == index.properties.end() ? std::string() : place->second;
}

}  // namespace

struct Shards::State {
  std::filesystem::path folder;
  ShardManifest manifest;

  void require(std::size_t shard) const {
    if (shard >= manifest.shards.size())
      throw Error(ErrorCode::usage, core::display_name(folder) + ": there is no shard " +
                                        std::to_string(shard) + " of " +
                                        std::to_string(manifest.shards.size()));
  }

  // A file that the manifest names.
  [[nodiscard]] Index open(const NamedFile& file) const {
    const std::filesystem::path path = folder / file.name;
    OpenedIndex opened = open_with_state(path);
    if (opened.identity != file.identity)
      throw Error(ErrorCode::bad_input,
                  core::display_name(path) +
                      ": this is not the file that the manifest names; it was edited or replaced");
    require_rows(file, opened.index.rows.size());
    if (opened.index.kind != manifest.kind)
      throw Error(ErrorCode::bad_input, core::display_name(path) + ": this is an index of " +
                                            to_string(opened.index.kind) + ", the manifest tells " +
                                            to_string(manifest.kind));
    return std::move(opened.index);
  }

  // A manifest may be as wrong as any file: numbers follow from how many rows there are.
  void require_rows(const NamedFile& file, std::uint64_t rows) const {
    if (rows != file.rows)
      throw Error(ErrorCode::bad_input, core::display_name(folder / file.name) + ": has " +
                                            std::to_string(rows) + " rows, the manifest tells " +
                                            std::to_string(file.rows));
  }

  [[nodiscard]] Ready ready_for(const Place& place) const {
    {
      const std::scoped_lock lock(mutex_);
      if (ready_ && place_ == place) return ready_;
    }
    // A fork must not find the lock held for long.
    const auto& [a, b, backend] = place;
    std::vector<Index> parts{nameless(open(manifest.shards[a]))};
    if (b != a) parts.push_back(nameless(open(manifest.shards[b])));
    std::vector<std::uint64_t> numbers = shards::rows_of(manifest, a);
    const std::size_t border = numbers.size();
    if (b != a) {
      const std::vector<std::uint64_t> others = shards::rows_of(manifest, b);
      numbers.insert(numbers.end(), others.begin(), others.end());
    }
    auto made =
        std::make_shared<const Made>(Made{Searcher(parts, backend), std::move(numbers), border});
    const std::scoped_lock lock(mutex_);
    place_ = place;
    ready_ = made;
    return made;
  }

 private:
  mutable std::mutex mutex_;
  mutable Place place_;
  mutable Ready ready_;
};

Shards::Shards(const std::filesystem::path& folder) : state_(std::make_unique<State>()) {
  state_->folder = folder;
  state_->manifest = read_manifest(folder);
}
Shards::~Shards() = default;
Shards::Shards(Shards&&) noexcept = default;
Shards& Shards::operator=(Shards&&) noexcept = default;

const std::filesystem::path& Shards::folder() const noexcept { return state_->folder; }
const ShardManifest& Shards::manifest() const noexcept { return state_->manifest; }

std::vector<std::uint64_t> Shards::rows_of(std::size_t shard) const {
  state_->require(shard);
  const NamedFile& file = manifest().shards[shard];
  std::uint64_t rows = 0;
  for (const SegmentFacts& segment : file_facts(folder() / file.name).segments)
    rows += segment.rows - segment.removed;
  state_->require_rows(file, rows);
  return shards::rows_of(manifest(), shard);
}

Index Shards::open(std::size_t shard) const {
  state_->require(shard);
  return state_->open(manifest().shards[shard]);
}

Index Shards::vocabulary() const {
  if (manifest().vocabulary.empty())
    throw Error(ErrorCode::usage, core::display_name(folder()) + ": these are shards of " +
                                      to_string(manifest().kind) + ", which have no vocabulary");
  return state_->open(manifest().vocabulary.front());
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> Shards::pairs() const {
  const auto shards = static_cast<std::uint32_t>(manifest().shards.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t a = 0; a < shards; ++a) all.emplace_back(a, a);
  for (std::uint32_t a = 0; a < shards; ++a)
    for (std::uint32_t b = a + 1; b < shards; ++b) all.emplace_back(a, b);
  return all;
}

std::uint64_t Shards::work(const Index& queries, const SearchOptions& options) const {
  core::Fingerprint work;
  work.add(std::string_view("search"));
  work.add(manifest().identity());
  add(options, work);
  work.add(queries.vocabulary.numbers().span());
  work.add(queries.vocabulary.coordinates().span());
  work.add(queries.rows.offsets().span());
  work.add(queries.rows.coordinates().span());
  work.add(queries.rows.weights().span());
  work.add(queries.rows.masses().span());
  return work.value();
}

std::uint64_t Shards::knn_work(const SearchOptions& options) const {
  core::Fingerprint work;
  work.add(std::string_view("knn"));
  work.add(manifest().identity());
  add(options, work);
  return work.value();
}

Lists Shards::search(std::size_t shard, const Index& queries, const SearchOptions& options,
                     const std::string& backend) const {
  state_->require(shard);
  require_all_rows(options);
  const std::size_t count = queries.rows.size();
  if (!options.limits.empty() && options.limits.size() != count)
    throw Error(ErrorCode::usage, std::to_string(options.limits.size()) + " limits for " +
                                      std::to_string(count) + " queries");
  const Ready ready = state_->ready_for({shard, shard, backend});
  const Searcher& searcher = ready->searcher;
  if (collection_of(searcher.index()) != collection_of(queries))
    throw Error(ErrorCode::bad_input,
                core::display_name(folder() / manifest().shards[shard].name) +
                    ": the queries were encoded by another vocabulary than that of the shards");
  const std::vector<std::uint32_t> good = with_weight(queries.rows);
  const bool none = good.empty() || searcher.index().rows.size() == 0;
  const Matches found = none ? no_matches(good.size(), options)
                             : searcher.search(selected(queries.rows, good), queries.vocabulary,
                                               of_some(options, good));
  Lists lists;
  lists.work = work(queries, options);
  lists.question = told(options);
  lists.shards = static_cast<std::uint32_t>(manifest().shards.size());
  lists.parts = {{0, static_cast<std::uint32_t>(shard)}};
  lists.owners.assign(count, 0);
  lists.queries.resize(count);
  std::iota(lists.queries.begin(), lists.queries.end(), std::int64_t{0});
  lists.uncut = options.top == uncut;
  lists.matches = at_places(found, good, count);
  number_as_whole(lists.matches, ready->numbers);
  return lists;
}

Lists Shards::knn(std::size_t a, std::size_t b, const SearchOptions& options,
                  const std::string& backend) const {
  state_->require(b);
  require_all_rows(options);
  if (a > b)
    throw Error(ErrorCode::usage, "shards " + std::to_string(a) + " and " + std::to_string(b) +
                                      "; expected the lower number first");
  const Ready ready = state_->ready_for({a, b, backend});
  const auto& [searcher, numbers, border] = *ready;
  Lists lists;
  lists.owners.assign(border, static_cast<std::uint32_t>(a));
  lists.owners.resize(numbers.size(), static_cast<std::uint32_t>(b));
  lists.work = knn_work(options);
  lists.question = told(options) + ", all rows";
  lists.shards = static_cast<std::uint32_t>(manifest().shards.size());
  lists.parts = {{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)}};
  if (a != b) lists.parts.emplace_back(lists.parts.front().second, lists.parts.front().first);
  lists.queries.assign(numbers.begin(), numbers.end());
  const bool none = numbers.empty() || (a != b && (border == 0 || border == numbers.size()));
  if (none) {
    lists.matches = no_matches(numbers.size(), options);
    return lists;
  }
  SearchOptions asked = options;
  if (a != b) asked.border = border;
  lists.matches = searcher.knn(asked);
  number_as_whole(lists.matches, numbers);
  return lists;
}

}  // namespace navvy
