// What tells questions apart.
#pragma once

#include "core/fingerprint.hpp"
#include "navvy/options.hpp"

namespace navvy::core {

/// Everything of a question that answers depend on.
inline void add(const Question& question, Fingerprint& work) {
  work.add(question.measure.kind);
  work.add(question.measure.iterations);
  work.add(question.measure.threshold);
  work.add(question.direction.way);
  work.add(question.direction.share);
  work.add(question.bow_share);
  work.add(question.price);
  work.add(question.sinkhorn.lambda);
  work.add(question.sinkhorn.cost_scale);
  work.add(question.sinkhorn.tolerance);
  work.add(question.sinkhorn.max_iterations);
}

}  // namespace navvy::core
