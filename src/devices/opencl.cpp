// OpenCL 1.2 behind the interface of devices.
#include "devices/opencl.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "devices/opencl_api.hpp"
#include "devices/owner.hpp"
#include "devices/text.hpp"
#include "navvy/error.hpp"

namespace navvy::devices {
namespace {

struct Found {
  cl_platform_id platform;
  cl_device_id device;
};

// The process that asked drivers first: some start threads then, which a fork does not take along,
// so that a forked process would wait for them for ever.
const Owner& first_asker() {
  static const Owner owner;
  return owner;
}

// Whatever goes wrong here means that there is no device.
std::vector<Found> find_devices(const OpenClApi& api) {
  first_asker();
  std::vector<Found> found;
  cl_uint count = 0;
  if (api.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return found;
  std::vector<cl_platform_id> platforms(count);
  if (api.clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return found;
  for (cl_platform_id platform : platforms) {
    if (api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> devices(count);
    if (api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) !=
        CL_SUCCESS)
      continue;
    for (cl_device_id device : devices) found.push_back({platform, device});
  }
  return found;
}

template <class Get>
std::string text_of(const Get& get) {
  std::size_t size = 0;
  if (get(0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string text(size, '\0');
  if (get(size, text.data(), nullptr) != CL_SUCCESS) return "";
  text.resize(text.find('\0') == std::string::npos ? size : text.find('\0'));
  return text;
}

std::string device_text(const OpenClApi& api, cl_device_id device, cl_device_info which) {
  return text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return api.clGetDeviceInfo(device, which, size, to, needed);
  });
}

template <class Value>
Value device_value(const OpenClApi& api, cl_device_id device, cl_device_info which) {
  Value value{};
  api.clGetDeviceInfo(device, which, sizeof value, &value, nullptr);
  return value;
}

Facts facts_of(const OpenClApi& api, const Found& found, std::size_t number) {
  const cl_device_id device = found.device;
  const std::string platform = text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return api.clGetPlatformInfo(found.platform, CL_PLATFORM_NAME, size, to, needed);
  });
  Facts facts;
  facts.name = "opencl:" + std::to_string(number);
  facts.hardware = device_text(api, device, CL_DEVICE_NAME);
  facts.driver = platform + " " + device_text(api, device, CL_DRIVER_VERSION);
  facts.memory = device_value<cl_ulong>(api, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.largest_buffer = device_value<cl_ulong>(api, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.largest_group = device_value<std::size_t>(api, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  facts.is_gpu =
      (device_value<cl_device_type>(api, device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
  facts.has_doubles =
      device_value<cl_device_fp_config>(api, device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  return facts;
}

// What all parts of a device share. Whoever uses it keeps it alive.
class OpenClContext {
 public:
  OpenClContext(const OpenClApi& functions, const Found& found, Facts told)
      : api(functions), device(found.device), facts(std::move(told)) {
    cl_int code = CL_SUCCESS;
    context = api.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check_opencl(code, facts.name, "opening it");
  }
  OpenClContext(const OpenClContext&) = delete;
  OpenClContext& operator=(const OpenClContext&) = delete;
  ~OpenClContext() {
    if (!owner.is_here()) return;
    for (const auto& [levels, program] : programs_) api.clReleaseProgram(program);
    api.clReleaseContext(context);
  }

  void check(cl_int code, const char* what) const { check_opencl(code, facts.name, what); }

  /// Lanes per item: vectors of a processor, or a warp of 32 items for 64 lanes.
  [[nodiscard]] std::size_t lane_width() const noexcept { return facts.is_gpu ? 2 : 16; }

  /// A kernel of its own for each stream, since setting arguments is not for several threads.
  cl_kernel kernel(const Kernel& which) {
    cl_int code = CL_SUCCESS;
    cl_kernel made = api.clCreateKernel(program(which.levels), which.name, &code);
    check(code, which.name);
    return made;
  }

  const OpenClApi& api;
  cl_device_id device;
  Facts facts;
  Owner owner;
  cl_context context = nullptr;

 private:
  cl_program program(int levels) {
    const std::scoped_lock lock(mutex_);
    cl_program& made = programs_[levels];
    if (made == nullptr) made = build(levels);
    return made;
  }

  cl_program build(int levels) const {
    const std::string text = kernel_text();
    const char* begin = text.data();
    const std::size_t size = text.size();
    cl_int code = CL_SUCCESS;
    cl_program made = api.clCreateProgramWithSource(context, 1, &begin, &size, &code);
    check(code, "making its kernels");
    // Drivers print how many warnings there were unless told not to.
    std::string options = "-w -cl-std=CL1.2 -DLEVELS=" + std::to_string(levels) +
                          " -DWIDTH=" + std::to_string(lane_width());
    if (facts.has_doubles) options += " -DHAS_DOUBLES";
    // For tests alone: options that break the arithmetic, which the self-test must notice.
    if (const char* more = std::getenv("NAVVY_OPENCL_OPTIONS")) options += std::string(" ") + more;
    code = api.clBuildProgram(made, 1, &device, options.c_str(), nullptr, nullptr);
    if (code == CL_SUCCESS) return made;
    std::string log = text_of([&](std::size_t room, void* to, std::size_t* needed) {
      return api.clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, room, to, needed);
    });
    api.clReleaseProgram(made);
    const std::string first = log.substr(0, log.find('\n'));
    check(code, ("compiling its kernels" + (first.empty() ? "" : " (" + first + ")")).c_str());
    return nullptr;
  }

  std::mutex mutex_;
  std::map<int, cl_program> programs_;
};

using Shared = std::shared_ptr<OpenClContext>;

class OpenClMemory : public Memory {
 public:
  OpenClMemory(Shared shared, std::uint64_t bytes) : shared_(std::move(shared)), bytes_(bytes) {
    cl_int code = CL_SUCCESS;
    handle = shared_->api.clCreateBuffer(shared_->context, CL_MEM_READ_WRITE,
                                         std::max<std::uint64_t>(bytes, 4), nullptr, &code);
    shared_->check(code, "taking memory");
  }
  OpenClMemory(const OpenClMemory&) = delete;
  OpenClMemory& operator=(const OpenClMemory&) = delete;
  ~OpenClMemory() override {
    if (shared_->owner.is_here()) shared_->api.clReleaseMemObject(handle);
  }

  [[nodiscard]] std::uint64_t bytes() const noexcept override { return bytes_; }

  cl_mem handle = nullptr;

 private:
  Shared shared_;
  std::uint64_t bytes_;
};

cl_mem handle_of(const Memory& memory) { return static_cast<const OpenClMemory&>(memory).handle; }

class OpenClStream : public Stream {
 public:
  explicit OpenClStream(Shared shared) : shared_(std::move(shared)), api_(shared_->api) {
    cl_int code = CL_SUCCESS;
    queue_ = api_.clCreateCommandQueue(shared_->context, shared_->device, 0, &code);
    shared_->check(code, "making a queue");
  }
  OpenClStream(const OpenClStream&) = delete;
  OpenClStream& operator=(const OpenClStream&) = delete;
  ~OpenClStream() override {
    if (!shared_->owner.is_here()) return;
    api_.clFinish(queue_);
    for (const auto& [which, kernel] : kernels_) api_.clReleaseKernel(kernel);
    api_.clReleaseCommandQueue(queue_);
  }

  void write(Memory& to, std::uint64_t offset, const void* from, std::uint64_t bytes) override {
    if (bytes == 0) return;
    shared_->owner.check(shared_->facts.name);
    shared_->check(api_.clEnqueueWriteBuffer(queue_, handle_of(to), CL_TRUE, offset, bytes, from, 0,
                                             nullptr, nullptr),
                   "copying to it");
  }

  void read(const Memory& from, std::uint64_t offset, void* to, std::uint64_t bytes) override {
    if (bytes == 0) return;
    shared_->owner.check(shared_->facts.name);
    shared_->check(api_.clEnqueueReadBuffer(queue_, handle_of(from), CL_TRUE, offset, bytes, to, 0,
                                            nullptr, nullptr),
                   "copying from it");
  }

  void fill(Memory& to, std::uint32_t word) override {
    if (to.bytes() < sizeof word) return;
    shared_->owner.check(shared_->facts.name);
    shared_->check(
        api_.clEnqueueFillBuffer(queue_, handle_of(to), &word, sizeof word, 0,
                                 to.bytes() / sizeof word * sizeof word, 0, nullptr, nullptr),
        "filling memory");
  }

  void launch(const Kernel& kernel, const Grid& grid,
              std::span<const Argument> arguments) override {
    if (grid.groups == 0 || grid.groups_y == 0) return;
    shared_->owner.check(shared_->facts.name);
    cl_kernel handle = kernel_of(kernel);
    for (cl_uint i = 0; i < arguments.size(); ++i) set(handle, kernel.name, i, arguments[i]);
    const std::array<std::size_t, 2> all{grid.groups * grid.items, grid.groups_y};
    const std::array<std::size_t, 2> group{grid.items, 1};
    shared_->check(api_.clEnqueueNDRangeKernel(queue_, handle, 2, nullptr, all.data(), group.data(),
                                               0, nullptr, nullptr),
                   kernel.name);
  }

  void finish() override {
    shared_->owner.check(shared_->facts.name);
    shared_->check(api_.clFinish(queue_), "waiting for it");
  }

 private:
  cl_kernel kernel_of(const Kernel& which) {
    cl_kernel& made = kernels_[{which.levels, which.name}];
    if (made == nullptr) made = shared_->kernel(which);
    return made;
  }

  void set(cl_kernel kernel, const char* name, cl_uint place, const Argument& argument) {
    const auto set_bytes = [&](const void* value, std::size_t bytes) {
      shared_->check(api_.clSetKernelArg(kernel, place, bytes, value), name);
    };
    const auto set_value = [&]<class Value>(const Value& value) {
      if constexpr (std::is_pointer_v<Value>) {
        cl_mem handle = handle_of(*value);
        set_bytes(&handle, sizeof(void*));
      } else {
        set_bytes(&value, sizeof(Value));
      }
    };
    std::visit(set_value, argument);
  }

  Shared shared_;
  const OpenClApi& api_;
  cl_command_queue queue_ = nullptr;
  std::map<std::pair<int, std::string>, cl_kernel> kernels_;
};

class OpenClDevice : public Device {
 public:
  explicit OpenClDevice(Shared shared) : shared_(std::move(shared)) {}

  [[nodiscard]] const Facts& facts() const noexcept override { return shared_->facts; }
  [[nodiscard]] std::size_t lane_width() const noexcept override { return shared_->lane_width(); }
  [[nodiscard]] std::unique_ptr<Memory> allocate(std::uint64_t bytes) override {
    shared_->owner.check(facts().name);
    return std::make_unique<OpenClMemory>(shared_, bytes);
  }
  [[nodiscard]] std::unique_ptr<Stream> stream() override {
    shared_->owner.check(facts().name);
    return std::make_unique<OpenClStream>(shared_);
  }

 private:
  Shared shared_;
};

}  // namespace

std::vector<Facts> list_opencl() {
  std::vector<Facts> all;
  const OpenClApi* api = opencl_api();
  if (api == nullptr) return all;
  for (const Found& found : find_devices(*api)) all.push_back(facts_of(*api, found, all.size()));
  return all;
}

std::unique_ptr<Device> open_opencl(std::size_t number) {
  const OpenClApi* api = opencl_api();
  first_asker().check("opencl:" + std::to_string(number));
  const Found found = find_devices(*api).at(number);
  return std::make_unique<OpenClDevice>(
      std::make_shared<OpenClContext>(*api, found, facts_of(*api, found, number)));
}

}  // namespace navvy::devices
