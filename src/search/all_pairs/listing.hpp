// The part of all pairs that takes long: every pair is offered to the lists of both rows.
#pragma once

#include "backends/backend.hpp"
#include "core/run.hpp"
#include "search/all_pairs/checkpoint.hpp"

namespace navvy::search {

/// Runs all units of a stage, but for those that a checkpoint holds the outcome of.
void list_pairs(backends::PairStage& stage, backends::CandidateLists& lists, Saving saving,
                core::Run& run);

}  // namespace navvy::search
