#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "support/effort.hpp"
#include "support/smaller_samples.hpp"

namespace navvy::test {

/// What a fact asks of the pairs it is tried on is written into their shapes.
using Adjust = std::function<void(SampleShape&)>;

/// How many random pairs each fact is tried on.
inline int pairs_per_fact() { return thorough() ? 1'000'000 : sanitized ? 2'000 : 20'000; }

/// Pairs for RapidCheck. A counterexample shrinks by losing dimensions, coordinates and bins.
inline rc::Gen<Sample> samples(Adjust adjust) {
  return rc::Gen<Sample>([adjust = std::move(adjust)](rc::Random random, int) {
    Rng rng(random.next());
    SampleShape shape = random_shape(rng);
    adjust(shape);
    return rc::shrinkable::shrinkRecur(random_sample(rng, shape), [](const Sample& sample) {
      return rc::seq::fromContainer(smaller_samples(sample));
    });
  });
}

/// Runs `action` and returns what GoogleTest's assertions in it had to say; they count as failures
/// of the property, not yet of the test, since RapidCheck goes on to look for a smaller sample.
template <class Action>
std::string failures_in(Action action) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    action();
  }
  std::ostringstream text;
  for (int i = 0; i < results.size(); ++i) text << results.GetTestPartResult(i) << '\n';
  return text.str();
}

/// RapidCheck reports progress to it; the test's own messages say all there is to say.
struct SilentListener : rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

inline rc::detail::Configuration property_configuration() {
  rc::detail::Configuration defaults;
  defaults.testParams.seed = 1;
  defaults.testParams.maxSuccess = pairs_per_fact();
  const char* wishes = std::getenv("RC_PARAMS");
  return rc::detail::configFromString(wishes == nullptr ? "" : wishes, defaults);
}

inline std::string counterexample(const rc::detail::TestResult& result, const std::string& name) {
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  if (result.is<rc::detail::FailureResult>()) {
    rc::detail::Configuration again;
    again.reproduce.emplace(name, result.get<rc::detail::FailureResult>().reproduce);
    message << "repeat with RC_PARAMS='" << rc::detail::configToMinimalString(again) << "'";
  }
  return message.str();
}

/// Tries `fact(sample, rng)` on random pairs. The same pairs every time, unless RC_PARAMS says
/// otherwise: "seed=7", "max_success=100", or the "reproduce=..." that a failure prints.
template <class Fact>
void for_random_samples(
    Fact fact, const Adjust& adjust = [](SampleShape&) {}) {
  const auto property = [&] {
    const Sample sample = *samples(adjust);
    const std::string failures = failures_in([&] {
      Rng rng(sample.seed);
      fact(sample, rng);
    });
    if (!failures.empty()) RC_FAIL(failures);
  };
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata name;
  name.id = std::string(test.test_suite_name()) + "." + test.name();
  const rc::detail::Configuration configuration = property_configuration();
  SilentListener listener;
  const rc::detail::TestResult result = rc::detail::checkTestable(
      property, name, configuration.testParams, listener, configuration.reproduce);
  if (!result.is<rc::detail::SuccessResult>()) FAIL() << counterexample(result, name.id);
}

}  // namespace navvy::test
