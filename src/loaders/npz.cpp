// Opens members of zip archives as streams.
#include "loaders/npz.hpp"

#include <zip.h>

#include <new>
#include <utility>

#include "loaders/unpack.hpp"

namespace navvy::loaders {
namespace {

class MemberSource final : public ByteSource {
 public:
  MemberSource(zip_file_t* file, std::uint64_t packed, std::string name)
      : file_(file), name_(std::move(name)), budget_(name_) {
    budget_.count(packed, 0);
  }
  MemberSource(const MemberSource&) = delete;
  MemberSource& operator=(const MemberSource&) = delete;
  ~MemberSource() override { zip_fclose(file_); }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      const zip_int64_t got = zip_fread(file_, out.data() + done, out.size() - done);
      if (got < 0) {
        throw Error(ErrorCode::bad_input,
                    name_ + ": damaged: " + zip_error_strerror(zip_file_get_error(file_)));
      }
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
      budget_.count(0, static_cast<std::uint64_t>(got));
    }
    return done;
  }

 private:
  zip_file_t* file_;
  std::string name_;
  UnpackBudget budget_;
};

std::string member_name(const std::string& array) { return array + ".npy"; }

}  // namespace

struct NpzFile::Archive {
  zip_t* zip = nullptr;
  explicit Archive(zip_t* opened) : zip(opened) {}
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() { zip_discard(zip); }
};

NpzFile::NpzFile(InputStream& input) : name_(input.name()), bytes_(input.read_all()) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes_.data(), bytes_.size(), 0, &error);
  zip_t* zip = source != nullptr ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (zip == nullptr) {
    const bool no_memory = zip_error_code_zip(&error) == ZIP_ER_MEMORY;
    const std::string reason = zip_error_strerror(&error);
    zip_source_free(source);
    zip_error_fini(&error);
    if (no_memory) throw std::bad_alloc();
    fail("not a whole .npz (zip) archive: " + reason);
  }
  zip_error_fini(&error);
  archive_ = std::make_unique<Archive>(zip);
}

NpzFile::~NpzFile() = default;

bool NpzFile::has(const std::string& array) const {
  return zip_name_locate(archive_->zip, member_name(array).c_str(), 0) >= 0;
}

NpyArray NpzFile::get(const std::string& array) const {
  const std::string member = member_name(array);
  const zip_int64_t place = zip_name_locate(archive_->zip, member.c_str(), 0);
  if (place < 0) fail("has no member " + member + ", expected a file of scipy.sparse.save_npz");
  const auto number = static_cast<zip_uint64_t>(place);
  zip_stat_t status;
  zip_stat_init(&status);
  constexpr zip_uint64_t needed = ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  if (zip_stat_index(archive_->zip, number, 0, &status) != 0 || (status.valid & needed) != needed ||
      status.comp_size > bytes_.size()) {
    fail(member + ": its entry in the archive is damaged");
  }
  if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE) {
    fail(member + ": packed by method " + std::to_string(status.comp_method) +
         ", expected stored or deflated");
  }
  zip_file_t* file = zip_fopen_index(archive_->zip, number, 0);
  if (file == nullptr && zip_error_code_zip(zip_get_error(archive_->zip)) == ZIP_ER_MEMORY)
    throw std::bad_alloc();
  if (file == nullptr) fail(member + ": " + zip_strerror(archive_->zip));
  const std::string name = name_ + ": " + member;
  InputStream input(name, std::make_unique<MemberSource>(file, status.comp_size, name));
  return NpyArray(input);
}

void NpzFile::fail(const std::string& what) const {
  throw Error(ErrorCode::bad_input, name_ + ": " + what);
}

}  // namespace navvy::loaders
