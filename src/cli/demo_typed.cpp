// Asks the questions of the demo, by meaning and by plain words, and shows what came of each.
#include "cli/demo_typed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/answers.hpp"
#include "cli/demo_data.hpp"
#include "cli/terminal.hpp"
#include "navvy/corpus.hpp"
#include "navvy/text.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t shown_question = 8;
constexpr std::size_t shown_matches = 3;
constexpr std::size_t few = 10;
constexpr std::string_view no_word_shared =
    "The questions were written to share no word with the text they mean, stop words aside.";

// In `title` the text that is meant, in `text` the question.
std::vector<Document> read_questions() {
  CorpusOptions columns;
  columns.format = CorpusFormat::tsv;
  columns.head_line = false;
  columns.title_field = "1";
  columns.text_field = "2";
  std::vector<Document> questions;
  read_corpus(demo_queries(), columns,
              [&](Document&& question) { questions.push_back(std::move(question)); });
  return questions;
}

std::int64_t row_titled(const Index& texts, const std::string& title) {
  for (std::size_t row = 0; row < texts.titles.size(); ++row) {
    if (texts.titles[row] == title) return static_cast<std::int64_t>(row);
  }
  throw std::logic_error("no text of the demo has the title " + title);
}

// Where a row stands in an answer that has all rows.
std::size_t rank_of(const Ranked& found, std::int64_t row) {
  std::size_t rank = 0;
  while (rank < found.size() && found.row(rank) != row) ++rank;
  return rank + 1;
}

/// For how many questions the text that is meant is among so many first ones.
struct Found {
  std::size_t by_meaning = 0;
  std::size_t by_bow = 0;
};

Found found_among(const TypedPart& part, std::size_t places) {
  Found found;
  for (const TypedAnswer& answer : part.answers) {
    if (answer.rank <= places) ++found.by_meaning;
    if (answer.bow && *answer.bow <= places) ++found.by_bow;
  }
  return found;
}

std::string bow_text(const TypedAnswer& answer) {
  return answer.bow ? std::to_string(*answer.bow) : "-";
}

std::string count_text(const TypedPart& part) {
  const Found found = found_among(part, few);
  const Found first = found_among(part, 1);
  return fmt::format(
      "Among the first {} for {} of {} questions and first for {}; by plain words alone (bow) for "
      "{} and {}.",
      few, found.by_meaning, part.answers.size(), first.by_meaning, found.by_bow, first.by_bow);
}

}  // namespace

std::string typed_lead(const TypedPart& part) {
  const Found found = found_among(part, few);
  return fmt::format(
      "Of {} questions in other words than the text they mean, {} find it among the first {} of {} "
      "texts by meaning, and {} by plain words.",
      part.answers.size(), found.by_meaning, few, part.texts.rows.size(), found.by_bow);
}

TypedPart ask_typed(const Index& texts, const RunOptions& run) {
  TypedPart part;
  part.options.question = typed_question();
  part.options.run = run;
  part.options.top = texts.rows.size();
  SearchOptions by_words = part.options;
  by_words.question = Question{};
  by_words.question.measure.kind = MeasureKind::bow;
  const std::vector<Document> questions = read_questions();
  std::vector<std::string> asked;
  asked.reserve(questions.size());
  for (const Document& question : questions) asked.push_back(question.text);
  const TextEncoder encoder(texts);
  const app::Queries queries = app::text_queries(encoder, asked);
  const app::Finder finder(texts, {});
  const Matches found = finder.find(queries, part.options);
  const Matches plain = finder.find(queries, by_words);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const std::int64_t row = row_titled(texts, questions[i].title);
    TypedAnswer answer{asked[i], questions[i].title, rank_of(found[i], row)};
    const std::size_t rank = rank_of(plain[i], row);
    if (plain[i].distance(rank - 1) < 1) answer.bow = rank;
    part.answers.push_back(std::move(answer));
  }
  part.options.top = shown_matches;
  part.shown = app::text_queries(encoder, std::vector{asked[shown_question]});
  part.shown_matches = finder.find(part.shown, part.options);
  part.texts = texts;
  app::bring_together(part.texts, part.shown);
  return part;
}

app::Json typed_json(const TypedPart& part) {
  app::Json json;
  app::add_question(json, part.texts, part.options.question);
  for (const std::size_t places : {std::size_t{1}, few}) {
    const Found found = found_among(part, places);
    json["found"].push_back(
        {{"among", places}, {"by_meaning", found.by_meaning}, {"by_bow", found.by_bow}});
  }
  for (const TypedAnswer& answer : part.answers) {
    app::Json entry{{"question", answer.question}, {"means", answer.title}, {"rank", answer.rank}};
    entry["rank_by_bow"] = answer.bow ? app::Json(*answer.bow) : app::Json();
    json["questions"].push_back(std::move(entry));
  }
  return json;
}

void print_typed(const TypedPart& part) {
  fmt::print("{}\n\n", no_word_shared);
  fmt::print("question: {}\n\n", paint(output_terminal(), Colour::cyan, part.shown.list[0].name));
  print(app::Answers{part.texts, part.shown, part.shown_matches, part.options, true});
  fmt::print(
      "\nThe place of the text that is meant, of {}, by plain words (bow) and by meaning:\n\n",
      part.texts.rows.size());
  using Align = Table::Align;
  Table table(
      {{"question"}, {"text that is meant"}, {"bow", Align::right}, {"meaning", Align::right}});
  for (const TypedAnswer& answer : part.answers) {
    table.add({answer.question, answer.title, bow_text(answer), std::to_string(answer.rank)});
  }
  table.print();
  fmt::print("\n{}\n", count_text(part));
}

void write_typed(report::Markup& out, const TypedPart& part) {
  out.open("section").element("h2", {}, "Typed questions: texts found in other words");
  out.element("p", {{"class", "note"}},
              fmt::format("{} The place of the text that is meant, of {}, by plain words and as "
                          "typed questions are asked. {}",
                          no_word_shared, part.texts.rows.size(), count_text(part)));
  out.open("table").open("thead").open("tr").element("th", {}, "question");
  out.element("th", {{"class", "left"}}, "text that is meant").element("th", {}, "bow");
  out.element("th", {}, "meaning").close().close().open("tbody");
  for (const TypedAnswer& answer : part.answers) {
    out.open("tr").element("td", {}, answer.question);
    out.element("td", {{"class", "left"}}, answer.title).element("td", {}, bow_text(answer));
    out.element("td", {}, std::to_string(answer.rank)).close();
  }
  out.close().close().close();
}

}  // namespace navvy::cli
