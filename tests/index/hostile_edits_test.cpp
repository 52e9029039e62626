// Edited index files damaged in every field behind right checksums: what is accepted serves every
// verb, and edits of it make files that are accepted again.
#include <gtest/gtest.h>

#include <iostream>

#include "index/damages.hpp"
#include "index/edited_files.hpp"
#include "index/edited_parts.hpp"
#include "index/examples.hpp"
#include "index/faults.hpp"
#include "index/verbs.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::attempt;
using test::below;
using test::EditedParts;
using test::Random;

constexpr std::array<std::uint64_t, 13> extremes = {0,
                                                    1,
                                                    2,
                                                    5,
                                                    64,
                                                    0x7fffffff,
                                                    0xfffffffe,
                                                    0xffffffff,
                                                    0x100000000,
                                                    std::uint64_t{1} << 62,
                                                    (std::uint64_t{1} << 62) + 1,
                                                    ~std::uint64_t{0} - 1,
                                                    ~std::uint64_t{0}};

std::uint64_t extreme(Random& random) { return extremes[below(random, extremes.size())]; }

void change_dead(EditedParts::Piece& piece, Random& random) {
  auto& dead = piece.dead;
  const auto rows = static_cast<std::uint32_t>(piece.entry.rows);
  const auto any = static_cast<std::uint32_t>(below(random, rows + 2));
  switch (below(random, 7)) {
    case 0:
      dead.clear();
      break;
    case 1:
      dead.push_back(any);
      break;
    case 2:
      dead.insert(dead.begin(), any);
      break;
    case 3:
      dead.push_back(static_cast<std::uint32_t>(extreme(random)));
      break;
    case 4:
      std::ranges::reverse(dead);
      break;
    case 5:
      dead.resize(below(random, 2 * rows + 2));
      break;
    default:
      dead.clear();
      for (std::uint32_t row = 0; row < rows; ++row)
        if (below(random, 3) > 0) dead.push_back(row);
      break;
  }
}

// Swapped, repeated, missing, or those of another file.
void change_order(EditedParts& file, const EditedParts& other, Random& random) {
  const auto place = file.pieces.begin() + static_cast<long>(below(random, file.pieces.size()));
  switch (below(random, 5)) {
    case 0:
      std::swap(*place, file.pieces[below(random, file.pieces.size())]);
      break;
    case 1:
      file.pieces.insert(place, EditedParts::Piece(*place));
      break;
    case 2:
      file.pieces.erase(place);
      break;
    case 3:
      *place = other.pieces[below(random, other.pieces.size())];
      break;
    default:
      file.pieces.erase(file.pieces.begin() + 1, file.pieces.end());
      break;
  }
}

void change_manifest(EditedParts& file, EditedParts::Piece& piece, Random& random) {
  const std::uint64_t value =
      below(random, 2) == 0 ? extreme(random) : file.manifest.next_number - 3 + below(random, 6);
  switch (below(random, 4)) {
    case 0:
      file.manifest.changed = value;
      break;
    case 1:
      file.manifest.next_number = value;
      break;
    case 2:
      file.pieces.front().parts.head.generation = value;
      break;
    default:
      piece.entry.first_number = value;
      break;
  }
}

