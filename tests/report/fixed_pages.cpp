// Pages of fixed values for the tests in a browser: fixed_pages FOLDER writes them there. The times
// that a command measures differ from machine to machine; these stand for the awkward ones.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/evaluation.hpp"
#include "report/labels.hpp"
#include "report/style.hpp"

namespace navvy::report {
namespace {

const std::vector<std::string> usual = {"bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"};

MeasuredLine measured(std::string name, double seconds, double precision) {
  const double less = 0.9 * precision;
  const auto share = [](double mean) {
    return Share{mean, mean - 0.01, std::min(1.0, mean + 0.01)};
  };
  return {std::move(name),
          seconds,
          1.9 * seconds,
          1e6,
          {share(precision), share(less)},
          {true, false},
          {precision, less},
          {share(less), share(precision)}};
}

std::string page_with(std::vector<MeasuredLine> measures) {
  EvaluationReport report;
  report.head.title = "Fixed values";
  report.tops = report.curve_tops = {1, 16};
  report.measures = std::move(measures);
  report.labels = {{"a", 20}, {"a label of many words, as folders have", 1}};
  report.origin.command = "fixed_pages";
  return page_of(report);
}

// Times and precisions as far from each other as `factor` and `step` say, from the first measure
// on.
std::string steps(const std::vector<std::string>& names, double seconds, double factor,
                  double precision, double step) {
  std::vector<MeasuredLine> measures;
  for (const std::string& name : names) {
    const auto i = static_cast<double>(measures.size());
    measures.push_back(measured(name, seconds * std::pow(factor, i), precision + step * i));
  }
  return page_with(std::move(measures));
}

std::string crowd() {
  std::vector<std::string> names = usual;
  for (const int levels : {2, 3, 4, 5, 6, 15}) names.push_back("act-" + std::to_string(levels));
  for (const char* name : {"emd", "sinkhorn", "sinkhorn-0.05"}) names.emplace_back(name);
  return steps(names, 2, 1.01, 0.97, 0.0002);
}

// Baselines of one speed and nearly one precision, with names as wide as names get.
std::string side_by_side() {
  return page_with({measured("bow", 0.0101, 0.9512), measured("omr", 0.0107, 0.9512),
                    measured("wcd", 0.0104, 0.9511), measured("rwmd", 0.012, 0.9514),
                    measured("emd", 4, 0.99)});
}

std::string one_far_below() {
  return page_with({measured("bow", 0.01, 0.1), measured("wcd", 0.01, 0.12),
                    measured("rwmd", 1, 0.96), measured("act-1", 2, 0.97)});
}

// Each letter eight times and each name once, over a bar that shows the room for it.
std::string letters() {
  std::vector<std::string> lines = usual;
  for (char letter = '!'; letter <= '~'; ++letter) lines.emplace_back(8, letter);
  lines.insert(lines.end(), {"a a a a", "rwmd 0.31 \u2193", "sinkhorn-0.05"});
  Markup out;
  begin_page(out, {"Letters", "", {}}, measure_colours(usual));
  const double height = 20.0 * static_cast<double>(lines.size());
  out.open("figure").open("svg", {{"viewBox", "0 0 360 " + number(height)}});
  double top = 0;
  for (const std::string& line : lines) {
    const Extent room = label_extent(line, 13);
    const double start = (room.width - text_width(line, 13)) / 2;
    out.open("g", {{"class", "line"}});
    out.leaf("rect", {{"class", "grid"},
                      {"y", number(top)},
                      {"width", number(room.width)},
                      {"height", number(room.height)}});
    out.element("text", {{"class", "name m0"}, {"x", number(start)}, {"y", number(top + 13)}},
                line);
    out.close();
    top += 20;
  }
  out.close().close();
  end_page(out, {"fixed_pages", {}});
  return out.take();
}

void write_pages(const std::filesystem::path& folder) {
  const std::vector<std::pair<std::string_view, std::string>> pages = {
      {"apart", steps(usual, 0.001, 8, 0.5, 0.06)},
      {"equal", steps(usual, 0.5, 1, 0.9, 0)},
      {"timeless", steps(usual, 0, 1, 1, 0)},
      {"rising", steps(usual, 0.5, 1.02, 0.9, 0.001)},
      {"falling", steps(usual, 0.5, 1.02, 0.9, -0.001)},
      {"crowd", crowd()},
      {"side-by-side", side_by_side()},
      {"one-far-below", one_far_below()},
      {"letters", letters()},
  };
  for (const auto& [name, text] : pages) {
    std::ofstream file(folder / (std::string(name) + ".html"));
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write to " + folder.string());
  }
}

}  // namespace
}  // namespace navvy::report

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: fixed_pages FOLDER\n";
    return 2;
  }
  navvy::report::write_pages(arguments[1]);
}
