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
/// histograms. A vectors file is word2vec binary or text, GloVe text, fastText .vec or .bin; plain,
/// gzip or zstd; its bytes decide. Where a word stands twice, the first vector counts. Words that a
/// fastText .bin does not have are made of their n-grams; their numbers come after those of its
/// words and depend on the word alone.
namespace navvy {

/// What a word weighs in a document where it stands `count` times, before weights are scaled to
/// sum 1:
///   tf     count
///   log    1 + ln(count)
///   tfidf  count * idf, idf = 1 + ln((1 + n) / (1 + d)) where d of n documents of the index have
///   the
///          word among their bins
///   bm25   count / (count + 1.2) * idf: what stands often counts little more than what stands once
///   sif    count * a / (a + p), a = 0.001 and p the share of the word in all bins' counts ("smooth
///          inverse frequency", Arora et al. 2017)
///   norm   count * length of the word's vector before it was scaled ("word rotator's distance",
///          Yokoi et al. 2020)
enum class Weighting { tf, log, tfidf, bm25, sif, norm };

/// By name, as above; throws Error(usage).
Weighting parse_weighting(std::string_view name);
std::string to_string(Weighting weighting);

/// Words that are left out of every text: the first ones of the vectors file, and a list.
struct StopWords {
  std::uint32_t first = 0;
  std::vector<std::string> words;

  bool operator==(const StopWords&) const = default;
};

/// "english", "none", how many of the first words of the vectors file, or the name of a file for
/// read_stop_words; throws Error(usage) where it is none of these.
StopWords parse_stop_words(std::string_view text);

/// Some 180 words of English that say how others belong together, in lower case.
StopWords english_stop_words();

/// A list of words from a text file, one or more per line; "#" begins a comment.
StopWords read_stop_words(const std::filesystem::path& path);

/// How a text becomes a histogram. The defaults are what measures best (docs/choosing.md).
struct TextRecipe {
  /// A regular expression in RE2 syntax; its matches are the tokens. Empty: runs of Unicode letters
  /// and decimal digits with their marks; letter_tokens: of letters alone, as in indexes of before.
  /// It sees lower-cased text unless `keep_case` is set.
  std::string token_pattern;
  /// Tokens keep their case and are looked up as they are, then in lower case, then capitalised.
  bool keep_case = false;
  /// Where nothing is said: none if the weighting knows the collection (tfidf, bm25, sif), which
  /// makes them light, and english_stop_words() otherwise.
  std::optional<StopWords> stop_words;
  /// The most frequent words of a document that become bins; ties go to the word that stands
  /// earlier in the vectors file.
  std::uint32_t max_bins = 500;
  Weighting weighting = Weighting::bm25;
  /// The mean of the vectors and so many components are taken from each before it is scaled (see
  /// Conditioning), as they are in the first 100,000 words of the vectors file. Where nothing is
  /// said: usual_condition, but nothing of fewer than 1,000 words or 20 dimensions, which have
  /// little in common, or of more than 1,024 dimensions, which take long. At most 4,096 dimensions.
  std::optional<std::uint32_t> condition;
  bool normalize = true;  ///< word vectors are scaled to length 1
  /// Words of documents without a vector get one of their own, which is near to no other word, so
  /// that names and numbers are found by themselves. Needs `normalize`. Where nothing is said: if
  /// vectors are scaled and there are 1,000 of 20 dimensions or more, since points are near to each
  /// other by chance where dimensions are few.
  std::optional<bool> own_points;
  /// Those of the first so many words of the vectors file that no text has are kept for queries.
  std::uint32_t query_words = 100'000;
};

inline constexpr std::uint32_t usual_condition = 2;

/// The name in place of a token pattern for runs of Unicode letters with their marks.
inline constexpr std::string_view letter_tokens = "letters";

/// The paper's setting, which its tables use: letters alone, tf, without the first 100 words of the
/// vectors file and without words beyond the corpus, nothing taken from vectors.
TextRecipe paper_recipe();

/// The value of TextRecipe::query_words for every word of the vectors file.
inline constexpr std::uint32_t all_words = 0xffffffff;

/// A value of TextRecipe::query_words: a number, "all" or "corpus" for none; throws Error(usage).
std::uint32_t parse_query_words(std::string_view text);

/// What was met in a vectors file.
struct VectorsReport {
  std::string format;       ///< "word2vec binary", "word2vec text", "GloVe text", "fastText binary"
  std::uint64_t words = 0;  ///< records in the file
  std::uint64_t broken = 0;      ///< words with bytes that are no UTF-8, which were replaced
  std::uint64_t duplicates = 0;  ///< words that stood in the file before; only of those kept
  std::uint64_t dimensions = 0;
  std::uint64_t made = 0;  ///< wanted words that were made of their n-grams (fastText binary)
  /// Others that were not, since their numbers are those of words that come before them in the
  /// index or the alphabet: they stay unknown.
  std::uint64_t clashes = 0;
};

/// What was made of a corpus.
struct TextReport {
  struct Word {
    std::string word;
    std::uint64_t count = 0;
  };
  std::uint64_t documents = 0;
  std::uint64_t labels = 0;       ///< distinct ones
  std::uint64_t lone_labels = 0;  ///< of these, those of a single document
  std::uint64_t words = 0;        ///< of the vocabulary, all of them used
  std::uint64_t own_words = 0;    ///< of these, without a vector, at points of their own
  std::uint64_t query_words = 0;  ///< beyond the corpus, for queries
  double mean_bins = 0;           ///< over all documents
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

/// True where most labels are those of a single document, and ten at least: they hardly group
/// anything, and are the wrong folder, column or key as a rule.
bool has_many_lone_labels(const TextReport& report) noexcept;

/// Throws Error(bad_input), saying what to try, where no document has a known word: an index of
/// them alone would find nothing.
void require_known_words(const TextReport& report);

struct TextBuild {
  Index index;
  TextReport report;
};

/// Reads the corpus, then streams the vectors file and keeps the words that the corpus uses and
/// those for queries: memory is bounded by both. Documents without id get their row number, or the
/// next that is free; ids that repeat throw Error(bad_input). Documents without title get their
/// "Subject:" line, where they begin like a mail, or their first line. Everything that a query must
/// repeat is stored in `Index::properties`.
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
  /// Without a file or words at hand, words that the index does not have, be it for queries, are
  /// unknown.
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
/// every distance, but that the collection which words are weighed against stays what it was (see
/// Index::frequencies). Without `vectors`, words that the index does not have, be it for queries,
/// are unknown; with them, they enter, and Error(bad_input) is thrown where a word of the index has
/// another place or vector in that file. The report speaks of the new documents alone, `words` and
/// `duplicates` of the whole.
TextBuild add_text(const Index& index, const std::filesystem::path& corpus,
                   const CorpusOptions& options,
                   const std::optional<std::filesystem::path>& vectors,
                   const ProgressCallback& progress = {});
TextBuild add_text(const Index& index, std::span<const Document> documents,
                   const std::optional<std::filesystem::path>& vectors,
                   const ProgressCallback& progress = {});
TextBuild add_text(const Index& index, std::span<const Document> documents,
                   const Vocabulary& vectors, const ProgressCallback& progress = {});

/// The index with more words beyond its corpus, for queries: those of a vectors file, or of vectors
/// at hand, that some texts have; without texts, all that a text can have. They must be the vectors
/// that the index was built with: Error(bad_input) as in add_text.
Index with_query_words(const Index& index, const std::filesystem::path& vectors,
                       const std::optional<std::vector<std::string>>& texts = std::nullopt);
Index with_query_words(const Index& index, const Vocabulary& vectors,
                       const std::optional<std::vector<std::string>>& texts = std::nullopt);

/// The recipe that an index of texts was built with (stop words as a list). Throws Error(usage) for
/// an index of another kind, Error(damaged_index) where its properties make no sense.
TextRecipe recipe_of(const Index& index);

/// Word vectors as they come, made like those of an index of texts: what was taken from these is
/// taken from them, and they are scaled where these were. Throws as recipe_of does, and
/// Error(bad_input) where dimensions differ.
Vocabulary made_like(const Index& index, const Vocabulary& vectors);

/// A query text as a histogram over words by number: their places in the vectors file.
struct TextQuery {
  std::vector<std::uint32_t> numbers;  ///< ascending
  std::vector<float> weights;
  std::vector<std::string> unknown;  ///< tokens without a vector, each once, in order of appearance
  bool truncated = false;
  double mass = 0;  ///< what the weights summed to before they were scaled
};

/// Treats query texts as the index treated its documents; words beyond its corpus are known too,
/// and were in none of its documents. Cheap to move; safe to use from several threads. It keeps
/// what it needs of the index.
class TextEncoder {
 public:
  /// Throws as recipe_of does.
  explicit TextEncoder(const Index& index);
  ~TextEncoder();
  TextEncoder(TextEncoder&&) noexcept;
  TextEncoder& operator=(TextEncoder&&) noexcept;