std::string words_of(std::span<const std::uint32_t> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Sections that only other segments have, or that every segment needs.
void change_role(test::FileParts& parts, Random& random) {
  using index::Element;
  using index::Kind;
  std::vector<std::uint32_t> numbers(below(random, 8));
  std::uint32_t next = 0;
  for (std::uint32_t& number : numbers)
    number = next += static_cast<std::uint32_t>(below(random, 4));
  switch (below(random, 9)) {
    case 0:
      parts.put_properties({"weighting=tfidf"});
      break;
    case 1:
      parts.put(Kind::frequencies, Element::u32, words_of(numbers));
      break;
    case 2:
      parts.drop(Kind::frequencies);
      break;
    case 3:
      parts.put(Kind::references, Element::u32, words_of(numbers));
      break;
    case 4:
      parts.drop(Kind::references);
      break;
    case 5:
      parts.drop(Kind::word_offsets);
      parts.drop(Kind::word_bytes);
      break;
    case 6:
      parts.drop(Kind::counts);
      break;
    case 7:
      parts.drop(Kind::id_offsets);
      parts.drop(Kind::id_bytes);
      break;
    default: {
      auto* names = parts.find(Kind::field_name_bytes);
      if (names == nullptr) break;
      const auto place = names->bytes.find("date");
      if (place != std::string::npos) names->bytes.replace(place, 4, "text");
      break;
    }
  }
}

// Any word of head, tables and manifest.
void change_word(std::string& image, Random& random) {
  const auto bytes = std::as_writable_bytes(std::span(image));
  const auto head = test::value_at<index::Head>(bytes, 0);
  const auto manifest = test::value_at<index::ManifestHead>(bytes, head.manifest);
  std::uint64_t begin = 0;
  std::uint64_t length = sizeof(head);
  if (below(random, 3) > 0) {
    begin = head.manifest;
    length = manifest.bytes;
  } else if (manifest.segments > 1) {
    const std::uint64_t entry = 1 + below(random, manifest.segments - 1);
    begin = test::value_at<std::uint64_t>(
        bytes, head.manifest + sizeof(manifest) + entry * sizeof(index::SegmentEntry));
    length = 64 + 48 * std::uint64_t{19};
  }
  const std::size_t width = below(random, 2) == 0 ? 4 : 8;
  const std::uint64_t place = begin + below(random, length / width) * width;
  if (place + width > image.size()) return;
  std::uint64_t value = 0;
  std::memcpy(&value, image.data() + place, width);
  constexpr std::array<std::uint64_t, 6> steps = {
      1, 64, 4, ~std::uint64_t{0}, 0 - std::uint64_t{64}, std::uint64_t{1} << 31};
  value = below(random, 2) == 0 ? extreme(random) : value + steps[below(random, steps.size())];
  std::memcpy(image.data() + place, &value, width);
  test::correct_checksums(bytes);
}

std::string damaged(std::span<const std::string> sound, std::size_t trial, Random& random) {
  EditedParts file(sound[trial % sound.size()]);
  const EditedParts other(sound[below(random, sound.size())]);
  const std::size_t changes = below(random, 8) == 0 ? 0 : 1 + below(random, 2);
  for (std::size_t i = 0; i < changes && !file.pieces.empty(); ++i) {
    EditedParts::Piece& piece = file.pieces[below(random, file.pieces.size())];
    const std::size_t choice = below(random, 12);
    if (choice <= 2)
      change_dead(piece, random);
    else if (choice <= 4)
      change_order(file, other, random);
    else if (choice <= 6)
      change_manifest(file, piece, random);
    else if (choice <= 8)
      change_role(piece.parts, random);
    else if (choice == 9)
      test::change_head(piece.parts, random);
    else
      test::change_section(piece.parts, random);
  }
  std::string image = file.image();
  if (!file.pieces.empty() && (changes == 0 || below(random, 8) == 0)) change_word(image, random);
  return image;
}

// Rows that the index could get: its own under other names.
Index more_rows(const Index& index, bool named) {
  Index rows = index;
  rows.ids = {};
  if (!named) return rows;
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < rows.rows.size(); ++row)
    ids.push_back(std::string("more").append(std::to_string(row)));
  rows.ids = Strings(ids);
  return rows;
}

/// One file on disk and what is known of it.
class Edits {
 public:
  Edits(const std::filesystem::path& path, const std::string& image) : path_(path) {
    test::write_file(path_, image);
  }

  /// What can be done to a file that is refused as well: no crash, no other error.
  void try_all(const Index& rows) const {
    attempt([&] { (void)file_facts(path_); });
    attempt([&] { IndexWriter(path_).add(rows); });
    attempt([&] { IndexWriter(path_).remove(std::vector<std::string>{"0"}); });
    attempt([&] { IndexWriter(path_).compact(); });
    attempt([&] { (void)open_index(path_); });
  }

