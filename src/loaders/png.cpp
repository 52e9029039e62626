// PNG by libpng. Its errors come by longjmp, so whatever calls it is a function without objects,
// and the buffers are those of its caller.
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>
#include <string>
#include <vector>

#include "loaders/picture.hpp"

namespace navvy::loaders {
namespace {

struct PngReader {
  explicit PngReader(std::span<const std::uint8_t> bytes) : file(bytes) {}
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const std::uint8_t> file;
  std::array<char, 128> message{};
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
  std::strncpy(reader->message.data(), message, reader->message.size() - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}

void on_read(png_structp png, png_bytep out, png_size_t count) {
  auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
  if (count > reader->file.size()) png_error(png, "the file ends early");
  std::memcpy(out, reader->file.data(), count);
  reader->file = reader->file.subspan(count);
}

bool create(PngReader& reader) {
  constexpr png_uint_32 longest_side = 1U << 26U;
  constexpr png_alloc_size_t largest_chunk = std::size_t{1} << 23U;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  if (reader.png == nullptr) return false;
  reader.info = png_create_info_struct(reader.png);
  if (reader.info == nullptr) return false;
  png_set_read_fn(reader.png, &reader, on_read);
  png_set_user_limits(reader.png, longest_side, longest_side);
  png_set_chunk_malloc_max(reader.png, largest_chunk);
  return true;
}

// Whatever the file has, 8 bits each of red, green, blue and alpha come out.
bool read_head(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_info(reader.png, reader.info);
  png_set_expand(reader.png);
  png_set_scale_16(reader.png);
  png_set_gray_to_rgb(reader.png);
  png_set_add_alpha(reader.png, 0xff, PNG_FILLER_AFTER);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return true;
}

bool read_lines(PngReader& reader, png_bytepp lines) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_image(reader.png, lines);
  png_read_end(reader.png, nullptr);
  return true;
}

}  // namespace

Picture decode_png(const InputStream& input, std::span<const std::uint8_t> file) {
  PngReader reader(file);
  const auto require = [&](bool done) {
    if (!done) input.fail(std::string("is no whole PNG picture: ") + reader.message.data());
  };
  require(create(reader) && read_head(reader));
  Picture picture;
  picture.width = png_get_image_width(reader.png, reader.info);
  picture.height = png_get_image_height(reader.png, reader.info);
  check_picture_size(input, picture.width, picture.height);
  const std::size_t stride = picture.width * picture_channels;
  if (png_get_rowbytes(reader.png, reader.info) != stride) input.fail("is a PNG of unknown pixels");
  picture.pixels.resize(stride * picture.height);
  std::vector<png_bytep> lines(picture.height);
  for (std::size_t y = 0; y < lines.size(); ++y) lines[y] = picture.pixels.data() + y * stride;
  require(read_lines(reader, lines.data()));
  return picture;
}

}  // namespace navvy::loaders
