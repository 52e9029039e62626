// Two blocks of queries side by side, whose distances are added in shares.
#include "search/queries/with_bow.hpp"

#include <algorithm>
#include <utility>

#include "core/buffer.hpp"
#include "search/answers.hpp"

namespace navvy::search {
namespace {

class WithBow : public backends::QueryBlock {
 public:
  WithBow(std::unique_ptr<QueryBlock> own, std::unique_ptr<QueryBlock> bow, double share,
          std::size_t rows, core::Run& run)
      : own_(std::move(own)),
        bow_(std::move(bow)),
        share_(share),
        mixed_(run.buffer<float>(rows, "the mixed bounds of a query")) {}

  [[nodiscard]] std::size_t block() const noexcept override {
    return std::min(own_->block(), bow_->block());
  }

  void prepare(const Histograms& queries, core::Range range, core::Run& run) override {
    own_->prepare(queries, range, run);
    bow_->prepare(queries, range, run);
  }

  Bounds bounds(std::size_t query) override {
    const Bounds own = own_->bounds(query);
    const Bounds bow = bow_->bounds(query);
    for (std::size_t row = 0; row < mixed_.size(); ++row)
      mixed_[row] = mix(own.of(row), bow.of(row));
    return {mixed_.data(), 1, own.exact && bow.exact};
  }

  void distances(std::span<const std::uint32_t> rows, std::span<float> out,
                 core::Run& run) override {
    bow_distances_.resize(rows.size());
    own_->distances(rows, out, run);
    bow_->distances(rows, bow_distances_, run);
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = mix(out[i], bow_distances_[i]);
  }

 private:
  // Rises with both, so that bounds of both make a bound.
  [[nodiscard]] float mix(float own, float bow) const noexcept {
    return static_cast<float>((1 - share_) * own + share_ * bow);
  }

  std::unique_ptr<QueryBlock> own_;
  std::unique_ptr<QueryBlock> bow_;
  double share_;
  core::Buffer<float> mixed_;
  std::vector<float> bow_distances_;
};

}  // namespace

std::unique_ptr<backends::QueryBlock> query_block(const backends::PreparedRows& rows,
                                                  const Question& question, std::size_t batch,
                                                  std::size_t queries, core::Run& run) {
  auto own = rows.queries(task_of(question, batch), queries, run);
  if (question.bow_share == 0) return own;
  Question words;
  words.measure.kind = MeasureKind::bow;
  return std::make_unique<WithBow>(std::move(own),
                                   rows.queries(task_of(words, batch), queries, run),
                                   question.bow_share, rows.rows(), run);
}

}  // namespace navvy::search
