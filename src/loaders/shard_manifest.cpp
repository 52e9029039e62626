// The manifest of a folder of shards: a small JSON document with a checksum of what it says.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "core/fingerprint.hpp"
#include "loaders/input.hpp"
#include "navvy/files.hpp"
#include "navvy/shards.hpp"

namespace navvy {
namespace {

constexpr std::uint64_t manifest_version = 1;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 62U;
constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;

std::string hex(std::uint64_t value) {
  constexpr std::size_t digits = 16;
  std::string text(digits, '0');
  for (std::size_t i = digits; i-- > 0; value >>= 4U) text[i] = "0123456789abcdef"[value & 15U];
  return text;
}

bool is_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 255 && name.front() != '.' &&
         std::ranges::all_of(name, fits);
}

std::string_view name_of(Sharing sharing) {
  return sharing == Sharing::hashed ? "hashed" : "contiguous";
}

// Of all that a manifest says.
std::uint64_t checksum_of(const ShardManifest& manifest) {
  core::Fingerprint all;
  all.add(manifest.identity());
  for (const auto* files : {&manifest.shards, &manifest.vocabulary})
    for (const NamedFile& file : *files) {
      all.add(std::string_view(file.name));
      all.add(file.rows);
      all.add(file.identity);
    }
  return all.value();
}

class ManifestReader {
 public:
  explicit ManifestReader(const std::filesystem::path& path) : input_(path) {}

  ShardManifest read() {
    const std::vector<std::uint8_t> bytes = input_.read_all(most_bytes);
    const simdjson::padded_string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    if (parser.parse(text).get(document) != simdjson::SUCCESS)
      input_.fail("this is no JSON, expected the manifest of a folder of shards");
    const std::uint64_t version = number(document, "navvy_shards");
    if (version != manifest_version)
      input_.fail(std::to_string(version) + " is its version, this program reads version " +
                  std::to_string(manifest_version));
    ShardManifest manifest;
    manifest.sharing = sharing(document);
    manifest.kind = kind(document);
    manifest.numbered = number(document, "numbered") != 0;
    manifest.shards = files(document, "shards");
    manifest.vocabulary = files(document, "vocabulary");
    check(manifest, document);
    return manifest;
  }

 private:
  void check(const ShardManifest& manifest, simdjson::dom::element document) const {
    if (checksum(document, "checksum") != checksum_of(manifest))
      input_.fail("its checksum does not fit: it was changed or is damaged");
    if (manifest.shards.empty() || manifest.shards.size() > most_shards)
      input_.fail(std::to_string(manifest.shards.size()) + " shards, expected 1 to " +
                  std::to_string(most_shards));
    std::uint64_t rows = 0;
    for (const NamedFile& shard : manifest.shards) {
      if (shard.rows >= row_limit || rows > most_rows)
        input_.fail(shard.name + " has " + std::to_string(shard.rows) + " rows, expected fewer");
      rows += shard.rows;
    }
    if (manifest.vocabulary.size() > 1) input_.fail("more than one vocabulary");
    const bool is_text = manifest.kind == DataKind::text;
    if (is_text && manifest.vocabulary.empty()) input_.fail("shards of texts without a vocabulary");
    if (!is_text && !manifest.vocabulary.empty())
      input_.fail("a vocabulary for shards that are no texts");
  }

  [[noreturn]] void fail(const char* key, const char* what) const {
    std::string message(1, '\'');
    input_.fail(message.append(key).append(1, '\'').append(what));
  }

  template <class Element>
  [[nodiscard]] std::uint64_t number(Element object, const char* key) const {
    std::uint64_t value = 0;
    if (object.at_key(key).get(value) != simdjson::SUCCESS)
      fail(key, " is missing or no whole number");
    return value;
  }

  template <class Element>
  [[nodiscard]] std::string_view text(Element object, const char* key) const {
    std::string_view value;
    if (object.at_key(key).get(value) != simdjson::SUCCESS) fail(key, " is missing or no text");
    return value;
  }

  template <class Element>
  [[nodiscard]] std::uint64_t checksum(Element object, const char* key) const {
    const std::string_view digits = text(object, key);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(key, " is no hexadecimal number");
    return value;
  }

  [[nodiscard]] Sharing sharing(simdjson::dom::element document) const {
    const std::string_view name = text(document, "sharing");
    for (const Sharing known : {Sharing::contiguous, Sharing::hashed})
      if (name == name_of(known)) return known;
    input_.fail("'sharing' is neither contiguous nor hashed");
  }

  [[nodiscard]] DataKind kind(simdjson::dom::element document) const {
    const std::string_view name = text(document, "kind");
    for (const DataKind known : {DataKind::histograms, DataKind::images, DataKind::text})
      if (name == to_string(known)) return known;
    input_.fail("'kind' is none of histograms, images and text");
  }

  [[nodiscard]] std::vector<NamedFile> files(simdjson::dom::element document,
                                             const char* key) const {
    simdjson::dom::array entries;
    if (document.at_key(key).get(entries) != simdjson::SUCCESS) fail(key, " is missing or no list");
    std::vector<NamedFile> found;
    for (const simdjson::dom::element entry : entries) {
      found.push_back(
          {std::string(text(entry, "file")), number(entry, "rows"), checksum(entry, "identity")});
      if (!is_name(found.back().name)) fail(key, " names a file that has no plain name");
    }
    return found;
  }

  loaders::InputStream input_;
};

std::string json_of(const std::vector<NamedFile>& files) {
  std::string text = "[";
  for (const NamedFile& file : files) {
    text.append(&file == files.data() ? "\n" : ",\n");
    text.append("    {\"file\": \"").append(file.name).append("\", \"rows\": ");
    text.append(std::to_string(file.rows)).append(", \"identity\": \"");
    text.append(hex(file.identity)).append("\"}");
  }
  return text.append(files.empty() ? "]" : "\n  ]");
}

}  // namespace

ShardManifest read_manifest(const std::filesystem::path& folder) {
  return ManifestReader(folder / manifest_name).read();
}

void write_manifest(const ShardManifest& manifest, const std::filesystem::path& folder) {
  for (const auto* files : {&manifest.shards, &manifest.vocabulary})
    for (const NamedFile& file : *files)
      if (!is_name(file.name))
        throw Error(ErrorCode::usage, "a shard called '" + file.name +
                                          "'; expected letters, digits, '.', '-' and '_', the "
                                          "first of them no '.'");
  std::string text = "{";
  const auto tell = [&](const char* key, const std::string& value) {
    text.append(text.size() > 1 ? ",\n  \"" : "\n  \"").append(key).append("\": ").append(value);
  };
  const auto quoted = [](std::string_view value) {
    return std::string(1, '"').append(value).append(1, '"');
  };
  tell("navvy_shards", std::to_string(manifest_version));
  tell("kind", quoted(to_string(manifest.kind)));
  tell("sharing", quoted(name_of(manifest.sharing)));
  tell("rows", std::to_string(manifest.rows()));
  tell("numbered", manifest.numbered ? "1" : "0");
  tell("shards", json_of(manifest.shards));
  tell("vocabulary", json_of(manifest.vocabulary));
  tell("checksum", quoted(hex(checksum_of(manifest))));
  write_file(folder / manifest_name, text.append("\n}\n"));
}

}  // namespace navvy
