// From texts and word vectors to indexes and queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "navvy/corpus.hpp"
#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/progress.hpp"
#include "navvy/vocabulary.hpp"

/// Word Mover's search: from texts and a file of word vectors to an index, and from query text to
/// histograms. A vectors file is word2vec binary or text, GloVe text or fastText .vec; plain, gzip
/// or zstd; its bytes decide. Where a word stands twice, the first vector counts.
namespace navvy {

/// What a word weighs in a document where it stands `count` times, before weights are scaled to
/// sum 1: count, 1 + ln(count), or count * (1 + ln((1 + n) / (1 + d))) where d of n documents of
/// the index have the word among their bins.
enum class Weighting { tf, log, tfidf };

/// "tf", "log", "tfidf"; throws Error(usage).
Weighting parse_weighting(std::string_view name);
std::string to_string(Weighting weighting);

/// How a text becomes a histogram. The defaults are the paper's.
struct TextRecipe {
  /// A regular expression in RE2 syntax; its matches are the tokens. Empty: runs of Unicode letters
  /// with their marks. It sees lower-cased text unless `keep_case` is set.
  std::string token_pattern;
  /// Tokens keep their case and are looked up as they are, then in lower case, then capitalised.
  bool keep_case = false;
  /// The first words of the vectors file are left out of every document...
  std::uint32_t stop_word_count = 100;
  /// ...or these, where given; an empty list leaves nothing out.
  std::optional<std::vector<std::string>> stop_words;
  /// The most frequent words of a document that become bins; ties go to the word that stands
  /// earlier in the vectors file.
  std::uint32_t max_bins = 500;
  Weighting weighting = Weighting::tf;
  bool normalize = true;  ///< word vectors are scaled to length 1
};

/// A list of words from a text file, one or more per line; "#" begins a comment.
std::vector<std::string> read_stop_words(const std::filesystem::path& path);

/// What was met in a vectors file.
struct VectorsReport {
  std::string format;            ///< "word2vec binary", "word2vec text" or "GloVe text"
  std::uint64_t words = 0;       ///< records in the file
  std::uint64_t broken = 0;      ///< words with bytes that are no UTF-8, which were replaced
  std::uint64_t duplicates = 0;  ///< words that stood in the file before; only of those kept
  std::uint64_t dimensions = 0;
};

/// What was made of a corpus.
struct TextReport {
  struct Word {
    std::string word;
    std::uint64_t count = 0;
  };
  std::uint64_t documents = 0;
  std::uint64_t labels = 0;  ///< distinct ones
  std::uint64_t words = 0;   ///< of the vocabulary, all of them used
  double mean_bins = 0;      ///< over all documents
  std::uint64_t largest_bins = 0;
  double mean_words = 0;  ///< distinct known words per document, before the cut at max_bins
  std::uint64_t tokens = 0;
  std::uint64_t stop_tokens = 0;     ///< of these, stop words
  std::uint64_t unknown_tokens = 0;  ///< of these, without a vector
  std::vector<Word> unknown_words;   ///< the most frequent ones, at most 20
  std::uint64_t truncated = 0;       ///< documents with more than max_bins words
  std::vector<std::string> empty;    ///< ids of documents without any known word: never found
  /// Ids of documents whose histograms are the same, group by group.
  std::vector<std::vector<std::string>> duplicates;
  std::uint64_t broken_bytes = 0;  ///< of the corpus
  BrokenLinks broken_links;        ///< of the corpus
  VectorsReport vectors;
};

/// The part `unknown_tokens` of the tokens that are no stop words; 0 where there are none.
double unknown_share(const TextReport& report) noexcept;

struct TextBuild {
  Index index;
  TextReport report;
};

/// Reads the corpus, then streams the vectors file and keeps the words that the corpus uses: memory
/// is bounded by the corpus. Documents without id get their row number, or the next that is free;
/// ids that repeat throw Error(bad_input). Documents without title get their "Subject:" line, where
/// they begin like a mail, or their first line. Everything that a query must repeat is stored in
/// `Index::properties`.
TextBuild build_text(const std::filesystem::path& corpus, const CorpusOptions& options,
                     const std::filesystem::path& vectors, const TextRecipe& recipe,
                     const ProgressCallback& progress = {});
TextBuild build_text(std::span<const Document> documents, const std::filesystem::path& vectors,
                     const TextRecipe& recipe, const ProgressCallback& progress = {});

/// The same with vectors at hand, which need words; the first words are those of lowest number.
TextBuild build_text(std::span<const Document> documents, const Vocabulary& vectors,
                     const TextRecipe& recipe, const ProgressCallback& progress = {});

/// How rows for an index are made of documents.
struct RowOptions {
  /// Without a file or words at hand, words that the index does not have are unknown.
  std::optional<std::filesystem::path> vectors;
  const Vocabulary* words = nullptr;
  ProgressCallback progress;
  bool replacing = false;  ///< documents may have ids of the index, whose rows they replace
};

/// Rows for an index, or for the outline of one (writer.hpp): an index of the documents alone, made
/// by the same recipe, with ids that the index does not have. The report speaks of them alone.
TextBuild text_rows(const Index& index, const std::filesystem::path& corpus,
                    const CorpusOptions& options, const RowOptions& rows = {});
TextBuild text_rows(const Index& index, std::span<const Document> documents,
                    const RowOptions& rows = {});

/// The index with more documents behind its own, as if built at once: same recipe, same bits of
/// every distance. Without `vectors`, words that the index does not have are unknown; with them,
/// they enter, and Error(bad_input) is thrown where a word of the index has another place or vector
/// in that file. The report speaks of the new documents alone, `words` and `duplicates` of the
/// whole.
TextBuild add_text(const Index& index, const std::filesystem::path& corpus,
                   const CorpusOptions& options,
                   const std::optional<std::filesystem::path>& vectors,
                   const ProgressCallback& progress = {});
TextBuild add_text(const Index& index, std::span<const Document> documents,
                   const std::optional<std::filesystem::path>& vectors,
                   const ProgressCallback& progress = {});
TextBuild add_text(const Index& index, std::span<const Document> documents,
                   const Vocabulary& vectors, const ProgressCallback& progress = {});

/// The recipe that an index of texts was built with (stop words as a list). Throws Error(usage) for
/// an index of another kind, Error(damaged_index) where its properties make no sense.
TextRecipe recipe_of(const Index& index);

/// A query text as a histogram over the vocabulary of an index.
struct TextQuery {
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<std::string> unknown;  ///< tokens without a vector, each once, in order of appearance
  bool truncated = false;

