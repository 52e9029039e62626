#include "navvy/corpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "navvy/loaders.hpp"
#include "support/expect_error.hpp"
#include "support/somebody_else.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Corpus : public ::testing::Test {
 protected:
  // The documents of a file with this name and content, as "id|label|title|text".
  std::vector<std::string> read(const std::string& name, const std::string& content) {
    test::write_file(folder_ / name, content);
    return read_path(folder_ / name);
  }

  std::vector<std::string> read_path(const std::filesystem::path& path) {
    std::vector<std::string> documents;
    report_ = read_corpus(path, options_, [&](Document&& document) {
      documents.push_back(document.id + "|" + document.label + "|" + document.title + "|" +
                          document.text);
    });
    return documents;
  }

  std::string error_in(const std::string& name, const std::string& content) {
    return test::error_of(ErrorCode::bad_input, [&] { read(name, content); });
  }

  test::TemporaryFolder folder_;
  CorpusOptions options_;
  CorpusReport report_;
};

TEST_F(Corpus, ReadsJsonLines) {
  EXPECT_THAT(read("x",
                   "\xef\xbb\xbf{\"text\":\"a \\u00e9\",\"label\":\"l\",\"id\":7}\r\n\n"
                   "{\"title\":\"T\",\"text\":\"b\",\"label\":null,\"more\":[1,{}]}"),
              ElementsAre("7|l||a \xc3\xa9", "||T|b"));
  options_.text_field = "body";
  options_.label_field = "class";
  EXPECT_THAT(read("x", "{\"body\":\"b\",\"class\":true}\n{\"body\":\"c\"}\n"),
              ElementsAre("|true||b", "|||c"));
}

