// Which column a name means, what its values are, and who passes.
#include "index/filter_columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "navvy/filter.hpp"

namespace navvy::index {
namespace {

/// Decides by comparison with one value, or with several in order.
template <class Value>
class Wanted {
 public:
  Wanted(Comparison comparison, std::vector<Value> values)
      : comparison_(comparison), values_(std::move(values)) {
    std::ranges::sort(values_);
  }

  [[nodiscard]] bool passes(const Value& value) const {
    switch (comparison_) {
      case Comparison::equal:
        return value == values_.front();
      case Comparison::not_equal:
        return value != values_.front();
      case Comparison::less:
        return value < values_.front();
      case Comparison::at_most:
        return value <= values_.front();
      case Comparison::greater:
        return value > values_.front();
      case Comparison::at_least:
        return value >= values_.front();
      case Comparison::one_of:
        return std::ranges::binary_search(values_, value);
      case Comparison::none_of:
        return !std::ranges::binary_search(values_, value);
      case Comparison::present:
        return true;
      case Comparison::missing:
        break;
    }
    return false;
  }

  [[nodiscard]] bool passes_missing() const { return comparison_ == Comparison::missing; }

 private:
  Comparison comparison_;
  std::vector<Value> values_;
};

using WantedText = Wanted<std::string_view>;

// Columns: whether a row has a value, and which.
struct Numbers {
  const Array<double>& values;
  [[nodiscard]] bool has(std::size_t row) const { return !std::isnan(values[row]); }
  [[nodiscard]] double value(std::size_t row) const { return values[row]; }
};
struct Dates {
  const Array<std::int64_t>& values;
  [[nodiscard]] bool has(std::size_t row) const { return values[row] != no_date; }
  [[nodiscard]] std::int64_t value(std::size_t row) const { return values[row]; }
};
struct Texts {
  const Strings& values;
  [[nodiscard]] bool has(std::size_t row) const { return !values.empty() && !values[row].empty(); }
  [[nodiscard]] std::string_view value(std::size_t row) const { return values[row]; }
};
struct RowNumbers {
  [[nodiscard]] static bool has(std::size_t /*row*/) { return true; }
  [[nodiscard]] static double value(std::size_t row) { return static_cast<double>(row); }
};
struct RowNumbersAsText {
  [[nodiscard]] static bool has(std::size_t /*row*/) { return true; }
  [[nodiscard]] static std::string value(std::size_t row) { return std::to_string(row); }
};

template <class Column, class Value>
class ColumnTest : public RowTest {
 public:
  ColumnTest(Column column, Wanted<Value> wanted) : column_(column), wanted_(std::move(wanted)) {}

  void run(std::size_t first, std::span<std::uint8_t> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool passes = column_.has(first + i) ? wanted_.passes(column_.value(first + i))
                                                 : wanted_.passes_missing();
      out[i] = passes ? 1 : 0;
    }
  }

 private:
  Column column_;
  Wanted<Value> wanted_;
};

// Labels are many rows with few names: each name is compared once.
class LabelTest : public RowTest {
 public:
  LabelTest(const Index& index, const WantedText& wanted)
      : labels_(index.labels), missing_passes_(wanted.passes_missing() ? 1 : 0) {
    for (std::size_t label = 0; label < index.label_names.size(); ++label)
      passes_.push_back(wanted.passes(index.label_names[label]) ? 1 : 0);
  }

  void run(std::size_t first, std::span<std::uint8_t> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int32_t label = labels_.empty() ? -1 : labels_[first + i];
      out[i] = label < 0 ? missing_passes_ : passes_[static_cast<std::size_t>(label)];
    }
  }

 private:
  const Array<std::int32_t>& labels_;
  std::vector<std::uint8_t> passes_;  // by label
  std::uint8_t missing_passes_;
};

