// Lists of several parts become one, owner by owner.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "navvy/error.hpp"
#include "navvy/lists.hpp"

namespace navvy {
namespace {

using Part = std::pair<std::uint32_t, std::uint32_t>;

[[noreturn]] void refuse(std::span<const std::string> names, std::size_t part,
                         const std::string& what) {
  const std::string name = names.empty() ? "part " + std::to_string(part) : names[part];
  throw Error(ErrorCode::bad_input, name + ": " + what);
}

// The queries [begin, end) of matches, with so many places for each.
Matches cut_out(const Matches& all, std::size_t begin, std::size_t end, std::size_t top) {
  Matches some(end - begin, top);
  if (all.has_bounds()) some.add_bounds();
  for (std::size_t query = begin; query < end; ++query) {
    std::size_t rank = 0;
    for (const Match& match : all[query]) {
      if (rank == top) break;
      some.put(query - begin, rank++, match);
    }
    if (!all.proofs.empty()) some.proofs[query - begin] = all.proofs[query];
  }
  return some;
}

std::pair<std::size_t, std::size_t> range_of(const Lists& lists, std::uint32_t owner) {
  const auto [first, last] = std::equal_range(lists.owners.begin(), lists.owners.end(), owner);
  return {static_cast<std::size_t>(first - lists.owners.begin()),
          static_cast<std::size_t>(last - lists.owners.begin())};
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

void append(const Matches& from, Matches& to) {
  to.queries += from.queries;
  append(from.rows, to.rows);
  append(from.distances, to.distances);
  append(from.lower, to.lower);
  append(from.upper, to.upper);
  append(from.exact, to.exact);
  append(from.proofs, to.proofs);
}

class Merger {
 public:
  Merger(std::span<const Lists> parts, std::span<const std::string> names)
      : parts_(parts), names_(names) {
    const Lists& first = parts.front();
    merged_.work = first.work;
    merged_.question = first.question;
    merged_.shards = first.shards;
    merged_.uncut = first.uncut;
    for (std::size_t part = 0; part < parts.size(); ++part) take(part);
  }

  Lists run() {
    merged_.matches.top = top();
    if (parts_.front().matches.has_bounds()) merged_.matches.add_bounds();
    std::set<std::uint32_t> owners;
    for (const Lists& lists : parts_) owners.insert(lists.owners.begin(), lists.owners.end());
    for (const std::uint32_t owner : owners) merge_owner(owner);
    merged_.parts.assign(seen_.begin(), seen_.end());
    return std::move(merged_);
  }

 private:
  void take(std::size_t part) {
    const Lists& lists = parts_[part];
    const Matches& first = parts_.front().matches;
    if (lists.work != merged_.work || lists.shards != merged_.shards ||
        lists.uncut != merged_.uncut || lists.matches.has_bounds() != first.has_bounds() ||
        (!lists.uncut && lists.matches.top != first.top))
      refuse(names_, part,
             "lists of other work (" + lists.question + ") than the first (" + merged_.question +
                 "); expected the same shards, queries and question");
    for (const Part& asked : lists.parts)
      if (!seen_.insert(asked).second)
        refuse(names_, part,
               "what was found in shard " + std::to_string(asked.second) +
                   " stands in another part as well");
  }

  // Uncut lists grow as long as what all parts found of a query, and no list is longer.
  [[nodiscard]] std::size_t top() const {
    if (!merged_.uncut) return parts_.front().matches.top;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> found;
    std::size_t longest = 0;
    for (const Lists& lists : parts_)
      for (std::size_t query = 0; query < lists.queries.size(); ++query) {
        std::size_t& length = found[{lists.owners[query], lists.queries[query]}];
        length += lists.matches[query].size();
        longest = std::max(longest, length);
      }
    constexpr std::size_t most_places = std::size_t{1} << 40U;
    if (longest > 0 && found.size() > most_places / longest)
      throw Error(ErrorCode::limit, std::to_string(found.size()) + " queries with up to " +
                                        std::to_string(longest) +
                                        " matches each are too many to merge");
    return longest;
  }

  void merge_owner(std::uint32_t owner) {
    std::vector<Matches> found;
    std::vector<std::int64_t> queries;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const auto [begin, end] = range_of(parts_[part], owner);
      if (begin == end) continue;
      const auto& all = parts_[part].queries;
      const std::vector<std::int64_t> own(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                          all.begin() + static_cast<std::ptrdiff_t>(end));
      if (found.empty()) queries = own;
      if (own != queries) refuse(names_, part, "it has other queries than the parts before it");
      found.push_back(cut_out(parts_[part].matches, begin, end, merged_.matches.top));
    }
    append(merge(found), merged_.matches);
    append(queries, merged_.queries);
    merged_.owners.resize(merged_.queries.size(), owner);
  }

  std::span<const Lists> parts_;
  std::span<const std::string> names_;
  std::set<Part> seen_;
  Lists merged_;
};

}  // namespace

Lists Lists::of(std::uint32_t owner) const {
  Lists own{work, question, shards, {}, {}, {}, uncut, {}};
  for (const Part& part : parts)
    if (part.first == owner) own.parts.push_back(part);
  const auto [begin, end] = range_of(*this, owner);
  own.owners.assign(end - begin, owner);
  own.queries.assign(queries.begin() + static_cast<std::ptrdiff_t>(begin),
                     queries.begin() + static_cast<std::ptrdiff_t>(end));
  own.matches = cut_out(matches, begin, end, matches.top);
  return own;
}

void Lists::require_complete() const {
  std::set<std::uint32_t> wanted(owners.begin(), owners.end());
  for (const Part& part : parts) wanted.insert(part.first);
  for (const std::uint32_t owner : wanted)
    for (std::uint32_t shard = 0; shard < shards; ++shard)
      if (!std::ranges::binary_search(parts, Part{owner, shard}))
        throw Error(ErrorCode::usage,
                    "the lists of shard " + std::to_string(shard) + " are missing" +
                        (wanted.size() > 1 ? ", asked by the rows of shard " + std::to_string(owner)
                                           : std::string()) +
                        "; expected those of all " + std::to_string(shards));
}

Lists merged(std::span<const Lists> parts, std::span<const std::string> names) {
  if (parts.empty()) throw Error(ErrorCode::usage, "no lists to merge; expected at least one part");
  return Merger(parts, names).run();
}

Matches by_row(const Lists& lists, std::size_t rows) {
  lists.require_complete();
  if (lists.queries.size() != rows)
    throw Error(ErrorCode::usage, "lists of " + std::to_string(lists.queries.size()) +
                                      " rows; expected those of all " + std::to_string(rows));
  Matches matches(rows, lists.matches.top);
  if (lists.matches.has_bounds()) matches.add_bounds();
  for (std::size_t query = 0; query < lists.queries.size(); ++query) {
    const auto row = static_cast<std::size_t>(lists.queries[query]);
    if (row >= rows)
      throw Error(ErrorCode::usage,
                  "lists of row " + std::to_string(row) + " of " + std::to_string(rows) + " rows");
    std::size_t rank = 0;
    for (const Match& match : lists.matches[query]) {
      if (match.row >= static_cast<std::int64_t>(rows))
        throw Error(ErrorCode::bad_input, "lists that find row " + std::to_string(match.row) +
                                              " of " + std::to_string(rows) + " rows");
      matches.put(row, rank++, match);
    }
    if (matches.has_bounds()) matches.proofs[row] = lists.matches.proofs[query];
  }
  return matches;
}

}  // namespace navvy