TEST_F(Corpus, ReadsAListOfObjects) {
  const std::string list =
      "\xef\xbb\xbf [\n {\"text\": \"a [\\\"} \\\\\",\n  \"more\": [{}, "
      "[]]},{\"text\":\"b\"}\r\n]\n\n";
  for (const char* name : {"x.jsonl", "x.ndjson", "x.json", "x.txt", "x"})
    EXPECT_THAT(read(name, list), ElementsAre("|||a [\"} \\", "|||b")) << name;
  options_.max_document_bytes = 64;
  EXPECT_THAT(read("x", list + std::string(100'000, ' ')), ElementsAre("|||a [\"} \\", "|||b"));
  std::string many = "[";
  for (int i = 0; i < 10'000; ++i) many += std::string(i == 0 ? "" : ",") + "{\"text\":\"a\"}";
  EXPECT_EQ(read("x", many + "]").size(), 10'000U);
  EXPECT_THAT(read("x.txt", "[1] a note\n[{]\n"), ElementsAre("|||[1] a note", "|||[{]"));
}

TEST_F(Corpus, NamesTheLineOfABrokenList) {
  const auto expect = [&](const std::string& content, const std::string& message) {
    EXPECT_THAT(error_in("x.json", content), HasSubstr("x.json: " + message)) << content;
  };
  const std::string good = "{\"text\":\"a\"}";
  expect("[\n" + good + "\n" + good + "]", "line 3: expected ',' and another object, or ']'");
  expect("[\n" + good + ",\n]", "line 3: expected another object behind the comma");
  expect("[" + good + "]\n" + good, "line 2: something follows the end of the list");
  expect("[" + good + ",\n\"b\"]", "line 2: expected a list of JSON objects");
  expect("[1, 2]", "line 1: expected a list of JSON objects");
  expect("[" + good, "line 1: expected ',' and another object, or ']'");
  expect("[" + good + ",\n{\"text\":\"}", "line 2: an object that is never closed");
  expect("[" + good + ",\n{\"text\":\"a\"]]", "line 2: is no JSON");
  expect("[" + good + ",\n{\"body\":\"a\"}]", "line 2: no field 'text'");
  expect("[]", "holds no document");
  expect("[", "line 1: expected a list of JSON objects");
  expect("some words\n", "line 1: is no JSON");
  expect("{\"text\":\"a\"}\n[" + good + "]", "line 2: expected a JSON object on each line");
  options_.max_document_bytes = 30;
  expect("[" + good + ",\n\n{\"text\":\"" + std::string(30, 'x') + "\"}]",
         "line 3: an object longer than 30 bytes");
}

TEST_F(Corpus, FollowsPathsOfKeys) {
  options_.text_field = "doc.body";
  options_.label_field = "doc.kind.name";
  options_.keep_fields = {{"doc.year"}};
  EXPECT_THAT(read("x",
                   "{\"doc\":{\"body\":\"a\",\"kind\":{\"name\":\"l\"},\"year\":7}}\n"
                   "{\"doc.body\":\"b\",\"doc\":{\"body\":\"no\",\"kind.name\":\"m\"}}\n"
                   "{\"doc\":{\"body\":\"c\",\"kind\":2},\"doc.kind\":{\"name\":\"n\"}}\n"),
              ElementsAre("|l||a", "|m||b", "|n||c"));
  EXPECT_THAT(error_in("x", "{\"doc\":{\"body\":\"a\"}}\n{\"doc\":\"a\"}\n"),
              HasSubstr("x: line 2: no field 'doc.body' ('doc' is no object)"));
  EXPECT_THAT(error_in("x", "{\"doc\":{\"text\":\"a\"}}\n"),
              HasSubstr("x: line 1: no field 'doc.body' ('doc' has no 'body')"));
  EXPECT_THAT(error_in("x", "{\"body\":\"a\"}\n"),
              HasSubstr("x: line 1: no field 'doc.body' (there is no 'doc')"));
  EXPECT_THAT(error_in("x", "{\"doc\":{\"body\":[]}}\n"),
              HasSubstr("line 1: field 'doc.body' is a list or an object, expected a string"));
  EXPECT_THAT(error_in("x", "{\"doc\":{\"body\":\"a\",\"kind\":{}}}\n"),
              HasSubstr("no object has the field 'doc.kind.name'"));
}

TEST_F(Corpus, RefusesUtf16) {
  const auto wide = [](const std::string& text, bool big) {
    std::string bytes;
    for (const char c : text) bytes += big ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
  };
  const std::string text = "a cup of tea\n";
  const auto refused = HasSubstr("x: is UTF-16, expected UTF-8");
  EXPECT_THAT(error_in("x", "\xff\xfe" + wide(text, false)), refused);
  EXPECT_THAT(error_in("x", "\xfe\xff" + wide(text, true)), refused);
  EXPECT_THAT(error_in("x", wide(text, false)), refused);
  EXPECT_THAT(error_in("x", wide(text, true)), refused);
  EXPECT_THAT(error_in("x", wide(text, false) + "x"), refused);
  std::filesystem::create_directories(folder_ / "c/label");
  test::write_file(folder_ / "c/label/x", wide(text, false));
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_path(folder_ / "c"); }),
              HasSubstr("label/x: is UTF-16"));
  test::write_file(folder_ / "labels", wide("one\ntwo\n", false));
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_labels(folder_ / "labels"); }),
              HasSubstr("labels: is UTF-16"));
  EXPECT_EQ(read("x", std::string("tea\0cup\nmilk\0\n", 14)).size(), 2U);
}