  [[nodiscard]] Histogram histogram() const noexcept { return {coordinates, weights}; }
};

/// Treats query texts as the index treated its documents. Cheap to move; safe to use from several
/// threads. It keeps what it needs of the index.
class TextEncoder {
 public:
  /// Throws as recipe_of does.
  explicit TextEncoder(const Index& index);
  ~TextEncoder();
  TextEncoder(TextEncoder&&) noexcept;
  TextEncoder& operator=(TextEncoder&&) noexcept;

  /// Broken UTF-8 is replaced. A text without any known word gives an empty histogram.
  [[nodiscard]] TextQuery encode(std::string_view text) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// Throws Error(bad_input), naming the unknown words, unless the query has a known word.
void require_known_word(const TextQuery& query);

/// Queries as rows for search().
Histograms to_histograms(std::span<const TextQuery> queries, std::size_t vocabulary_size);

/// Reads word vectors: only `words` where given, else all. Numbers of the vocabulary are places in
/// the file. Throws Error(bad_input) with record or line on a malformed or truncated file.
Vocabulary read_vectors(const std::filesystem::path& path, bool normalize = true,
                        const std::optional<std::vector<std::string>>& words = std::nullopt,
                        VectorsReport* report = nullptr);

/// The same out of the bytes of a file.
Vocabulary read_vectors(std::span<const std::byte> file, bool normalize = true,
                        const std::optional<std::vector<std::string>>& words = std::nullopt,
                        VectorsReport* report = nullptr);

}  // namespace navvy
