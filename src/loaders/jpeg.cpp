// JPEG by libjpeg. Its errors come by longjmp, so whatever calls it is a function without objects,
// and the buffers are those of its caller.
#include "loaders/picture.hpp"

// jpeglib.h uses FILE and does not say so.
#include <cstdio>
// Not before.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace navvy::loaders {
namespace {

struct JpegReader {
  JpegReader() = default;
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&info); }

  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

JpegReader& reader_of(j_common_ptr info) { return *static_cast<JpegReader*>(info->client_data); }

void on_error(j_common_ptr info) {
  JpegReader& reader = reader_of(info);
  (*info->err->format_message)(info, reader.message.data());
  std::longjmp(reader.jump, 1);
}

// libjpeg only warns where a file ends early or its data are broken, and makes grey pixels up.
void on_message(j_common_ptr info, int level) {
  const int code = info->err->msg_code;
  const bool harmless = level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR ||
                        code == JWRN_ADOBE_XFORM;
  if (!harmless) on_error(info);
}

// Each scan of a progressive file goes over all pixels, and a small file can have many.
void on_progress(j_common_ptr info) {
  constexpr int most_scans = 200;
  JpegReader& reader = reader_of(info);
  if (reader.info.input_scan_number <= most_scans) return;
  constexpr std::string_view reason = "too many scans";
  std::copy(reason.begin(), reason.end(), reader.message.begin());
  std::longjmp(reader.jump, 1);
}

bool read_head(JpegReader& reader, const std::uint8_t* file, std::size_t bytes) {
  constexpr unsigned longest_marker = 0xffff;
  reader.info.err = jpeg_std_error(&reader.errors);
  reader.info.client_data = &reader;
  reader.errors.error_exit = on_error;
  reader.errors.emit_message = on_message;
  reader.progress.progress_monitor = on_progress;
  if (setjmp(reader.jump) != 0) return false;
  jpeg_create_decompress(&reader.info);
  reader.info.progress = &reader.progress;
  jpeg_mem_src(&reader.info, file, bytes);
  jpeg_save_markers(&reader.info, JPEG_APP0 + 1, longest_marker);
  jpeg_read_header(&reader.info, TRUE);
  return true;
}

bool read_lines(JpegReader& reader, std::uint8_t* pixels) {
  if (setjmp(reader.jump) != 0) return false;
  reader.info.out_color_space = JCS_EXT_RGBA;
  reader.info.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&reader.info);
  while (reader.info.output_scanline < reader.info.output_height) {
    JSAMPROW line = pixels + picture_channels * reader.info.output_width *
                                 static_cast<std::size_t>(reader.info.output_scanline);
    jpeg_read_scanlines(&reader.info, &line, 1);
  }
  jpeg_finish_decompress(&reader.info);
  return true;
}

int orientation_of(const JpegReader& reader) {
  for (auto* marker = reader.info.marker_list; marker != nullptr; marker = marker->next) {
    const int orientation = exif_orientation({marker->data, marker->data_length});
    if (orientation != 1) return orientation;
  }
  return 1;
}

}  // namespace

Picture decode_jpeg(const InputStream& input, std::span<const std::uint8_t> file) {
  JpegReader reader;
  const auto require = [&](bool done) {
    if (!done) input.fail(std::string("is no whole JPEG picture: ") + reader.message.data());
  };
  require(read_head(reader, file.data(), file.size()));
  check_picture_size(input, reader.info.image_width, reader.info.image_height);
  const J_COLOR_SPACE colours = reader.info.jpeg_color_space;
  if (colours != JCS_GRAYSCALE && colours != JCS_RGB && colours != JCS_YCbCr)
    input.fail("is a JPEG in other colours (CMYK); expected grey or red, green and blue");
  Picture picture{reader.info.image_width, reader.info.image_height, {}};
  picture.pixels.resize(std::size_t{picture.width} * picture.height * picture_channels);
  const int orientation = orientation_of(reader);  // libjpeg forgets the markers at the end
  require(read_lines(reader, picture.pixels.data()));
  return upright(std::move(picture), orientation);
}

}  // namespace navvy::loaders