TEST_F(Corpus, RefusesWhatIsNoText) {
  const std::pair<std::string, std::string> others[] = {{"NAVVYIDX123", "a navvy index"},
                                                        {"\x89PNG\r\n\x1a\n1", "a PNG picture"},
                                                        {"\xff\xd8\xff\xe0", "a JPEG picture"},
                                                        {"%PDF-1.7\n", "a PDF document"},
                                                        {"PK\x03\x04", "a zip archive"}};
  std::filesystem::create_directories(folder_ / "c/label");
  test::write_file(folder_ / "c/label/good", "a cup of tea");
  for (const auto& [bytes, what] : others) {
    EXPECT_THAT(error_in("x", bytes), HasSubstr("x: is " + what + ", expected text"));
    test::write_file(folder_ / "c/label/x", bytes);
    EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_path(folder_ / "c"); }),
                HasSubstr("label/x: is " + what));
  }
  // What tells of a format is no file of it.
  EXPECT_EQ(read("x", "PNG and JPEG\nPK, NAVVYIDX and %PDF-\n").size(), 2U);
}

TEST_F(Corpus, PiecesOfAnObjectAreTold) {
  const auto hint = HasSubstr("expected a whole object on one line, or a list of objects");
  EXPECT_THAT(error_in("x", "{\n  \"text\": \"a cup of tea\"\n}\n"), hint);
  EXPECT_THAT(error_in("x", "{\"text\": \"a cup\" \"tea\"}\n"), ::testing::Not(hint));
}

TEST_F(Corpus, LinksThatLeadNowhereArePassedOverAndNamed) {
  const auto folder = folder_ / "folder";
  std::filesystem::create_directory(folder);
  test::write_file(folder / "a", "words");
  std::filesystem::create_symlink("gone", folder / "b");
  std::filesystem::create_symlink("c", folder / "c");
  std::filesystem::create_symlink("e", folder / "d");
  std::filesystem::create_symlink("d", folder / "e");
  std::filesystem::create_symlink(".f", folder / ".f");
  std::filesystem::create_symlink("a", folder / "g");
  EXPECT_THAT(read_path(folder), ElementsAre("a|||words", "g|||words"));
  EXPECT_EQ(report_.broken_links.count, 4U);
  EXPECT_THAT(report_.broken_links.names, ElementsAre("b", "c", "d", "e"));
}

TEST_F(Corpus, NamesTheFirstOfManyBrokenLinks) {
  const auto folder = folder_ / "folder";
  std::filesystem::create_directories(folder / "z");
  test::write_file(folder / "a", "words");
  for (int i = 0; i < 30; ++i)
    std::filesystem::create_symlink("gone", folder / "z" / std::to_string(10 + i));
  EXPECT_THAT(read_path(folder), ElementsAre("a|||words"));
  EXPECT_EQ(report_.broken_links.count, 30U);
  ASSERT_EQ(report_.broken_links.names.size(), 20U);
  EXPECT_EQ(report_.broken_links.names.front(), "z/10");
  EXPECT_EQ(report_.broken_links.names.back(), "z/29");
}

TEST_F(Corpus, NamesTheLineOfBrokenJson) {
  EXPECT_THAT(error_in("x", "{\"text\":\"a\"}\n{\"text\":\n"), HasSubstr("x: line 2: is no JSON"));
  EXPECT_THAT(error_in("x", "{\"text\":\"a\"}\n[1]\n"),
              HasSubstr("line 2: expected a JSON object"));
  EXPECT_THAT(error_in("x", "{\"text\":\"a\"}\n{\"body\":\"a\"}\n"),
              HasSubstr("line 2: no field 'text'"));
  EXPECT_THAT(error_in("x", "{\"text\":[\"a\"]}\n"), HasSubstr("field 'text' is a list"));
  EXPECT_THAT(error_in("x", std::string("{\"text\":\"a\0\"}", 13)), HasSubstr("line 1"));
  EXPECT_THAT(error_in("x", "{\"text\":" + std::string(40, '[') + std::string(40, ']') + "}"),
              HasSubstr("line 1: is no JSON"));
  options_.label_field = "typo";
  EXPECT_THAT(error_in("x", "{\"text\":\"a\"}\n"), HasSubstr("no object has the field 'typo'"));
}

