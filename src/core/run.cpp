// Sets up a call: its threads, its limit, and the share of it that workspaces keep.
#include "core/run.hpp"

#include <optional>

namespace navvy::core {

Run::Run(unsigned threads, std::uint64_t memory, Monitor& caller, Workspaces& spare)
    : pool(threads), budget(memory, spare.ledger()), monitor(caller), workspaces(spare) {
  if (auto reserved = budget.try_reserve(spare.keep_for(budget.total())))
    set_aside_ = *std::move(reserved);
  else
    spare.keep_for(0);
}

}  // namespace navvy::core
