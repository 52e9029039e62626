// What every page begins and ends with.
#include "report/page.hpp"

#include <fmt/core.h>

#include "report/style.hpp"

namespace navvy::report {
namespace {

void write_list(Markup& out, const char* kind, const std::vector<Fact>& facts) {
  out.open("dl", {{"class", kind}});
  const bool grouped = std::string_view(kind) == "facts";
  for (const Fact& fact : facts) {
    if (grouped) out.open("div");
    out.element("dt", {}, fact.name);
    out.open("dd").element("bdi", {}, fact.value).close();
    if (grouped) out.close();
  }
  out.close();
}

}  // namespace

void begin_page(Markup& out, const Head& head, const std::string& colours) {
  out.raw(page_magic).raw("\n");
  out.open("html", {{"lang", "en"}}).open("head");
  out.raw("<meta charset=\"utf-8\">\n");
  out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  // Nothing may be fetched and no script may run, whatever a title contains.
  out.raw(
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
  out.element("title", {}, head.title);
  out.raw("<style>").raw(page_style()).raw(colours).raw("</style>\n");
  out.close();
  out.open("body").open("header");
  out.element("p", {{"class", "mark"}}, "navvy");
  out.element("h1", {}, head.title);
  if (!head.lead.empty()) out.element("p", {{"class", "lead"}}, head.lead);
  write_list(out, "facts", head.facts);
  out.close();
  out.open("main");
}

void end_page(Markup& out, const Origin& origin) {
  out.open("section").element("h2", {}, "How this was made");
  write_list(out, "report", origin.facts);
  out.open("pre").element("code", {}, origin.command).close();
  out.close();
  out.close();
  out.open("footer");
  out.text("This page is one file: it loads nothing and runs no script.");
  out.close();
  out.close().close();
}

void write_facts(Markup& out, const std::string& heading, const std::vector<Fact>& facts) {
  if (facts.empty()) return;
  out.open("section").element("h2", {}, heading);
  write_list(out, "report", facts);
  out.close();
}

}  // namespace navvy::report
