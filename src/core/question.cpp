// What is asked of two histograms: its rules, and what typed texts ask.
#include <cmath>

#include "navvy/error.hpp"
#include "navvy/fields.hpp"
#include "navvy/options.hpp"

namespace navvy {
namespace {

void check_price(const Question& question) {
  const Measure& measure = question.measure;
  if (facts(measure.kind).partial && question.direction.way == Direction::Way::mix)
    throw Error(ErrorCode::usage,
                to_string(measure) + " does not mix directions; expected symmetric, query or rows");
  if (question.price == 0) return;
  if (!is_partial(measure, question.direction))
    throw Error(ErrorCode::usage, "a price with " + to_string(measure) + " " +
                                      to_string(question.direction) +
                                      "; only emd one way (query or rows) has one");
  if (measure.kind == MeasureKind::emd_hat)
    throw Error(ErrorCode::usage, "the price of emd-hat is its threshold; expected no other");
  if (!(question.price > 0) || !std::isfinite(question.price))
    throw Error(ErrorCode::usage,
                "a price of " + number_text(question.price) + "; expected a number above 0");
}

}  // namespace

Question typed_question() {
  Question question;
  question.measure.kind = MeasureKind::rwmd;
  question.direction = Direction::mix(0.3);
  question.bow_share = 0.7;
  return question;
}

Question typed_question(const Measure& measure) {
  Question question = typed_question();
  question.measure = measure;
  question.bow_share = 0;
  if (facts(measure.kind).symmetric) question.direction = Direction::symmetric;
  if (facts(measure.kind).partial) question.direction = Direction::query_to_database;
  return question;
}

void validate(const Question& question) {
  validate(question.measure);
  if (question.direction.way == Direction::Way::mix)
    static_cast<void>(Direction::mix(question.direction.share));
  check_price(question);
  const double share = question.bow_share;
  if (!(share >= 0 && share <= 1))
    throw Error(ErrorCode::usage,
                "a share of bow of " + number_text(share) + "; expected a number from 0 to 1");
  if (share > 0 && facts(question.measure.kind).whole_plan)
    throw Error(ErrorCode::usage, to_string(question.measure) +
                                      " does not mix with bow; expected a relaxation or wcd");
}

}  // namespace navvy
