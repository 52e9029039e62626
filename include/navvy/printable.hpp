// Text from outside, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace navvy {

/// A name, a word or a message fit for one line of a terminal or a page: nothing in it ends the
/// line, moves the cursor, changes colours or turns the direction of reading. Control characters
/// become their pictures (U+241B for escape). U+FFFD stands for each other one: U+0080 to U+009F,
/// the separators of lines and paragraphs, marks, embeddings, overrides and isolates of direction,
/// what XML refuses (U+FFFE, U+FFFF), and bytes that are no UTF-8. One character each, so that
/// widths stay.
std::string printable(std::string_view text);

/// A JSON document of one line with the same characters written by their numbers, as JSON escapes
/// them: nothing of what it says is lost, and a terminal may show it.
std::string printable_json(std::string_view document);

}  // namespace navvy
