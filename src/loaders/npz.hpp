// Several NumPy arrays in one file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loaders/input.hpp"
#include "loaders/npy.hpp"

namespace navvy::loaders {

inline constexpr std::string_view zip_magic = "PK\x03\x04";

/// A .npz file: a zip archive of .npy members, stored or deflated. What members unpack to is
/// bounded like everything that InputStream unpacks.
class NpzFile {
 public:
  /// Takes the rest of `input`; throws Error(bad_input).
  explicit NpzFile(InputStream& input);
  ~NpzFile();
  NpzFile(const NpzFile&) = delete;
  NpzFile& operator=(const NpzFile&) = delete;

  [[nodiscard]] bool has(const std::string& array) const;
  /// The array of that name; throws Error(bad_input) where there is none or it is damaged.
  [[nodiscard]] NpyArray get(const std::string& array) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Archive;

  std::string name_;
  std::vector<std::uint8_t> bytes_;
  std::unique_ptr<Archive> archive_;
};

}  // namespace navvy::loaders