  /// The file was accepted as this index: it has to be after every edit, and to hold what was
  /// asked for; where the edit is refused, what it held before.
  void expect_all(const Index& opened) {
    rows_ = opened.rows.size();
    (void)file_facts(path_);
    const std::size_t more = rows_;
    const auto add = [&](bool named) {
      expect([&](IndexWriter& writer) {
        writer.add(more_rows(opened, named));
        return more;
      });
    };
    const auto update = [&] {
      expect([&](IndexWriter& writer) { return writer.update(more_rows(opened, true)).added; });
    };
    add(false);
    add(true);
    update();
    if (more > 0) {
      expect([&](IndexWriter& writer) {
        writer.remove(std::vector<std::string>{opened.id(0)});
        return ~std::size_t{0};
      });
    }
    expect([&](IndexWriter& writer) {
      writer.compact(more % 2 == 0);
      return std::size_t{0};
    });
    update();
    add(false);
  }

  [[nodiscard]] std::size_t done() const noexcept { return done_; }

 private:
  template <class Edit>
  void expect(const Edit& edit) {
    if (ended_) return;
    std::string refused;
    try {
      IndexWriter writer(path_);
      rows_ += edit(writer);
      ++done_;
    } catch (const Error& error) {
      refused = error.what();
    }
    try {
      ASSERT_EQ(open_index(path_).rows.size(), rows_) << refused;
    } catch (const Error& error) {
      ended_ = true;
      // Coordinates may be too close to each other once the far ones are gone.
      const bool close = std::string(error.what()).find("away from the first") != std::string::npos;
      ASSERT_TRUE(close) << error.what() << " after an edit: " << refused;
    }
  }

  std::filesystem::path path_;
  std::size_t rows_ = 0;
  std::size_t done_ = 0;
  bool ended_ = false;
};

TEST(HostileEdits, WhatIsAcceptedServesEveryVerbAndEveryEdit) {
  const test::TemporaryFolder folder;
  test::without_syncs = true;
  const std::vector<std::string> sound = test::edited_files(folder);
  Random random(23);
  for (const std::string& image : sound) {
    test::use(test::read_image(image), random);
    test::expect_same(test::read_image(EditedParts(image).image()), test::read_image(image));
  }
  const Index rows = test::read_image(sound.front());
  const std::size_t trials = test::thorough() ? 100000 : test::sanitized ? 1000 : 3000;
  std::size_t accepted = 0;
  std::size_t edits = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::string image = damaged(sound, trial, random);
    Edits file(folder / "x.navvy", image);
    Index index;
    try {
      index = test::read_image(image);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::damaged_index) << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      if (trial % 4 == 0) file.try_all(rows);
      continue;
    }
    ++accepted;
    test::use(index, random);
    file.expect_all(index);
    edits += file.done();
    if (HasFailure()) break;
  }
  test::without_syncs = false;
  std::cout << trials << " damaged files with edits opened, " << accepted << " accepted, " << edits
            << " further edits made\n";
  EXPECT_GT(accepted, trials / 10);
}

TEST(HostileEdits, EveryFlippedBitIsFoundOrHarmless) {
  const test::TemporaryFolder folder;
  for (std::string image : test::edited_files(folder)) {
    const std::vector<std::byte> sound = to_bytes(test::read_image(image));
    std::size_t harmless = 0;
    for (std::size_t bit = 0; bit < 8 * image.size(); bit += test::sanitized ? 37 : 1) {
      const char before = image[bit / 8];
      image[bit / 8] = static_cast<char>(before ^ 1 << bit % 8);
      try {
        ASSERT_EQ(to_bytes(test::read_image(image)), sound) << "bit " << bit;
        ++harmless;
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::damaged_index) << error.what();
      }
      image[bit / 8] = before;
    }
    // Those of manifests and lists that were replaced, and of the zeros behind them.
    test::write_file(folder / "x.navvy", image);
    EXPECT_LE(harmless, 8 * (file_facts(folder / "x.navvy").unused + 4 * 64));
  }
}

TEST(HostileEdits, EveryTruncationIsFoundAndWhatStandsBehindIsPassedOver) {
  const test::TemporaryFolder folder;
  for (const std::string& image : test::edited_files(folder)) {
    for (std::size_t length = 0; length < image.size(); ++length)
      test::error_of(ErrorCode::damaged_index, [&] { test::read_image(image.substr(0, length)); });
    test::expect_same(test::read_image(image + std::string(100, 'x')), test::read_image(image));
  }
}

}  // namespace
}  // namespace navvy