TEST_F(Corpus, ReadsCsvAsRfc4180Says) {
  EXPECT_THAT(
      read("x.csv", "id,label,text\r\n1,a,\"two\r\nlines, \"\"quoted\"\"\"\r\n2,,plain \"x\"\r\n"),
      ElementsAre("1|a||two\nlines, \"quoted\"", "2|||plain \"x\""));
  EXPECT_THAT(read("y.csv", "label one\nlabel two"), ElementsAre("|||label one", "|||label two"));
  EXPECT_THAT(read("z.csv", "pos,good\nneg,bad\n"), ElementsAre("|pos||good", "|neg||bad"));
}

TEST_F(Corpus, FindsColumnsByNameAndNumber) {
  options_.text_field = "3";
  options_.label_field = "1";
  EXPECT_THAT(read("x.csv", "l,9,t,more\n"), ElementsAre("|l||t"));
  options_.head_line = true;
  EXPECT_THAT(read("x.csv", "a,b,c,d\nl,9,t,more\n"), ElementsAre("|l||t"));
  options_.text_field = "body";
  options_.label_field = "kind";
  options_.head_line.reset();
  EXPECT_THAT(read("x.csv", "body,kind\nt,l\n"), ElementsAre("|l||t"));
  options_.label_field = "typo";
  EXPECT_THAT(error_in("x.csv", "body,kind\nt,l\n"),
              HasSubstr("no column 'typo'; the first record has: body, kind"));
}

TEST_F(Corpus, NamesTheLineOfABrokenTable) {
  EXPECT_THAT(error_in("x.csv", "text,label\na,b\n\nc\n"), HasSubstr("x.csv: line 4: 1 cells"));
  EXPECT_THAT(error_in("x.csv", "text,label\n\"a,b\nc\n"), HasSubstr("line 2: quotes are opened"));
  EXPECT_THAT(error_in("x.csv", "\"a\"b,c\n"), HasSubstr("line 1: a quoted cell goes on"));
  EXPECT_THAT(error_in("x.csv", "a,b,c,d\n"), HasSubstr("cannot tell which column is the text"));
}

TEST_F(Corpus, ReadsTsvWithTabsInTheText) {
  EXPECT_THAT(read("x.txt", "pos\t\"all \"\"of\"\" it\"\n\"neg\"\tsay \"no\"\ttwice\n"),
              ElementsAre("|pos||all \"of\" it", "|neg||say \"no\"\ttwice"));
  EXPECT_THAT(read("x.tsv", "7\tl\t\"a\" b \"c\"\n"), ElementsAre("7|l||\"a\" b \"c\""));
  EXPECT_THAT(error_in("y.tsv", "text\tlabel\na\tb\tc\n"), HasSubstr("line 2: 3 cells"));
}

TEST_F(Corpus, ReadsLines) {
  EXPECT_THAT(read("x", "one\r\n\r\n  two words\n"), ElementsAre("|||one", "|||  two words"));
}

TEST_F(Corpus, ReadsAFolderTreeInOrder) {
  std::filesystem::create_directories(folder_ / "c/b/deep");
  std::filesystem::create_directories(folder_ / "c/a");
  std::filesystem::create_directories(folder_ / "c/.git");
  test::write_file(folder_ / "c/b/deep/2", "two");
  test::write_file(folder_ / "c/b/10", "ten");
  test::write_file(folder_ / "c/a/1", "\xef\xbb\xbfone");
  test::write_file(folder_ / "c/top", "");
  test::write_file(folder_ / "c/.hidden", "no");
  test::write_file(folder_ / "c/.git/x", "no");
  EXPECT_THAT(read_path(folder_ / "c"),
              ElementsAre("a/1|a||one", "b/10|b||ten", "b/deep/2|deep||two", "top|||"));
  options_.label_depth = whole_path;
  EXPECT_THAT(read_path(folder_ / "c"),
              ElementsAre("a/1|a||one", "b/10|b||ten", "b/deep/2|b/deep||two", "top|||"));
  options_.label_depth = 1;
  EXPECT_THAT(read_path(folder_ / "c"),
              ElementsAre("a/1|a||one", "b/10|b||ten", "b/deep/2|b||two", "top|||"));
  options_.label_depth = 2;
  EXPECT_THAT(read_path(folder_ / "c"),
              ElementsAre("a/1|||one", "b/10|||ten", "b/deep/2|deep||two", "top|||"));
}

