#include "navvy/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "navvy/loaders.hpp"
#include "navvy/text.hpp"
#include "support/expect_error.hpp"
#include "support/small_texts.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::document;
using test::small_recipe;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "name: type: value, value" per field, for short expectations.
std::vector<std::string> listed(const std::vector<Field>& fields) {
  std::vector<std::string> lines;
  for (const Field& field : fields) {
    std::string line = field.name + ": " + to_string(field.type) + ":";
    for (std::size_t row = 0; row < field.size(); ++row) line += " [" + field.text(row) + "]";
    lines.push_back(line);
  }
  return lines;
}

class CorpusFields : public ::testing::Test {
 protected:
  CorpusFields() { test::write_small_vectors(vectors_); }

  void keep(const std::vector<std::string>& fields) {
    options_.keep_fields.clear();
    for (const std::string& field : fields) options_.keep_fields.push_back(parse_kept_field(field));
  }

  Index build(const std::string& name, const std::string& content) {
    test::write_file(folder_ / name, content);
    Index index = build_text(folder_ / name, options_, vectors_, small_recipe()).index;
    validate(index);
    return index;
  }

  std::string error_in(const std::string& name, const std::string& content,
                       ErrorCode code = ErrorCode::bad_input) {
    return test::error_of(code, [&] { build(name, content); });
  }

  test::TemporaryFolder folder_;
  std::filesystem::path vectors_ = folder_ / "small.txt";
  CorpusOptions options_;
};

constexpr const char* three_lines =
    R"({"text":"cat","year":1990,"author":"Ann","day":"1999-12-31","new":true})"
    "\n"
    R"({"text":"dog","year":"1991","author":null,"new":false})"
    "\n"
    R"({"text":"fish","author":"Bob\nCole","day":"","more":[1]})";

TEST_F(CorpusFields, ComeFromKeysOfJson) {
  keep({"year", "day", "author", "new"});
  EXPECT_THAT(listed(build("x.jsonl", three_lines).fields),
              ElementsAre("year: number: [1990] [1991] []", "day: date: [1999-12-31] [] []",
                          "author: text: [Ann] [] [Bob\nCole]", "new: text: [true] [false] []"));
  keep({});
  EXPECT_THAT(build("x.jsonl", three_lines).fields, IsEmpty());
}

TEST_F(CorpusFields, HaveTheTypeThatIsTold) {
  keep({"year:text", "day:date"});
  EXPECT_THAT(listed(build("x.jsonl", three_lines).fields),
              ElementsAre("year: text: [1990] [1991] []", "day: date: [1999-12-31] [] []"));
  keep({"author:number"});
  EXPECT_THAT(error_in("x.jsonl", three_lines),
              HasSubstr("x.jsonl: line 1: field 'author': found 'Ann', expected a number"));
  keep({"day:date"});
  EXPECT_THAT(error_in("x.csv", "text,day\ncat,1999-12-31\ndog,soon\n"),
              HasSubstr("x.csv: line 3: field 'day': found 'soon', expected a date"));
}

TEST_F(CorpusFields, ThatAreListsOrMissingAreRefused) {
  keep({"more"});
  EXPECT_THAT(error_in("x.jsonl", three_lines),
              HasSubstr("x.jsonl: line 3: field 'more' is a list or an object, expected a string, "
                        "a number or a truth value"));
  keep({"pages"});
  EXPECT_THAT(error_in("x.jsonl", three_lines),
              HasSubstr("x.jsonl: no object has the field 'pages'"));
  EXPECT_THAT(error_in("x.tsv", "text\tday\ncat\t1\n"), HasSubstr("x.tsv: no column 'pages'"));
  keep({"year", "year:number"});
  EXPECT_THAT(error_in("x.jsonl", three_lines, ErrorCode::usage),
              HasSubstr("field 'year' is to be kept twice"));
}

