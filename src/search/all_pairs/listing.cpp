// Lists and what is saved of them: the candidates that each holds.
#include "search/all_pairs/listing.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace navvy::search {
namespace {

using Candidate = core::Candidate<float>;
static_assert(sizeof(Candidate) == 8, "candidates are saved as they are");

class Listing : public ResumableWork {
 public:
  Listing(backends::PairStage& stage, backends::CandidateLists& lists, core::Run& run)
      : stage_(stage), lists_(lists), run_(run) {}

  [[nodiscard]] std::size_t units() const override { return stage_.units(); }

  void run(core::Range units) override { stage_.list(units, lists_, run_); }

  void save(std::size_t /*done*/, core::CheckedWriter& writer) override {
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      const auto kept = lists_.kept(list);
      const std::uint64_t count = kept.size();
      writer.write(std::span(&count, 1));
      writer.write(kept);
    }
  }

  void load(std::size_t /*done*/, core::CheckedReader& reader) override {
    std::vector<Candidate> kept;
    std::vector<backends::Found> found;
    for (std::uint32_t list = 0; list < lists_.size(); ++list) {
      std::uint64_t count = 0;
      reader.read(std::span(&count, 1));
      reader.require(count <= lists_.length(), "it holds a list that is too long");
      kept.resize(count);
      reader.read(std::span(kept));
      found.clear();
      for (const Candidate& candidate : kept) {
        reader.require(candidate.row < lists_.size() && candidate.row != list &&
                           !std::isnan(candidate.distance),
                       "it holds what is no candidate");
        found.push_back({list, candidate.row, candidate.distance});
      }
      lists_.offer({list, list + std::size_t{1}}, found);
    }
  }

 private:
  backends::PairStage& stage_;
  backends::CandidateLists& lists_;
  core::Run& run_;
};

}  // namespace

void list_pairs(backends::PairStage& stage, backends::CandidateLists& lists, Saving saving,
                core::Run& run) {
  // What is listed, where, and in which parts depends on the memory at hand.
  saving.work.add(stage.exact());
  saving.work.add(lists.length());
  saving.work.add(stage.units_plan());
  saving.work.add(stage.order());
  Listing listing(stage, lists, run);
  run_saved(listing, saving, run);
}

}  // namespace navvy::search
