// Unpacks gzip and zstd streams within bounds.
#include "loaders/unpack.hpp"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

namespace navvy::loaders {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::bad_input, name + ": " + what);
}

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<BufferedSource> packed, const std::string& name)
      : packed_(std::move(packed)), name_(name), budget_(name) {
    // 15 bits of window; 16 more mean: gzip, not bare zlib.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size() && !finished_) done += inflate_some(out.subspan(done));
    return done;
  }

 private:
  std::size_t inflate_some(std::span<std::byte> out) {
    const std::span<const std::byte> in = packed_->peek(1);
    if (in.empty()) fail(name_, "gzip data end early, after " + place() + " bytes");
    const std::size_t room = std::min(out.size(), std::size_t{1} << 30);
    // zlib's interface predates const; it does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t used = in.size() - stream_.avail_in;
    const std::size_t made = room - stream_.avail_out;
    packed_->consume(used);
    consumed_ += used;
    budget_.count(used, made);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      next_member();
    } else if (status != Z_OK) {
      fail(name_, "gzip data are damaged near byte " + place() + ": " +
                      (stream_.msg != nullptr ? stream_.msg : "unexpected end"));
    }
    return made;
  }

  void next_member() {
    const std::span<const std::byte> next = packed_->peek(2);
    finished_ = next.empty();
    if (finished_) return;
    if (next.size() < 2 || next[0] != std::byte{0x1f} || next[1] != std::byte{0x8b}) {
      fail(name_, "byte " + place() + ": something follows the gzip data");
    }
    inflateReset(&stream_);
  }

  [[nodiscard]] std::string place() const { return std::to_string(consumed_); }

  std::unique_ptr<BufferedSource> packed_;
  std::string name_;
  UnpackBudget budget_;
  z_stream stream_{};
  std::uint64_t consumed_ = 0;
  bool finished_ = false;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<BufferedSource> packed, const std::string& name)
      : packed_(std::move(packed)), name_(name), budget_(name), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    // A frame may ask for a window; 128 MB is what the zstd command allows by default.
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, 27);
  }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size() && !finished_) done += decode_some(out.subspan(done));
    return done;
  }

 private:
  std::size_t decode_some(std::span<std::byte> room) {
    const std::span<const std::byte> packed = packed_->peek(1);
    if (packed.empty() && between_frames_) {
      finished_ = true;
      return 0;
    }
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
    packed_->consume(in.pos);
    consumed_ += in.pos;
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(status) != 0U) {
      fail(name_, "zstd data are damaged near byte " + std::to_string(consumed_) + ": " +
                      ZSTD_getErrorName(status));
    }
    budget_.count(in.pos, out.pos);
    between_frames_ = status == 0;
    if (packed.empty() && out.pos == 0 && !between_frames_) {
      fail(name_, "zstd data end early, after " + std::to_string(consumed_) + " bytes");
    }
    return out.pos;
  }

  std::unique_ptr<BufferedSource> packed_;
  std::string name_;
  UnpackBudget budget_;
  ZSTD_DStream* stream_;
  std::uint64_t consumed_ = 0;
  bool between_frames_ = true;
  bool finished_ = false;
};

}  // namespace

void UnpackBudget::count(std::uint64_t packed, std::uint64_t unpacked) {
  constexpr std::uint64_t ratio = 1000;
  constexpr std::uint64_t allowance = std::uint64_t{64} << 20;
  packed_ += packed;
  unpacked_ += unpacked;
  if (unpacked_ / ratio > packed_ + allowance / ratio) {
    throw Error(ErrorCode::limit,
                name_ + ": " + std::to_string(packed_) + " packed bytes unpack to more than " +
                    std::to_string(unpacked_) + ", expected at most 1000 times as many plus 64 MB");
  }
}

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<BufferedSource> packed,
                                             const std::string& name) {
  return std::make_unique<GzipSource>(std::move(packed), name);
}

std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<BufferedSource> packed,
                                             const std::string& name) {
  return std::make_unique<ZstdSource>(std::move(packed), name);
}

}  // namespace navvy::loaders