TEST_F(CorpusFields, ComeFromColumnsByNameOrNumber) {
  keep({"year", "1"});
  EXPECT_THAT(listed(build("x.csv", "place,year,text\n\"a, b\",1990,cat\n01067,,dog\n").fields),
              ElementsAre("year: number: [1990] []", "place: text: [a, b] [01067]"));
  options_.text_field = "2";
  keep({"1", "3:text"});
  EXPECT_THAT(listed(build("x.tsv", "5\tcat\t6\n7\tdog\t\n").fields),
              ElementsAre("1: number: [5] [7]", "3: text: [6] []"));
  keep({"4"});
  EXPECT_THAT(error_in("x.tsv", "5\tcat\t6\n"), HasSubstr("no column '4'"));
  options_.text_field = "text";
  keep({"year", "2"});
  EXPECT_THAT(error_in("x.csv", "text,year\ncat,1\n"),
              HasSubstr("field 'year' is to be kept twice"));
}

TEST_F(CorpusFields, AreNotInFoldersAndLines) {
  keep({"year"});
  EXPECT_THAT(error_in("x.txt", "cat\n", ErrorCode::usage),
              HasSubstr("x.txt: a file of plain lines has no fields, so 'year' cannot be kept; "
                        "expected JSON lines, CSV or TSV"));
  std::filesystem::create_directory(folder_ / "texts");
  test::write_file(folder_ / "texts" / "a", "cat");
  EXPECT_THAT(
      test::error_of(ErrorCode::usage,
                     [&] { build_text(folder_ / "texts", options_, vectors_, small_recipe()); }),
      HasSubstr("a folder of texts has no fields"));
}

TEST_F(CorpusFields, OfAnIndexAreReadAgainWhenDocumentsAreAdded) {
  keep({"year", "author"});
  const Index index = build("x.jsonl", three_lines);
  test::write_file(folder_ / "more.csv", "text,year,pages\ncat,2000,7\n");
  const auto add = [&](const std::string& name) {
    return add_text(index, folder_ / name, options_, std::nullopt).index;
  };
  keep({});
  EXPECT_THAT(listed(add("more.csv").fields), ElementsAre("year: number: [1990] [1991] [] [2000]",
                                                          "author: text: [Ann] [] [Bob\nCole] []"));
  keep({"pages"});
  EXPECT_THAT(listed(add("more.csv").fields),
              ElementsAre("year: number: [1990] [1991] [] [2000]",
                          "author: text: [Ann] [] [Bob\nCole] []", "pages: number: [] [] [] [7]"));
  keep({"2"});
  EXPECT_THAT(listed(add("more.csv").fields).front(), "year: number: [1990] [1991] [] [2000]");
  keep({"year:text"});
  EXPECT_THAT(test::error_of(ErrorCode::usage, [&] { add("more.csv"); }),
              HasSubstr("field 'year' is a number in the index, and cannot be kept as a text"));
  keep({});
  test::write_file(folder_ / "late.csv", "text,year\ncat,soon\n");
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { add("late.csv"); }),
              HasSubstr("late.csv: line 2: field 'year': found 'soon', expected a number"));
  test::write_file(folder_ / "lines.txt", "cat\n");
  EXPECT_THAT(listed(add("lines.txt").fields).front(), "year: number: [1990] [1991] [] []");
}

TEST_F(CorpusFields, ComeWithDocumentsInMemory) {
  std::vector<Document> documents = {document("a", "cat"), document("b", "dog")};
  documents[0].fields = {{"year", "1990"}};
  documents[1].fields = {{"author", "Ann"}, {"year", "1991", FieldType::text}};
  const Index index = build_text(documents, vectors_, small_recipe()).index;
  EXPECT_THAT(listed(index.fields),
              ElementsAre("year: text: [1990] [1991]", "author: text: [] [Ann]"));

  std::vector<Document> more = {document("c", "fish")};
  more[0].fields = {{"year", "2000"}};
  EXPECT_THAT(listed(add_text(index, more, std::nullopt).index.fields).front(),
              "year: text: [1990] [1991] [2000]");
  more[0].fields = {{"year", "2000"}, {"year", "2001"}};
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { add_text(index, more, std::nullopt); }),
              HasSubstr("document 1: field 'year' stands there twice"));
}

