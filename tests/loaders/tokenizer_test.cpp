#include "loaders/tokenizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loaders/utf8.hpp"
#include "support/expect_error.hpp"

namespace navvy::loaders {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> tokens(const std::string& text, const TextRecipe& recipe = {}) {
  std::vector<std::string> found;
  Tokenizer(recipe).split(text, [&](std::string_view token) { found.emplace_back(token); });
  return found;
}

TextRecipe with_pattern(const std::string& pattern) {
  TextRecipe recipe;
  recipe.token_pattern = pattern;
  return recipe;
}

TEST(Tokenizer, TakesRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_THAT(tokens("The Space-Shuttle (STS-1) isn't late_again!"),
              ElementsAre("the", "space", "shuttle", "sts", "1", "isn", "t", "late", "again"));
  EXPECT_THAT(tokens(""), ElementsAre());
  EXPECT_THAT(tokens("--- _ \t\n"), ElementsAre());
  EXPECT_THAT(tokens("end"), ElementsAre("end"));
  EXPECT_THAT(tokens("a Boeing 747-400, 386SX v2.0 3rd"),
              ElementsAre("a", "boeing", "747", "400", "386sx", "v2", "0", "3rd"));
}

TEST(Tokenizer, TakesDecimalDigitsOfAllScripts) {
  // Arabic digits; but no superscript, no Roman numeral and no fraction of one character.
  EXPECT_THAT(tokens("\xd9\xa1\xd9\xa9 x\xc2\xb2 \xe2\x85\xa7 \xc2\xbd"),
              ElementsAre("\xd9\xa1\xd9\xa9", "x"));
  // A mark belongs to the digit before it.
  EXPECT_THAT(tokens("1\xe2\x83\xa3 2"), ElementsAre("1\xe2\x83\xa3", "2"));
}

TEST(Tokenizer, TakesLettersAloneByName) {
  const TextRecipe letters = with_pattern(std::string(letter_tokens));
  EXPECT_THAT(tokens("STS-1 isn't 386SX caf\xc3\xa9 1\xe2\x83\xa3 letters", letters),
              ElementsAre("sts", "isn", "t", "sx", "caf\xc3\xa9", "letters"));
  EXPECT_THAT(tokens("12 34 --- \t\n", letters), ElementsAre());
  EXPECT_EQ(paper_recipe().token_pattern, letter_tokens);
}

// An index names the usual tokens by it.
TEST(Tokenizer, FindsTheUsualTokensByAPatternToo) {
  const std::string text =
      "The \xd9\xa1\xd9\xa9 Caf\xc3\xa9-au-lait_747 386SX x\xc2\xb2 1\xe2\x83\xa3 \xcc\x81 "
      "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8 isn't";
  EXPECT_EQ(tokens(text, with_pattern(R"([\pL\p{Nd}][\pL\p{Nd}\pM]*)")), tokens(text));
}

TEST(Tokenizer, KnowsLettersOfAllScripts) {
  EXPECT_THAT(tokens("Ärger in ÅRHUS: Ελλάδα, МОСКВА 東京"),
              ElementsAre("ärger", "in", "århus", "ελλάδα", "москва", "東京"));
}

TEST(Tokenizer, ComposesLettersAndTheirMarks) {
  // "e" and a combining acute accent are what vectors files write as one character.
  EXPECT_THAT(tokens("Cafe\xcc\x81 noir"), ElementsAre("caf\xc3\xa9", "noir"));
  // A vowel sign is a mark and belongs to its word; a lone mark begins none.
  EXPECT_THAT(tokens("\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8 \xcc\x81"),
              ElementsAre("\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8"));
}

TEST(Tokenizer, TreatsNulAsAnyOtherSeparator) {
  EXPECT_THAT(tokens(std::string("one\0two", 7)), ElementsAre("one", "two"));
}

TEST(Tokenizer, MatchesAPatternAgainstLowerCasedText) {
  EXPECT_THAT(tokens("A bc De\xc3\x89 f2", with_pattern("[a-z]{2,}")), ElementsAre("bc", "de"));
  EXPECT_THAT(tokens("C++ and C#", with_pattern("[a-z][+#]*")),
              ElementsAre("c++", "a", "n", "d", "c#"));
}

TEST(Tokenizer, FindsNoTokenInEmptyMatches) {
  EXPECT_THAT(tokens("ab \xc3\xa9 c", with_pattern("[a-z]*")), ElementsAre("ab", "c"));
  EXPECT_THAT(tokens("ab", with_pattern("\\b")), ElementsAre());
}

TEST(Tokenizer, KeepsCaseWhenAsked) {
  TextRecipe recipe = with_pattern("[A-Za-z]+");
  recipe.keep_case = true;
  EXPECT_THAT(tokens("Paris in May", recipe), ElementsAre("Paris", "in", "May"));
}

TEST(Tokenizer, RefusesABrokenPattern) {
  const std::string message = navvy::test::error_of(
      ErrorCode::usage, [] { const Tokenizer tokenizer(with_pattern("[a-z")); });
  EXPECT_THAT(message, HasSubstr("token pattern '[a-z'"));
}

TEST(Forms, AreTriedAsTheyAreThenLowerThenCapitalised) {
  std::vector<std::string> forms;
  const auto collect = [&](std::string_view form) {
    forms.emplace_back(form);
    return false;
  };
  EXPECT_FALSE(any_form("NASA", true, collect));
  EXPECT_THAT(forms, ElementsAre("NASA", "nasa", "Nasa"));
  forms.clear();
  EXPECT_FALSE(any_form("nasa", false, collect));
  EXPECT_THAT(forms, ElementsAre("nasa"));
}

TEST(Utf8, ReplacesAndCountsBrokenBytes) {
  std::uint64_t broken = 0;
  EXPECT_EQ(to_utf8("a\xff\xc3(b\xe2\x82", Encoding::utf8, broken),
            "a\xef\xbf\xbd\xef\xbf\xbd(b\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(broken, 4U);
  EXPECT_EQ(to_utf8("na\xc3\xafve", Encoding::utf8, broken), "na\xc3\xafve");
  EXPECT_EQ(broken, 4U);
}

TEST(Utf8, ReadsEveryByteAsLatin1) {
  std::uint64_t broken = 0;
  EXPECT_EQ(to_utf8("na\xefve\xff", Encoding::latin1, broken), "na\xc3\xafve\xc3\xbf");
  EXPECT_EQ(broken, 0U);
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(prefix_bytes("a\xc3\xa9z", 2), 3U);
  EXPECT_EQ(prefix_bytes("a\xc3\xa9z", 0), 0U);
  EXPECT_EQ(prefix_bytes("a\xc3\xa9z", 9), 4U);
}

}  // namespace
}  // namespace navvy::loaders
