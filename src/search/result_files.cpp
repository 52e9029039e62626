// Results as files that NumPy and SciPy read: .npy, and .npz as a zip archive without compression.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "navvy/error.hpp"
#include "navvy/graph.hpp"
#include "navvy/search.hpp"

namespace navvy {
namespace {

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

template <class T>
std::span<const std::byte> bytes_of(std::span<const T> values) {
  return std::as_bytes(values);
}

// The head of an .npy file, format version 1.0, padded so that the data are aligned to 64 bytes.
std::string npy_head(const std::string& type, const std::string& shape) {
  std::string text = "{'descr': '";
  text.append(type).append("', 'fortran_order': False, 'shape': ").append(shape).append(", }");
  constexpr std::size_t prefix = 10;
  text.append(63 - (prefix + text.size()) % 64, ' ');
  text += '\n';
  std::string head = "\x93NUMPY";
  head += '\x01';
  head += '\0';
  head += static_cast<char>(text.size() & 0xffU);
  head += static_cast<char>(text.size() >> 8U);
  return head + text;
}

// NumPy's way to write a tuple: "(3,)", "(3, 4)".
std::string shape_of(std::initializer_list<std::uint64_t> lengths) {
  std::string text = "(";
  for (const std::uint64_t length : lengths) {
    if (text.size() > 1) text += ' ';
    text += std::to_string(length);
    text += ',';
  }
  if (lengths.size() > 1) text.pop_back();
  text += ')';
  return text;
}

// CRC-32 as zip archives use it, eight bits at a time.
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
        value = (value & 1U) != 0 ? 0xedb88320U ^ (value >> 1U) : value >> 1U;
      entries[i] = value;
    }
    return entries;
  }();
  crc = ~crc;
  for (const std::byte byte : bytes)
    crc = table[(crc ^ static_cast<std::uint32_t>(byte)) & 0xffU] ^ (crc >> 8U);
  return ~crc;
}

// A zip archive of stored members, always with 64-bit sizes: graphs may exceed 4 GB.
class NpzWriter {
 public:
  explicit NpzWriter(const std::filesystem::path& path) : file_(path) {}

  void add(const std::string& name, const std::string& head, std::span<const std::byte> data) {
    Member member{name, offset_, head.size() + data.size(), 0};
    member.crc = crc32(crc32(0, std::as_bytes(std::span(head))), data);
    members_.push_back(member);
    write(local_header(member));
    write(head);
    file_.write(data);
    offset_ += data.size();
  }

  void commit() {
    const std::uint64_t directory = offset_;
    for (const Member& member : members_) write(directory_entry(member));
    write(end_of_directory(directory, offset_ - directory));
    file_.commit();
  }

 private:
  struct Member {
    std::string name;
    std::uint64_t offset;
    std::uint64_t size;
    std::uint32_t crc;
  };

  template <class T>
  static void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  static void put_common(std::string& out, const Member& member) {
    put<std::uint16_t>(out, 45);  // version that knows 64-bit sizes
    put<std::uint16_t>(out, 0);   // flags
    put<std::uint16_t>(out, 0);   // stored
    put<std::uint16_t>(out, 0);   // time
    put<std::uint16_t>(out, 33);  // 1 January 1980: equal graphs give equal files
    put(out, member.crc);
    put<std::uint32_t>(out, 0xffffffff);  // sizes stand in the extra field
    put<std::uint32_t>(out, 0xffffffff);
    put(out, static_cast<std::uint16_t>(member.name.size()));
  }

  static std::string local_header(const Member& member) {
    std::string out = "PK\x03\x04";
    put_common(out, member);
    put<std::uint16_t>(out, 20);
    out += member.name;
    put<std::uint16_t>(out, 1);
    put<std::uint16_t>(out, 16);
    put(out, member.size);
    put(out, member.size);
    return out;
  }