  /// Broken UTF-8 is replaced. A text without any known word gives an empty histogram.
  [[nodiscard]] TextQuery encode(std::string_view text) const;

  /// The words of some queries, those beyond the corpus among them: what to_histograms() and
  /// Searcher::search take.
  [[nodiscard]] Vocabulary words(std::span<const TextQuery> queries) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// Throws Error(bad_input), naming the unknown words, unless the query has a known word.
void require_known_word(const TextQuery& query);

/// Queries as rows over a vocabulary, such as that of TextEncoder::words. Throws Error(bad_input)
/// naming the number of the first word that it lacks.
Histograms to_histograms(std::span<const TextQuery> queries, const Vocabulary& vocabulary);

/// Reads word vectors: only `words` where given, else all. Numbers of the vocabulary are places in
/// the file, or beyond its `VectorsReport::words`, of words that were made. Throws Error(bad_input)
/// with record or line on a malformed or truncated file.
Vocabulary read_vectors(const std::filesystem::path& path, bool normalize = true,
                        const std::optional<std::vector<std::string>>& words = std::nullopt,
                        VectorsReport* report = nullptr);

/// The same out of the bytes of a file.
Vocabulary read_vectors(std::span<const std::byte> file, bool normalize = true,
                        const std::optional<std::vector<std::string>>& words = std::nullopt,
                        VectorsReport* report = nullptr);

}  // namespace navvy
