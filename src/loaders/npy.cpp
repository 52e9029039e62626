// Reads .npy arrays and turns their elements into numbers and texts.
#include "loaders/npy.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace navvy::loaders {
namespace {

constexpr std::size_t max_head = std::size_t{1} << 16;

template <class T, bool swapped>
T load(const std::uint8_t* bytes) noexcept {
  std::array<std::uint8_t, sizeof(T)> copy{};
  std::copy_n(bytes, sizeof(T), copy.begin());
  if constexpr (swapped) std::ranges::reverse(copy);
  T value;
  std::memcpy(&value, copy.data(), sizeof(T));
  return value;
}

template <class T, bool swapped>
double load_number(const std::uint8_t* bytes) noexcept {
  return static_cast<double>(load<T, swapped>(bytes));
}

template <class T, bool swapped>
std::int64_t load_integer(const std::uint8_t* bytes) noexcept {
  const T value = load<T, swapped>(bytes);
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(value, limit));
  } else {
    return static_cast<std::int64_t>(value);
  }
}

// IEEE half precision: 1 sign, 5 exponent, 10 fraction bits.
template <bool swapped>
double load_half(const std::uint8_t* bytes) noexcept {
  const auto bits = load<std::uint16_t, swapped>(bytes);
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

struct Loads {
  double (*number)(const std::uint8_t*);
  std::int64_t (*integer)(const std::uint8_t*);
};

template <class T>
Loads loads(bool swapped) {
  if (swapped) return {load_number<T, true>, load_integer<T, true>};
  return {load_number<T, false>, load_integer<T, false>};
}

template <class One, class Two, class Four, class Eight>
Loads integer_loads(std::size_t bytes, bool swapped) {
  switch (bytes) {
    case 1:
      return loads<One>(swapped);
    case 2:
      return loads<Two>(swapped);
    case 4:
      return loads<Four>(swapped);
    default:
      return loads<Eight>(swapped);
  }
}

std::string read_head_text(InputStream& input) {
  std::array<std::byte, 12> fixed{};
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(fixed[i]); };
  if (!input.starts_with(npy_magic)) {
    const std::span<const std::byte> found = input.peek(npy_magic.size());
    input.fail("byte 0: found " + hex(found) + ", expected a .npy file");
  }
  std::size_t got = input.read(std::span(fixed).first(8));
  const std::size_t version = byte(6);
  if (got == 8 && (version < 1 || version > 3 || byte(7) != 0)) {
    input.fail("byte 6: npy version " + std::to_string(version) + "." + std::to_string(byte(7)) +
               ", expected 1.0, 2.0 or 3.0");
  }
  const std::size_t fixed_bytes = version == 1 ? 10 : 12;
  got += input.read(std::span(fixed).subspan(8, fixed_bytes - 8));
  const std::size_t length = byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (got == fixed_bytes && length > max_head) {
    input.fail("byte 8: a head of " + std::to_string(length) + " bytes, expected at most " +
               std::to_string(max_head));
  }
  std::string text(length, '\0');
  got += input.read(std::as_writable_bytes(std::span(text)));
  if (got < fixed_bytes + length || length == 0) {
    input.fail("byte " + std::to_string(got) + ": the npy head ends early");
  }
  return text;
}

void append_utf8(std::string& text, std::uint32_t character) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
}

}  // namespace

NpyArray::NpyArray(InputStream& input) : name_(input.name()) {
  head_ = parse_npy_head(input, read_head_text(input));
  for (const std::uint64_t length : head_.shape) size_ = saturating_product(size_, length);
  data_ = input.read_rest(
      saturating_product(size_, head_.item_bytes),
      "an array of shape " + to_string(head_.shape) + " and type '" + head_.type + "' needs");
  choose_loads();
}

void NpyArray::choose_loads() {
  const std::size_t bytes = head_.item_bytes;
  const bool swapped = head_.big_endian;
  Loads chosen{};
  if (head_.kind == 'i') {
    chosen = integer_loads<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(bytes, swapped);
  } else if (head_.kind == 'u') {
    chosen =
        integer_loads<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(bytes, swapped);
  } else if (head_.kind == 'f' && bytes == 2) {
    chosen.number = swapped ? load_half<true> : load_half<false>;
  } else if (head_.kind == 'f' && bytes == 4) {
    chosen.number = swapped ? load_number<float, true> : load_number<float, false>;
  } else if (head_.kind == 'f') {
    chosen.number = swapped ? load_number<double, true> : load_number<double, false>;
  }
  load_number_ = chosen.number;
  load_integer_ = chosen.integer;
}

std::string NpyArray::text(std::uint64_t i) const {
  const std::uint8_t* bytes = at(i);
  if (is_integer()) {
    const bool unsigned_64 = head_.kind == 'u' && head_.item_bytes == 8;
    if (!unsigned_64) return std::to_string(integer(i));
    return std::to_string(head_.big_endian ? load<std::uint64_t, true>(bytes)
                                           : load<std::uint64_t, false>(bytes));
  }
  std::string text;
  if (head_.kind == 'S') {
    text.assign(reinterpret_cast<const char*>(bytes), head_.item_bytes);
  } else {
    for (std::size_t c = 0; c < head_.item_bytes; c += 4) {
      const auto character = head_.big_endian ? load<std::uint32_t, true>(bytes + c)
                                              : load<std::uint32_t, false>(bytes + c);
      if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) {
        fail("element " + std::to_string(i) + " has character number " + std::to_string(character) +
             ", which is no Unicode");
      }
      append_utf8(text, character);
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);  // NumPy fills up with zeros
  if (!is_utf8(text)) fail("element " + std::to_string(i) + " is not UTF-8");
  return text;
}

void NpyArray::fail(const std::string& what) const {
  throw Error(ErrorCode::bad_input, name_ + ": " + what);
}

std::string to_string(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool is_utf8(std::string_view text) noexcept {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t used = utf8proc_iterate(bytes, left, &character);
    if (used <= 0) return false;
    bytes += used;
    left -= used;
  }
  return true;
}

}  // namespace navvy::loaders