TEST_F(Corpus, DecodesAndCounts) {
  EXPECT_THAT(read("x", "na\xefve\n"), ElementsAre("|||na\xef\xbf\xbdve"));
  EXPECT_EQ(report_.broken_bytes, 1U);
  EXPECT_THAT(read("x", "{\"text\":\"\xff\"}"), ElementsAre("|||\xef\xbf\xbd"));
  options_.encoding = Encoding::latin1;
  EXPECT_THAT(read("x", "na\xefve\n"), ElementsAre("|||na\xc3\xafve"));
  EXPECT_EQ(report_.broken_bytes, 0U);
  EXPECT_EQ(report_.documents, 1U);
}

TEST_F(Corpus, RefusesWhatHoldsNoDocument) {
  std::filesystem::create_directories(folder_ / "empty/inner");
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_path(folder_ / "empty"); }),
              HasSubstr("holds no document"));
  EXPECT_THAT(error_in("x", ""), HasSubstr("holds no document"));
  EXPECT_THAT(error_in("x.csv", "text,label\n"), HasSubstr("holds no document"));
  test::error_of(ErrorCode::failed, [&] { read_path(folder_ / "missing"); });
}

TEST_F(Corpus, NamesAFileThatCannotBeRead) {
  test::write_file(folder_ / "x", "text");
  std::filesystem::permissions(folder_ / "x", std::filesystem::perms::none);
  const test::SomebodyElse reader;
  EXPECT_THAT(test::error_of(ErrorCode::failed, [&] { read_path(folder_ / "x"); }),
              HasSubstr("x: cannot open: Permission denied"));
}

TEST_F(Corpus, RefusesHugeLinesByTheirNumber) {
  const std::string huge(std::size_t{100} << 20, 'x');
  EXPECT_THAT(error_in("x", "a\n" + huge), HasSubstr("x: line 2: longer than 16777216"));
  EXPECT_THAT(error_in("x.csv", "a,\"b\n" + std::string(std::size_t{9} << 20, 'x') + "\n" +
                                    std::string(std::size_t{9} << 20, 'x') + "\"\n"),
              HasSubstr("line 1: a record longer than"));
  std::filesystem::create_directories(folder_ / "c");
  test::write_file(folder_ / "c/big", huge);
  EXPECT_THAT(test::error_of(ErrorCode::bad_input, [&] { read_path(folder_ / "c"); }),
              HasSubstr("big: longer than 16777216"));
  options_.max_document_bytes = huge.size();
  EXPECT_EQ(read("x", huge).size(), 1U);
}

TEST(CorpusNames, AreReadAndRefused) {
  EXPECT_EQ(parse_encoding("latin-1"), Encoding::latin1);
  EXPECT_EQ(parse_encoding(to_string(Encoding::utf8)), Encoding::utf8);
  EXPECT_EQ(parse_corpus_format("jsonl"), CorpusFormat::json_lines);
  EXPECT_EQ(parse_label_depth("last"), last_folder);
  EXPECT_EQ(parse_label_depth("path"), whole_path);
  EXPECT_EQ(parse_label_depth("2"), 2U);
  for (const char* depth : {"", "0", "-1", "2x", "first", "18446744073709551615"})
    test::error_of(ErrorCode::usage, [&] { parse_label_depth(depth); });
  test::error_of(ErrorCode::usage, [] { parse_encoding("ebcdic"); });
  test::error_of(ErrorCode::usage, [] { parse_corpus_format("pdf"); });
}

}  // namespace
}  // namespace navvy
