// Runs a filter over an index, and shows where one is wrong.
#include "navvy/filter.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "index/filter_columns.hpp"
#include "index/filter_parser.hpp"

namespace navvy {
namespace {

// Rows at a time: the answers to a few conditions stay in the first-level cache, and a filter of
// any depth takes little memory, however many rows there are.
constexpr std::size_t filter_block = 4096;

class FilterRun {
 public:
  FilterRun(std::string_view filter, const Index& index) : parsed_(index::parse_filter(filter)) {
    for (const index::Condition& condition : parsed_.conditions)
      tests_.push_back(index::row_test(condition, index, filter));
  }

  std::span<const std::uint8_t> run(std::size_t first, std::size_t count) {
    using Kind = index::Step::Kind;
    height_ = 0;
    for (const index::Step& step : parsed_.steps) {
      if (step.kind == Kind::condition) {
        if (height_ == stack_.size()) stack_.emplace_back(filter_block);
        tests_[step.condition]->run(first, std::span(stack_[height_++]).first(count));
      } else if (step.kind == Kind::negation) {
        for (std::uint8_t& passes : std::span(stack_[height_ - 1]).first(count)) passes ^= 1U;
      } else {
        join(step.kind == Kind::both, count);
      }
    }
    return std::span(stack_.front()).first(count);
  }

 private:
  void join(bool both, std::size_t count) {
    --height_;
    std::vector<std::uint8_t>& kept = stack_[height_ - 1];
    const std::vector<std::uint8_t>& other = stack_[height_];
    for (std::size_t i = 0; i < count; ++i)
      kept[i] = static_cast<std::uint8_t>(both ? kept[i] & other[i] : kept[i] | other[i]);
  }

  index::ParsedFilter parsed_;
  std::vector<std::unique_ptr<index::RowTest>> tests_;
  std::vector<std::vector<std::uint8_t>> stack_;
  std::size_t height_ = 0;
};

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Characters of a text; a byte that is none counts as one, as printable() shows it.
std::size_t width(std::string_view text) {
  std::size_t count = 0;
  const std::string shown = printable(text);
  for (const char c : shown) count += begins_character(c) ? 1 : 0;
  return count;
}

struct Excerpt {
  std::string text;       // fit to be shown
  std::size_t place = 0;  // of what is wrong, in characters
};

// At most some 70 bytes around a place, with dots where something is left out.
Excerpt excerpt(std::string_view filter, std::size_t place) {
  constexpr std::size_t before = 45;
  constexpr std::size_t length = 70;
  std::size_t begin = place > before ? place - before : 0;
  if (filter.size() <= length) begin = 0;
  while (begin > 0 && begin < filter.size() && !begins_character(filter[begin])) --begin;
  std::size_t end = std::min(filter.size(), begin + length);
  while (end < filter.size() && !begins_character(filter[end])) ++end;
  const std::string dots = begin > 0 ? "..." : "";
  return {dots + printable(filter.substr(begin, end - begin)) + (end < filter.size() ? "..." : ""),
          dots.size() + width(filter.substr(begin, place - begin))};
}

}  // namespace

FilterError::FilterError(const std::string& message, std::string_view filter, std::size_t place)
    : Error(ErrorCode::usage, "filter, character " +
                                  std::to_string(width(filter.substr(0, place)) + 1) + ": " +
                                  message + ": " + excerpt(filter, place).text),
      place_(place) {
  const Excerpt shown = excerpt(filter, place);
  picture_ = shown.text + "\n" + std::string(shown.place, ' ') + "^";
}

std::vector<std::uint32_t> rows_where(std::string_view filter, const Index& index) {
  FilterRun run(filter, index);
  const std::size_t all = index.rows.size();
  std::vector<std::uint32_t> rows;
  for (std::size_t first = 0; first < all; first += filter_block) {
    const auto passes = run.run(first, std::min(filter_block, all - first));
    for (std::size_t i = 0; i < passes.size(); ++i)
      if (passes[i] != 0) rows.push_back(static_cast<std::uint32_t>(first + i));
  }
  return rows;
}

}  // namespace navvy
