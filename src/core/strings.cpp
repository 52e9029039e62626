// Many short texts in one block of memory.
#include "navvy/strings.hpp"

#include <utility>

#include "navvy/error.hpp"

namespace navvy {

Strings::Strings(std::span<const std::string> values) {
  std::vector<std::uint64_t> offsets;
  offsets.reserve(values.size() + 1);
  offsets.push_back(0);
  for (const std::string& value : values) offsets.push_back(offsets.back() + value.size());
  std::vector<char> bytes;
  bytes.reserve(offsets.back());
  for (const std::string& value : values) bytes.insert(bytes.end(), value.begin(), value.end());
  offsets_ = Array(std::move(offsets));
  bytes_ = Array(std::move(bytes));
}

Strings::Strings(Array<std::uint64_t> offsets, Array<char> bytes)
    : offsets_(std::move(offsets)), bytes_(std::move(bytes)) {
  if (offsets_.empty()) {
    if (!bytes_.empty()) throw Error(ErrorCode::bad_input, "strings: bytes without offsets");
    return;
  }
  if (offsets_[0] != 0)
    throw Error(ErrorCode::bad_input,
                "strings: the first offset is " + std::to_string(offsets_[0]) + ", expected 0");
  for (std::size_t i = 1; i < offsets_.size(); ++i)
    if (offsets_[i] < offsets_[i - 1])
      throw Error(ErrorCode::bad_input,
                  "strings: offset " + std::to_string(i) + " is smaller than the one before");
  if (offsets_[offsets_.size() - 1] != bytes_.size())
    throw Error(ErrorCode::bad_input,
                "strings: the last offset is " + std::to_string(offsets_[offsets_.size() - 1]) +
                    ", expected the number of bytes, " + std::to_string(bytes_.size()));
}

std::vector<std::string> Strings::to_vector() const {
  std::vector<std::string> values;
  values.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) values.emplace_back((*this)[i]);
  return values;
}

}  // namespace navvy
