// The frame of all pages: head, facts, where figures came from.
#pragma once

#include <string>
#include <vector>

#include "report/markup.hpp"

namespace navvy::report {

/// A name and its value, as text.
struct Fact {
  std::string name;
  std::string value;
};

/// Where and how figures came about.
struct Origin {
  std::string command;  ///< as it was typed
  std::vector<Fact> facts;
};

/// What stands at the top of a page.
struct Head {
  std::string title;
  std::string lead;  ///< one sentence that says what was found
  std::vector<Fact> facts;
};

/// The first bytes of every page, by which the command knows a file as one of its own.
inline constexpr std::string_view page_magic = "<!doctype html>\n<!-- navvy report -->";

/// From the first byte to the opened <main>; `colours` are rules of style.
void begin_page(Markup& out, const Head& head, const std::string& colours);
/// Closes <main> and ends the page with where it came from.
void end_page(Markup& out, const Origin& origin);

/// A section with names and values.
void write_facts(Markup& out, const std::string& heading, const std::vector<Fact>& facts);

}  // namespace navvy::report
