#include "core/notation.hpp"

#include <charconv>

namespace kingsbridge {
namespace {

std::string value_text(const Domain& domain, unsigned value) {
  return domain.symbols.empty() ? std::to_string(domain.first + static_cast<int>(value)) : std::string(domain.symbols[value]);
}

// Reads from the front of a text, skipping blanks.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool accept(char expected) {
    skip();
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    skip();
    std::size_t length = 0;
    while (length < rest_.size() && is_word(rest_[length])) ++length;
    const auto word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  bool at_end() {
    skip();
    return rest_.empty();
  }

 private:
  static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

// Index of a value in a domain, or -1.
int value_index(const Domain& domain, std::string_view word) {
  if (domain.symbols.empty()) {
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool good =
        error == std::errc() && end == word.data() + word.size() && number >= domain.first && number < domain.first + domain.count;
    return good ? number - domain.first : -1;
  }
  for (std::size_t i = 0; i < domain.symbols.size(); ++i)
    if (domain.symbols[i] == word) return static_cast<int>(i);
  return -1;
}

std::string domain_text(const Domain& domain) {
  if (domain.symbols.empty()) return std::to_string(domain.first) + ".." + std::to_string(domain.first + domain.count - 1);
  return "a " + std::string(domain.name) + ", " + std::string(domain.symbols.front()) + ".." + std::string(domain.symbols.back());
}

// A card that no action names because another has its face.
std::string face_hint(const GameInfo& info, std::string_view word) {
  for (const Component& component : info.components)
    if (component.id == word && component.face != component.id)
      return "; " + std::string(word) + " has the face of " + std::string(component.face) + ": write that";
  return {};
}

std::string form(const ActionKind& kind) {
  std::string text(kind.name);
  text += '(';
  for (std::size_t i = 0; i < kind.arguments.size(); ++i) {
    if (i > 0) text += ", ";
    text += kind.arguments[i].name;
    text += "=...";
  }
  return text + ')';
}

std::string kind_names(const GameInfo& info) {
  std::string names;
  for (const ActionKind& kind : info.kinds) {
    if (!names.empty()) names += ", ";
    names += kind.name;
  }
  return names;
}

Parsed failure(std::string error) { return {kNoAction, std::move(error)}; }

Parsed parse_arguments(const GameInfo& info, unsigned number, Reader& reader) {
  const ActionKind& kind = info.kinds[number];
  unsigned values[3] = {0, 0, 0};
  if (!reader.accept('(')) return failure("expected " + form(kind));
  for (std::size_t i = 0; i < kind.arguments.size(); ++i) {
    const Argument& argument = kind.arguments[i];
    if (i > 0 && !reader.accept(',')) return failure("expected " + form(kind));
    if (reader.word() != argument.name || !reader.accept('=')) return failure("expected " + form(kind));
    const auto word = reader.word();
    const Domain& domain = info.domains[argument.domain];
    const int value = value_index(domain, word);
    if (value < 0)
      return failure(std::string(argument.name) + "=" + std::string(word) + " is not " + domain_text(domain) + face_hint(info, word));
    values[i] = static_cast<unsigned>(value);
  }
  if (!reader.accept(')') || !reader.at_end()) return failure("expected " + form(kind));
  return {pack(number, values[0], values[1], values[2]), {}};
}

}  // namespace

std::string action_text(const GameInfo& info, Action action) {
  const ActionKind& kind = info.kinds[kind_of(action)];
  std::string text(kind.name);
  text += '(';
  for (std::size_t i = 0; i < kind.arguments.size(); ++i) {
    if (i > 0) text += ", ";
    text += kind.arguments[i].name;
    text += '=';
    text += value_text(info.domains[kind.arguments[i].domain], argument(action, static_cast<int>(i)));
  }
  return text + ')';
}

Parsed parse_action(const GameInfo& info, std::string_view text) {
  Reader reader(text);
  const auto name = reader.word();
  for (unsigned number = 0; number < info.kinds.size(); ++number)
    if (info.kinds[number].name == name) return parse_arguments(info, number, reader);
  return failure("unknown action '" + std::string(name) + "'; known: " + kind_names(info));
}

}  // namespace kingsbridge
