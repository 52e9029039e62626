// CUDA's driver interface behind that of devices.
#include "devices/cuda.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "devices/cuda_driver.hpp"
#include "devices/cuda_ptx.hpp"
#include "devices/owner.hpp"
#include "navvy/error.hpp"

namespace navvy::devices {
namespace cuda {
namespace {

// A kernel with as many registers as there can be, 255, still fits the 65,536 of a multiprocessor.
constexpr std::size_t largest_group = 256;

void pop(const Driver& driver) {
  Context popped = nullptr;
  driver.pop_context(&popped);
}

// Lines of a log in one, the empty ones left out.
std::string one_line(const std::string& log) {
  std::string line;
  for (const char letter : log) {
    if (letter == '\0') break;
    const bool is_space = letter == '\n' || letter == '\r' || letter == '\t' || letter == ' ';
    if (!is_space) line += letter;
    if (is_space && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

Facts facts_of(const Driver& driver, int number) {
  Facts facts;
  facts.name = "cuda:" + std::to_string(number);
  int device = 0;
  std::array<char, 256> name{};
  std::size_t bytes = 0;
  int version = 0;
  int items = 0;
  int major = 0;
  int minor = 0;
  const std::array results = {
      driver.device(&device, number),
      driver.name(name.data(), static_cast<int>(name.size()) - 1, device),
      driver.total_memory(&bytes, device),
      driver.version(&version),
      driver.attribute(&items, largest_block, device),
      driver.attribute(&major, capability_major, device),
      driver.attribute(&minor, capability_minor, device),
  };
  for (const Result result : results) {
    if (result == success) continue;
    throw Error(ErrorCode::failed,
                facts.name + ": cannot be asked what it is: " + text_of(driver, result));
  }
  facts.hardware = name.data();
  facts.driver = "CUDA " + std::to_string(version / 1000) + "." +
                 std::to_string(version % 1000 / 10) + ", compute capability " +
                 std::to_string(major) + "." + std::to_string(minor);
  facts.memory = bytes;
  facts.largest_buffer = bytes;
  facts.largest_group = std::min(static_cast<std::size_t>(items), largest_group);
  facts.is_gpu = true;
  facts.has_doubles = true;
  return facts;
}

// What a device, its memory and its streams share, alive as long as any of them.
class Shared {
 public:
  Shared(const Driver& driver, int number)
      : driver_(driver), device_(number), facts_(facts_of(driver, number)) {
    check(driver_.device(&device_, number), "cannot be opened");
    check(driver_.retain_context(&context_, device_), "cannot be opened");
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    if (!is_here()) return;
    if (driver_.push_context(context_) == success) {
      for (const auto& [levels, module] : modules_) driver_.unload(module);
      pop(driver_);
    }
    driver_.release_context(device_);
  }

  [[nodiscard]] const Driver& driver() const noexcept { return driver_; }
  [[nodiscard]] const Facts& facts() const noexcept { return facts_; }
  [[nodiscard]] Context context() const noexcept { return context_; }
  [[nodiscard]] bool is_here() const noexcept { return owner_.is_here(); }
  void check_owner() const { owner_.check(facts_.name); }

  // `what`: what could not be done, as the rest of a sentence.
  void check(Result result, const std::string& what) const {
    if (result == success) return;
    throw Error(result == out_of_memory ? ErrorCode::limit : ErrorCode::failed,
                facts_.name + ": " + what + ": " + text_of(driver_, result));
  }

  // With the context pushed.
  Function function(const Kernel& kernel) {
    const std::scoped_lock lock(mutex_);
    Function& function = functions_[{kernel.levels, kernel.name}];
    if (function == nullptr) {
      check(driver_.function(&function, module(kernel.levels), kernel.name),
            std::string("has no kernel ") + kernel.name);
    }
    return function;
  }

 private:
  Module module(int levels) {
    if (const auto found = modules_.find(levels); found != modules_.end()) return found->second;
    const std::string text = ptx(levels);
    std::string log(4096, '\0');
    std::array<int, 2> options = {error_log, error_log_bytes};
    std::array<void*, 2> values = {log.data(), std::bit_cast<void*>(log.size() - 1)};
    Module module = nullptr;
    const Result result = driver_.load(&module, text.c_str(), static_cast<unsigned>(options.size()),
                                       options.data(), values.data());
    const std::string said = one_line(log);
    check(result, "cannot compile the kernels for " + std::to_string(levels) + " levels" +
                      (said.empty() ? "" : " (" + said + ")"));
    modules_.emplace(levels, module);
    return module;
  }

  const Driver& driver_;
  int device_;
  Facts facts_;
  Owner owner_;
  Context context_ = nullptr;
  std::mutex mutex_;
  std::map<int, Module> modules_;
  std::map<std::pair<int, std::string>, Function> functions_;
};

// Makes a device the one that calls of this thread are for.
class Use {
 public:
  explicit Use(const Shared& shared) : driver_(shared.driver()) {
    shared.check_owner();
    shared.check(driver_.push_context(shared.context()), "cannot be used");
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { pop(driver_); }

 private:
  const Driver& driver_;
};

// What destructors do where the device still is: nothing in a forked process.
template <class Action>
void release(const Shared& shared, const Action& action) {
  if (!shared.is_here() || shared.driver().push_context(shared.context()) != success) return;
  action(shared.driver());
  pop(shared.driver());
}

class CudaMemory final : public Memory {
 public:
  CudaMemory(std::shared_ptr<const Shared> shared, std::uint64_t bytes)
      : shared_(std::move(shared)), bytes_(bytes) {
    const Use use(*shared_);
    // The driver gives no memory of no bytes.
    shared_->check(shared_->driver().allocate(&address, std::max<std::uint64_t>(bytes, 1)),
                   "has no room for " + std::to_string(bytes) + " bytes more");
  }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory() override {
    release(*shared_, [this](const Driver& driver) { driver.free(address); });
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return bytes_; }

  Address address = 0;

 private:
  std::shared_ptr<const Shared> shared_;
  std::uint64_t bytes_;
};

Address address_of(const Memory* memory) {
  return memory == nullptr ? 0 : dynamic_cast<const CudaMemory&>(*memory).address;
}

class CudaStream final : public Stream {
 public:
  explicit CudaStream(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
    const Use use(*shared_);
    shared_->check(driver().make_stream(&handle_, own_stream), "cannot make a stream");
  }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  ~CudaStream() override {
    release(*shared_, [this](const Driver& driver) { driver.destroy_stream(handle_); });
  }

  void write(Memory& to, std::uint64_t offset, const void* from, std::uint64_t bytes) override {
    const Use use(*shared_);
    if (bytes == 0) return;
    const std::string what = "cannot write " + std::to_string(bytes) + " bytes";
    shared_->check(driver().write(address_of(&to) + offset, from, bytes, handle_), what);
    // Whether the caller's memory was copied by now depends on what kind of memory it is.
    shared_->check(driver().finish(handle_), what);
  }

  void read(const Memory& from, std::uint64_t offset, void* to, std::uint64_t bytes) override {
    const Use use(*shared_);
    const std::string what = "cannot read " + std::to_string(bytes) + " bytes";
    if (bytes > 0) {
      shared_->check(driver().read(to, address_of(&from) + offset, bytes, handle_), what);
    }
    shared_->check(driver().finish(handle_), what);
  }

  void fill(Memory& to, std::uint32_t word) override {
    const Use use(*shared_);
    const std::uint64_t words = to.bytes() / sizeof word;
    if (words == 0) return;
    shared_->check(driver().fill(address_of(&to), word, words, handle_),
                   "cannot fill " + std::to_string(to.bytes()) + " bytes");
  }

  void launch(const Kernel& kernel, const Grid& grid,
              std::span<const Argument> arguments) override {
    const Use use(*shared_);
    if (grid.groups == 0 || grid.groups_y == 0) return;
    // The driver takes pointers to the values and knows their sizes from the kernel.
    std::vector<std::uint64_t> values(arguments.size());
    std::vector<void*> pointers(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      pointers[i] = &values[i];
      std::visit([&](auto value) { put(value, values[i]); }, arguments[i]);
    }
    const Function function = shared_->function(kernel);
    const auto groups = static_cast<unsigned>(grid.groups);
    const auto groups_y = static_cast<unsigned>(grid.groups_y);
    const auto items = static_cast<unsigned>(grid.items);
    shared_->check(driver().launch(function, groups, groups_y, 1, items, 1, 1, 0, handle_,
                                   pointers.data(), nullptr),
                   std::string("cannot run kernel ") + kernel.name);
  }

  void finish() override {
    const Use use(*shared_);
    shared_->check(driver().finish(handle_), "failed at what it was asked for");
  }

 private:
  [[nodiscard]] const Driver& driver() const noexcept { return shared_->driver(); }

  static void put(const Memory* memory, std::uint64_t& value) { value = address_of(memory); }
  template <class Number>
  static void put(Number number, std::uint64_t& value) {
    std::memcpy(&value, &number, sizeof number);
  }

  std::shared_ptr<Shared> shared_;
  StreamHandle handle_ = nullptr;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(const Driver& driver, int number)
      : shared_(std::make_shared<Shared>(driver, number)) {}

  [[nodiscard]] const Facts& facts() const noexcept override { return shared_->facts(); }
  // Two lanes of an item are eight bytes, which a warp reads as one: 64 lanes are 32 items.
  [[nodiscard]] std::size_t lane_width() const noexcept override { return 2; }
  [[nodiscard]] std::unique_ptr<Memory> allocate(std::uint64_t bytes) override {
    return std::make_unique<CudaMemory>(shared_, bytes);
  }
  [[nodiscard]] std::unique_ptr<Stream> stream() override {
    return std::make_unique<CudaStream>(shared_);
  }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace
}  // namespace cuda

std::vector<Facts> list_cuda() {
  const cuda::Driver* driver = cuda::driver();
  int count = 0;
  if (driver == nullptr || driver->count(&count) != cuda::success) return {};
  std::vector<Facts> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) all.push_back(cuda::facts_of(*driver, number));
  return all;
}

std::unique_ptr<Device> open_cuda(std::size_t number) {
  const cuda::Driver* driver = cuda::driver();
  if (driver == nullptr) throw Error(ErrorCode::usage, "there is no CUDA device");
  return std::make_unique<cuda::CudaDevice>(*driver, static_cast<int>(number));
}

}  // namespace navvy::devices