class FieldFiles : public ::testing::Test {
 protected:
  std::vector<std::string> read(const std::string& content) {
    return listed(read_fields(std::as_bytes(std::span(content)), options_));
  }
  std::string error_in(const std::string& content, ErrorCode code = ErrorCode::bad_input) {
    return test::error_of(code, [&] { read(content); });
  }

  CorpusOptions options_;
};

TEST_F(FieldFiles, AreTablesWithAHeadLine) {
  options_.format = CorpusFormat::csv;
  EXPECT_THAT(read("text,year,\n\"a, b\",1990,x\n,,y\n"),
              ElementsAre("text: text: [a, b] []", "year: number: [1990] []", "3: text: [x] [y]"));
  options_.keep_fields = {{"year", FieldType::text}};
  EXPECT_THAT(read("text,year\na,1990\n"), ElementsAre("year: text: [1990]"));
  options_.keep_fields.clear();
  options_.head_line = false;
  EXPECT_THAT(read("1,2\n3,4\n"), ElementsAre("1: number: [1] [3]", "2: number: [2] [4]"));
  options_.format = CorpusFormat::automatic;
  EXPECT_THAT(read("1\t2\n3\t4\n"), ElementsAre("1: number: [1] [3]", "2: number: [2] [4]"));
  EXPECT_THAT(read("1\n3\n"), ElementsAre("1: number: [1] [3]"));
}

TEST_F(FieldFiles, AreJsonLines) {
  EXPECT_THAT(read("{\"a\":1,\"b\":\"x\"}\n{\"c\":false,\"a\":2}\n"),
              ElementsAre("a: number: [1] [2]", "b: text: [x] []", "c: text: [] [false]"));
  options_.keep_fields = {{"a"}};
  EXPECT_THAT(read("{\"a\":1,\"b\":[]}\n"), ElementsAre("a: number: [1]"));
  options_.keep_fields = {{"d"}};
  EXPECT_THAT(error_in("{\"a\":1}\n"), HasSubstr("no object has the field 'd'"));
}

TEST_F(FieldFiles, AreNothingElse) {
  EXPECT_THAT(error_in("{\"a\":[1]}\n"), HasSubstr("line 1: field 'a' is a list or an object"));
  EXPECT_THAT(error_in("a,a\n1,2\n"), HasSubstr("field 'a' is to be kept twice"));
  EXPECT_THAT(error_in("a,b\n1\n"), HasSubstr("line 2: 1 cells, but the first record has 2"));
  EXPECT_THAT(error_in("a,b\n"), HasSubstr("holds no record"));
  options_.format = CorpusFormat::lines;
  EXPECT_THAT(error_in("a\n", ErrorCode::usage), HasSubstr("expected fields as JSON lines"));
}

TEST(KeptFields, AreNamesWithOrWithoutAType) {
  EXPECT_EQ(parse_kept_field("year").name, "year");
  EXPECT_EQ(parse_kept_field("year").type, std::nullopt);
  EXPECT_EQ(parse_kept_field("year:number").name, "year");
  EXPECT_EQ(parse_kept_field("year:number").type, FieldType::number);
  EXPECT_EQ(parse_kept_field("dc:title").name, "dc:title");
  EXPECT_EQ(parse_kept_field("dc:date:text").name, "dc:date");
  for (const char* text : {"", ":date", "a\nb"})
    EXPECT_THAT(test::error_of(ErrorCode::usage, [&] { parse_kept_field(text); }),
                HasSubstr("expected NAME or NAME:TYPE"));
}

}  // namespace
}  // namespace navvy
