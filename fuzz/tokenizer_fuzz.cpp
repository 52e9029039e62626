// Tokens of any text under any pattern: the first line of an input is the pattern.
#include "loaders/tokenizer.hpp"
#include "text_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace navvy;
  std::uint64_t broken = 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string input = loaders::to_utf8(bytes, Encoding::utf8, broken);
  const std::size_t end = std::min(input.find('\n'), input.size());
  TextRecipe recipe;
  recipe.token_pattern = input.substr(0, std::min<std::size_t>(end, 32));
  recipe.keep_case = size % 2 == 0;
  const std::string text = input.substr(end);
  try {
    loaders::Tokenizer(recipe).split(text, [](std::string_view token) {
      if (token.empty()) std::abort();
      fuzz::require_utf8(std::string(token));
      loaders::any_form(token, true, [](std::string_view form) {
        fuzz::require_utf8(std::string(form));
        return false;
      });
    });
  } catch (const Error&) {
  }
  return 0;
}
