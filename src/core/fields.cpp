// Values of fields, and dates and numbers as text.
#include "navvy/fields.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace navvy {
namespace {

// The next digits of a text as a number, taken off it; nullopt where there are fewer.
std::optional<int> take_number(std::string_view& text, std::size_t digits) noexcept {
  if (text.size() < digits) return {};
  int value = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return {};
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) noexcept {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// "23:59" or "23:59:59" in seconds; parts of a second are dropped.
std::optional<std::int64_t> take_time(std::string_view& text, int most_hours) noexcept {
  const auto hours = take_number(text, 2);
  if (!hours || *hours > most_hours || !take(text, ':')) return {};
  const auto minutes = take_number(text, 2);
  if (!minutes || *minutes > 59) return {};
  std::int64_t seconds = 0;
  if (take(text, ':')) {
    const auto found = take_number(text, 2);
    if (!found || *found > 59) return {};
    seconds = *found;
    if (take(text, '.')) {
      if (!take_number(text, 1)) return {};
      while (take_number(text, 1)) {
      }
    }
  }
  return 3600LL * *hours + 60LL * *minutes + seconds;
}

// What a time zone adds to UTC, in seconds.
std::optional<std::int64_t> take_zone(std::string_view& text) noexcept {
  if (text.empty() || take(text, 'Z')) return 0;
  const int sign = text.front() == '-' ? -1 : 1;
  if (!take(text, '+') && !take(text, '-')) return {};
  const auto offset = take_time(text, 14);
  if (!offset) return {};
  return sign * *offset;
}

}  // namespace

std::string to_string(FieldType type) {
  switch (type) {
    case FieldType::number:
      return "number";
    case FieldType::date:
      return "date";
    case FieldType::text:
      break;
  }
  return "text";
}

std::size_t Field::size() const noexcept {
  switch (type) {
    case FieldType::number:
      return numbers.size();
    case FieldType::date:
      return dates.size();
    case FieldType::text:
      break;
  }
  return texts.size();
}

bool Field::has(std::size_t row) const noexcept {
  switch (type) {
    case FieldType::number:
      return !std::isnan(numbers[row]);
    case FieldType::date:
      return dates[row] != no_date;
    case FieldType::text:
      break;
  }
  return !texts.empty() && !texts[row].empty();
}

std::string Field::text(std::size_t row) const {
  if (!has(row)) return {};
  switch (type) {
    case FieldType::number:
      return number_text(numbers[row]);
    case FieldType::date:
      return date_text(dates[row]);
    case FieldType::text:
      break;
  }
  return std::string(texts[row]);
}

std::optional<std::int64_t> parse_date(std::string_view text) noexcept {
  namespace c = std::chrono;
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return {};
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return {};
  const auto day = take_number(text, 2);
  if (!day) return {};
  const c::year_month_day date{c::year(*year), c::month(static_cast<unsigned>(*month)),
                               c::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return {};
  const std::int64_t midnight = 86400LL * c::sys_days(date).time_since_epoch().count();
  if (text.empty()) return midnight;
  if (!take(text, 'T') && !take(text, ' ')) return {};
  const auto time = take_time(text, 23);
  if (!time) return {};
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return {};
  return midnight + *time - *zone;
}

std::string date_text(std::int64_t seconds) {
  namespace c = std::chrono;
  // Whatever a file holds: years beyond what can be written are shown as seconds.
  if (seconds < -62167219200 || seconds > 253402300799) return std::to_string(seconds) + " s";
  const std::int64_t day = seconds / 86400 - (seconds % 86400 < 0 ? 1 : 0);
  const std::int64_t time = seconds - 86400 * day;
  const c::year_month_day date{c::sys_days(c::days(day))};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  std::string written = text.data();
  if (time == 0) return written;
  std::snprintf(text.data(), text.size(), "T%02d:%02d:%02dZ", static_cast<int>(time / 3600),
                static_cast<int>(time / 60 % 60), static_cast<int>(time % 60));
  return written + text.data();
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  char* const last = text.data() + text.size();
  // Years and numbers of things are read as such: 200000, not 2e+05.
  const bool is_whole = std::abs(value) <= largest_whole_number && value == std::trunc(value);
  const auto [end, error] = is_whole
                                ? std::to_chars(text.data(), last, value, std::chars_format::fixed)
                                : std::to_chars(text.data(), last, value);
  return error == std::errc() ? std::string(text.data(), end) : std::string();
}

}  // namespace navvy
