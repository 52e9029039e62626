// fastText models (.bin): words, then a matrix with a row per word and per bucket of n-grams. The
// vector of a word is the mean of its own row and those of its n-grams; a word that the model does
// not have is the mean of its n-grams.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "loaders/subwords.hpp"
#include "loaders/vectors.hpp"
#include "loaders/window.hpp"

namespace navvy::loaders {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie there");

constexpr std::uint64_t steps_per_check = 4096;

struct Model {
  std::uint32_t words = 0;
  std::size_t dimensions = 0;
  Ngrams ngrams;

  [[nodiscard]] std::uint64_t rows() const noexcept {
    return words + std::uint64_t{ngrams.buckets};
  }
  [[nodiscard]] std::uint64_t row_bytes() const noexcept { return dimensions * sizeof(float); }
};

// Values and rows of the file in order, with the place of the next one.
class ModelFile {
 public:
  ModelFile(InputStream& stream, core::Monitor& monitor)
      : stream_(stream), window_(stream), monitor_(monitor), place_(stream.position()) {}

  // A view that holds until the next call; fewer bytes at the end of the file.
  std::string_view ahead(std::uint64_t count) {
    return window_.ensure(static_cast<std::size_t>(count)).substr(0, count);
  }

  void skip(std::size_t count) {
    window_.consume(count);
    place_ += count;
    if (++steps_ % steps_per_check == 0) {
      monitor_.add(place_ - std::exchange(told_, place_));
      monitor_.throw_if_stopped();
    }
  }

  std::string_view bytes(std::uint64_t count, const std::string& what) {
    const std::string_view found = ahead(count);
    if (found.size() < count) fail_at_end(what);
    return found;
  }

  template <class Value>
  Value value(const std::string& what) {
    Value read;
    std::memcpy(&read, bytes(sizeof read, what).data(), sizeof read);
    skip(sizeof read);
    return read;
  }

  // How many bytes are left, where that is known.
  [[nodiscard]] std::optional<std::uint64_t> left() const {
    const auto behind = stream_.remaining();
    return behind ? std::optional(*behind + stream_.position() - place_) : std::nullopt;
  }

  [[noreturn]] void fail(const std::string& what) const { stream_.fail(what); }
  [[noreturn]] void fail_at_end(const std::string& what) const {
    fail("byte " + std::to_string(place_) + ": the file ends here, expected " + what);
  }
  [[nodiscard]] const std::string& name() const noexcept { return stream_.name(); }

 private:
  InputStream& stream_;
  Window window_;
  core::Monitor& monitor_;
  std::uint64_t place_;
  std::uint64_t told_ = 0;
  std::uint64_t steps_ = 0;
};

std::string decimal(std::int64_t number) { return std::to_string(number); }

// Of the options of the training, the vectors need five; the others say how they came about.
void read_options(ModelFile& file, Model& model) {
  constexpr std::int32_t supervised = 3;
  constexpr std::int32_t longest_ngram = 64;
  const auto option = [&file] { return file.value<std::int32_t>("options of a model"); };
  const std::int32_t dimensions = option();
  for (int i = 0; i < 6; ++i) option();
  const std::int32_t kind = option();
  const std::int32_t buckets = option();
  model.ngrams.shortest = option();
  model.ngrams.longest = option();
  option();
  file.value<double>("options of a model");
  if (kind == supervised)
    file.fail("is a fastText model of labels (supervised); expected one of words");
  if (dimensions < 1 || static_cast<std::uint64_t>(dimensions) > max_dimensions)
    file.fail(decimal(dimensions) + " dimensions, expected 1 to " + std::to_string(max_dimensions));
  if (buckets < 0) file.fail(decimal(buckets) + " buckets of n-grams, expected 0 or more");
  if (model.ngrams.longest > longest_ngram)
    file.fail("n-grams of up to " + decimal(model.ngrams.longest) +
              " characters, expected at most " + decimal(longest_ngram));
  model.dimensions = static_cast<std::size_t>(dimensions);
  model.ngrams.buckets = static_cast<std::uint32_t>(buckets);
}

void read_counts(ModelFile& file, Model& model) {
  const std::string what = "the sizes of a dictionary";
  const auto entries = file.value<std::int32_t>(what);
  const auto words = file.value<std::int32_t>(what);
  const auto labels = file.value<std::int32_t>(what);
  file.value<std::int64_t>(what);
  const auto pruned = file.value<std::int64_t>(what);
  if (words < 1 || labels != 0 || entries != words)
    file.fail(decimal(entries) + " entries, of them " + decimal(words) + " words and " +
              decimal(labels) + " labels; expected words alone, at least one");
  if (pruned >= 0) file.fail("is a quantised fastText model; expected one with all n-grams");
  model.words = static_cast<std::uint32_t>(words);
}

Model read_head(ModelFile& file) {
  constexpr std::int32_t oldest = 11;
  constexpr std::int32_t newest = 12;
  Model model;
  file.value<std::int32_t>("a fastText model");
  const auto version = file.value<std::int32_t>("the version of a model");
  if (version < oldest || version > newest)
    file.fail("is a fastText model of version " + decimal(version) + ", expected 11 or 12");
  read_options(file, model);
  read_counts(file, model);
  // A head that the file cannot hold is refused before anything is done for it.
  constexpr std::uint64_t least_entry = 10;
  const std::uint64_t matrix = saturating_product(model.rows(), model.row_bytes());
  const auto left = file.left();
  if (left && (matrix > *left || model.words * least_entry > *left - matrix))
    file.fail("truncated: " + std::to_string(model.words) + " words and " +
              std::to_string(model.ngrams.buckets) + " buckets of n-grams of " +
              std::to_string(model.dimensions) + " dimensions do not fit " + std::to_string(*left) +
              " bytes");
  return model;
}

// The words that are taken, ascending by number, and the rows of the matrix that they are made of.
class Wanted {
 public:
  explicit Wanted(const Model& model) : model_(model) {}