  static std::string directory_entry(const Member& member) {
    std::string out = "PK\x01\x02";
    put<std::uint16_t>(out, 45);
    put_common(out, member);
    put<std::uint16_t>(out, 28);
    put<std::uint16_t>(out, 0);           // comment
    put<std::uint16_t>(out, 0);           // disk
    put<std::uint16_t>(out, 0);           // internal attributes
    put<std::uint32_t>(out, 0);           // external attributes
    put<std::uint32_t>(out, 0xffffffff);  // offset stands in the extra field
    out += member.name;
    put<std::uint16_t>(out, 1);
    put<std::uint16_t>(out, 24);
    put(out, member.size);
    put(out, member.size);
    put(out, member.offset);
    return out;
  }

  [[nodiscard]] std::string end_of_directory(std::uint64_t offset, std::uint64_t size) const {
    const auto count = static_cast<std::uint64_t>(members_.size());
    std::string out = "PK\x06\x06";
    put<std::uint64_t>(out, 44);
    put<std::uint16_t>(out, 45);
    put<std::uint16_t>(out, 45);
    put<std::uint32_t>(out, 0);
    put<std::uint32_t>(out, 0);
    put(out, count);
    put(out, count);
    put(out, size);
    put(out, offset);
    out += "PK\x06\x07";
    put<std::uint32_t>(out, 0);
    put(out, offset + size);
    put<std::uint32_t>(out, 1);
    out += "PK\x05\x06";
    put<std::uint32_t>(out, 0);
    put(out, static_cast<std::uint16_t>(count));
    put(out, static_cast<std::uint16_t>(count));
    put<std::uint32_t>(out, 0xffffffff);
    put<std::uint32_t>(out, 0xffffffff);
    put<std::uint16_t>(out, 0);
    return out;
  }

  void write(const std::string& text) {
    file_.write(std::as_bytes(std::span(text)));
    offset_ += text.size();
  }

  core::AtomicFile file_;
  std::uint64_t offset_ = 0;
  std::vector<Member> members_;
};

}  // namespace

void Searcher::write_distances(const MatrixRange& range, const Question& question,
                               const RunOptions& run, const std::filesystem::path& path) const {
  core::AtomicFile file(path);
  const std::string head = npy_head(
      "<f4", shape_of({range.query_end - range.query_begin, range.row_end - range.row_begin}));
  file.write(std::as_bytes(std::span(head)));
  distances(range, question, run, [&](std::size_t, std::size_t, std::span<const float> values) {
    file.write(bytes_of(values));
  });
  file.commit();
}

void write_graph(const Matches& matches, std::size_t rows, const std::filesystem::path& path) {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  std::vector<float> data;
  for (std::size_t query = 0; query < matches.queries; ++query) {
    for (const Match& match : matches[query]) {
      indices.push_back(static_cast<std::int32_t>(match.row));
      data.push_back(static_cast<float>(match.distance));
    }
    indptr.push_back(static_cast<std::int64_t>(indices.size()));
  }
  const std::array<std::int64_t, 2> shape{static_cast<std::int64_t>(matches.queries),
                                          static_cast<std::int64_t>(rows)};
  NpzWriter npz(path);
  npz.add("indices.npy", npy_head("<i4", shape_of({indices.size()})),
          bytes_of(std::span<const std::int32_t>(indices)));
  npz.add("indptr.npy", npy_head("<i8", shape_of({indptr.size()})),
          bytes_of(std::span<const std::int64_t>(indptr)));
  npz.add("format.npy", npy_head("|S3", "()"), bytes_of(std::span<const char>("csr", 3)));
  npz.add("shape.npy", npy_head("<i8", shape_of({2})),
          bytes_of(std::span<const std::int64_t>(shape)));
  npz.add("data.npy", npy_head("<f4", shape_of({data.size()})),
          bytes_of(std::span<const float>(data)));
  npz.commit();
}

}  // namespace navvy
