// The one writer of HTML and SVG.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Pages for people: plain values in, HTML and SVG out. Nothing here reads an index.
namespace navvy::report {

/// Text as it may stand in HTML and SVG, between tags and in attributes. It is printable(), and
/// markup characters become references.
std::string escaped(std::string_view text);

/// A number for coordinates and sizes: at most two decimals, none that are zero.
std::string number(double value);

/// Writes HTML or SVG. Everything that is not raw() is escaped, so that no text of a user can leave
/// its place.
class Markup {
 public:
  struct Attribute {
    std::string_view name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  Markup& open(std::string_view tag, Attributes attributes = {});
  Markup& close();
  Markup& text(std::string_view text);
  /// An element with nothing but text in it.
  Markup& element(std::string_view tag, Attributes attributes, std::string_view text);
  /// An element of SVG without content, or one of HTML that never has any.
  Markup& leaf(std::string_view tag, Attributes attributes);
  /// Constants of this program only.
  Markup& raw(std::string_view markup);

  /// What was written; every element must be closed.
  std::string take();

 private:
  void start(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace navvy::report
