// Writes archives of arrays byte by byte: heads of NumPy, records of zip.
#include "core/npz_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace navvy::core {
namespace {

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

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

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

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

void NpzWriter::add(const std::string& name, const std::string& head,
                    std::span<const std::byte> data) {
  Member member{name + ".npy", offset_, head.size() + data.size(), 0};
  member.crc = crc32(crc32(0, std::as_bytes(std::span(head))), data);
  members_.push_back(member);
  write(local_header(member));
  write(head);
  file_.write(data);
  offset_ += data.size();
}

void NpzWriter::commit() {
  const std::uint64_t directory = offset_;
  for (const Member& member : members_) write(directory_entry(member));
  write(end_of_directory(directory, offset_ - directory));
  file_.commit();
}

void NpzWriter::put_common(std::string& out, const Member& member) {
  put<std::uint16_t>(out, 45);  // version that knows 64-bit sizes
  put(out, static_cast<std::uint16_t>(is_ascii(member.name) ? 0 : 0x800));  // names are UTF-8
  put<std::uint16_t>(out, 0);                                               // stored
  put<std::uint16_t>(out, 0);                                               // time
  put<std::uint16_t>(out, 33);  // 1 January 1980: equal graphs give equal files
  put(out, member.crc);
  put<std::uint32_t>(out, 0xffffffff);  // sizes stand in the extra field
  put<std::uint32_t>(out, 0xffffffff);
  put(out, static_cast<std::uint16_t>(member.name.size()));
}

std::string NpzWriter::local_header(const Member& member) {
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

std::string NpzWriter::directory_entry(const Member& member) {
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

std::string NpzWriter::end_of_directory(std::uint64_t offset, std::uint64_t size) const {
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

void NpzWriter::write(const std::string& text) {
  file_.write(std::as_bytes(std::span(text)));
  offset_ += text.size();
}

}  // namespace navvy::core