  // `raw` as it stands in the file. One word alone is not made of its n-grams: it has its own row.
  void add(const ModelFile& file, std::uint32_t number, std::string_view word,
           std::string_view raw) {
    const std::size_t first = parts_.size();
    if (number < model_.words) add_part(number);
    each_ngram(raw, model_.ngrams,
               [&](std::uint32_t bucket) { add_part(model_.words + std::uint64_t{bucket}); });
    words_.push_back(
        {number, static_cast<std::uint32_t>(parts_.size() - first), std::string(word)});
    check_memory(file);
  }

  // The matrix goes by once, so the sum of each word grows in the order of its rows: its bits
  // depend on nothing else.
  void sum_rows(ModelFile& file) {
    std::sort(parts_.begin(), parts_.end());
    sums_.resize(words_.size() * model_.dimensions);
    std::vector<float> values(model_.dimensions);
    auto part = parts_.begin();
    for (std::uint64_t row = 0; row < model_.rows(); ++row) {
      const std::string_view bytes = file.ahead(model_.row_bytes());
      if (bytes.size() < model_.row_bytes())
        file.fail_at_end("row " + std::to_string(row) + " of the matrix");
      if (part != parts_.end() && *part >> 32U == row) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        check_finite(file, values, row);
        for (; part != parts_.end() && *part >> 32U == row; ++part)
          add_row(static_cast<std::uint32_t>(*part), values);
      }
      file.skip(bytes.size());
    }
  }

  void give(const ModelFile& file, VectorsVisitor& visitor) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::span<float> vector =
          std::span(sums_).subspan(i * model_.dimensions, model_.dimensions);
      for (float& value : vector) {
        value /= static_cast<float>(words_[i].parts);
        if (!std::isfinite(value))
          file.fail("the vector of '" + words_[i].word + "' is not made of finite numbers");
      }
      visitor.take(words_[i].number, words_[i].word, vector);
    }
  }

 private:
  struct Word {
    std::uint32_t number = 0;
    std::uint32_t parts = 0;
    std::string word;
  };

  // Words that are made are in no proportion to the file, so its size bounds nothing.
  void check_memory(const ModelFile& file) const {
    const std::uint64_t bytes =
        words_.size() * model_.row_bytes() + parts_.size() * sizeof(std::uint64_t);
    if (bytes > InputStream::default_limit())
      throw Error(ErrorCode::limit, file.name() + ": more than " + std::to_string(words_.size()) +
                                        " words of " + std::to_string(model_.dimensions) +
                                        " dimensions, which do not fit half of the memory");
  }

  void add_part(std::uint64_t row) { parts_.push_back(row << 32U | words_.size()); }

  static void check_finite(const ModelFile& file, std::span<const float> values,
                           std::uint64_t row) {
    for (const float value : values)
      if (!std::isfinite(value))
        file.fail("row " + std::to_string(row) + " of the matrix: a value is not a finite number");
  }

  void add_row(std::uint32_t word, std::span<const float> values) {
    float* sum = sums_.data() + word * model_.dimensions;
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
  }

  const Model& model_;
  std::vector<Word> words_;
  std::vector<std::uint64_t> parts_;  // row of the matrix, then place among the words
  std::vector<float> sums_;
};