// The names of fields that a filter must quote.
bool needs_quotes(const std::string& name) {
  const auto is_builtin = name == "label" || name == "id" || name == "title" || name == "row";
  try {
    const std::vector<Token> tokens = tokens_of(name);
    return is_builtin || tokens.size() != 2 || tokens.front().kind != TokenKind::word ||
           tokens.front().is_keyword();
  } catch (const FilterError&) {
    return true;
  }
}

std::string known_names(const Index& index) {
  constexpr std::size_t most = 20;
  std::string names = "label, id, title, row";
  for (std::size_t i = 0; i < std::min(most, index.fields.size()); ++i) {
    const Field& field = index.fields[i];
    const std::string quote = needs_quotes(field.name) ? "\"" : "";
    names += ", " + quote + field.name + quote + " (" + to_string(field.type) + ")";
  }
  if (index.fields.size() > most)
    names += " and " + std::to_string(index.fields.size() - most) + " more fields";
  return names;
}

/// Turns one condition into a test.
class Resolver {
 public:
  Resolver(const Condition& condition, const Index& index, std::string_view filter)
      : condition_(condition), index_(index), filter_(filter) {}

  [[nodiscard]] std::unique_ptr<RowTest> run() const {
    const std::string& name = condition_.name.text;
    if (condition_.name.kind == TokenKind::word) {
      if (name == "label") return std::make_unique<LabelTest>(index_, texts());
      if (name == "title") return made(Texts{index_.titles}, texts());
      if (name == "row") return made(RowNumbers(), numbers());
      if (name == "id" && index_.ids.empty()) return made(RowNumbersAsText(), texts());
      if (name == "id") return made(Texts{index_.ids}, texts());
    }
    const auto field = std::ranges::find(index_.fields, name, &Field::name);
    if (field == index_.fields.end())
      throw FilterError("there is no field '" + name + "'; there are " + known_names(index_),
                        filter_, condition_.name.place);
    switch (field->type) {
      case FieldType::number:
        return made(Numbers{field->numbers}, numbers());
      case FieldType::date:
        return made(Dates{field->dates}, dates());
      case FieldType::text:
        break;
    }
    return made(Texts{field->texts}, texts());
  }

 private:
  template <class Column, class Value>
  static std::unique_ptr<RowTest> made(Column column, Wanted<Value> wanted) {
    return std::make_unique<ColumnTest<Column, Value>>(column, std::move(wanted));
  }

  // All values of the condition, each read in the same way.
  template <class Value, class Read>
  [[nodiscard]] Wanted<Value> wanted(const Read& read) const {
    std::vector<Value> values;
    values.reserve(condition_.values.size());
    for (const Token& token : condition_.values) values.push_back(read(token));
    return {condition_.comparison, std::move(values)};
  }

  [[nodiscard]] WantedText texts() const {
    return wanted<std::string_view>(
        [](const Token& token) -> std::string_view { return token.text; });
  }

  [[nodiscard]] Wanted<double> numbers() const {
    return wanted<double>([this](const Token& token) {
      std::string_view text = token.text;
      if (text.starts_with('+')) text.remove_prefix(1);
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        fail(token, "a number such as 1990 or -1.5");
      return value;
    });
  }

  [[nodiscard]] Wanted<std::int64_t> dates() const {
    return wanted<std::int64_t>([this](const Token& token) {
      const auto date = parse_date(token.text);
      if (!date) fail(token, "a date such as 1999-12-31 or 1999-12-31T23:59");
      return *date;
    });
  }

  [[noreturn]] void fail(const Token& value, const std::string& expected) const {
    throw FilterError("'" + condition_.name.text + "' cannot be compared with '" + value.text +
                          "'; expected " + expected,
                      filter_, value.place);
  }

  const Condition& condition_;
  const Index& index_;
  std::string_view filter_;
};

}  // namespace

std::unique_ptr<RowTest> row_test(const Condition& condition, const Index& index,
                                  std::string_view filter) {
  return Resolver(condition, index, filter).run();
}

}  // namespace navvy::index