void read_words(ModelFile& file, const Model& model, VectorsVisitor& visitor, Wanted& wanted,
                VectorsReport& report) {
  constexpr std::size_t count_and_type = sizeof(std::int64_t) + 1;
  std::string scratch;
  for (std::uint32_t number = 0; number < model.words; ++number) {
    const auto where = [&] {
      return "word " + std::to_string(number + 1) + " of " + std::to_string(model.words);
    };
    const std::string_view ready = file.ahead(max_word_bytes + 1 + count_and_type);
    const std::size_t length = ready.substr(0, max_word_bytes + 1).find('\0');
    if (length == std::string_view::npos && ready.size() > max_word_bytes)
      file.fail(where() + ": longer than " + std::to_string(max_word_bytes) + " bytes");
    if (length == std::string_view::npos || ready.size() < length + 1 + count_and_type)
      file.fail_at_end(where());
    if (ready[length + count_and_type] != 0) file.fail(where() + ": is a label, expected a word");
    const std::string_view raw = ready.substr(0, length);
    const std::string_view word = valid_word(raw, scratch, report.broken);
    if (visitor.wants(number, word)) wanted.add(file, number, word, raw);
    file.skip(length + 1 + count_and_type);
  }
}

// Of two words of one number the one that is asked for first is made.
void make_words(const ModelFile& file, const Model& model, std::vector<std::string> missing,
                Wanted& wanted, VectorsReport& report) {
  struct Made {
    std::uint32_t number = 0;
    std::size_t place = 0;
  };
  std::vector<Made> made;
  for (std::size_t place = 0; place < missing.size(); ++place) {
    bool has_ngram = false;
    each_ngram(missing[place], model.ngrams, [&](std::uint32_t /*bucket*/) { has_ngram = true; });
    if (has_ngram) made.push_back({number_of_made(missing[place], model.words), place});
  }
  std::sort(made.begin(), made.end(), [](const Made& a, const Made& b) {
    return std::pair(a.number, a.place) < std::pair(b.number, b.place);
  });
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (i > 0 && made[i].number == made[i - 1].number) {
      ++report.clashes;
      continue;
    }
    wanted.add(file, made[i].number, missing[made[i].place], missing[made[i].place]);
    ++report.made;
  }
}

void read_matrix_head(ModelFile& file, const Model& model) {
  const auto quantised = file.value<std::uint8_t>("a matrix");
  const auto rows = file.value<std::int64_t>("the size of a matrix");
  const auto columns = file.value<std::int64_t>("the size of a matrix");
  if (quantised != 0)
    file.fail("is a quantised fastText model (.ftz); expected one in full (.bin)");
  if (rows < 0 || static_cast<std::uint64_t>(rows) != model.rows() || columns < 0 ||
      static_cast<std::uint64_t>(columns) != model.dimensions)
    file.fail("a matrix of " + decimal(rows) + " rows of " + decimal(columns) + ", expected " +
              std::to_string(model.rows()) + " of " + std::to_string(model.dimensions));
}

// What follows are weights for further training. They are not needed, but only a file that is
// there to its end is whole.
void check_end(ModelFile& file) {
  const std::string what = "the output matrix of the model";
  file.value<std::uint8_t>(what);
  const auto rows = file.value<std::int64_t>(what);
  const auto columns = file.value<std::int64_t>(what);
  if (rows < 0 || columns < 0)
    file.fail(what + " has " + decimal(rows) + " rows of " + decimal(columns));
  std::uint64_t rest =
      saturating_product(static_cast<std::uint64_t>(rows),
                         saturating_product(static_cast<std::uint64_t>(columns), sizeof(float)));
  if (const auto left = file.left(); left && *left == rest) return;
  constexpr std::uint64_t step = std::uint64_t{1} << 16U;
  while (rest > 0) {
    const std::uint64_t now = std::min(rest, step);
    file.skip(file.bytes(now, what).size());
    rest -= now;
  }
  if (!file.ahead(1).empty()) file.fail("there are bytes after the last matrix of the model");
}

}  // namespace

void scan_fasttext(InputStream& stream, VectorsVisitor& visitor, core::Monitor& monitor,
                   VectorsReport& report) {
  ModelFile file(stream, monitor);
  const Model model = read_head(file);
  report.dimensions = model.dimensions;
  report.words = model.words;
  Wanted wanted(model);
  read_words(file, model, visitor, wanted, report);
  read_matrix_head(file, model);
  make_words(file, model, visitor.missing(), wanted, report);
  wanted.sum_rows(file);
  check_end(file);
  wanted.give(file, visitor);
}

}  // namespace navvy::loaders
