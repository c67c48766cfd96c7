#include "core/game_info.hpp"

namespace kingsbridge {
namespace {

class Fnv {
 public:
  void text(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    byte(0);  // so that "ab","c" and "a","bc" differ
  }
  void number(int value) {
    for (int shift = 0; shift < 32; shift += 8) byte(static_cast<unsigned char>(static_cast<unsigned>(value) >> shift));
  }
  Key key() const { return key_; }

 private:
  void byte(unsigned char value) { key_ = (key_ ^ value) * 0x100000001B3u; }
  Key key_ = 0xCBF29CE484222325u;
};

void add(Fnv& fnv, const Domain& domain) {
  fnv.text(domain.name);
  fnv.number(domain.first);
  fnv.number(domain.count);
  for (const auto symbol : domain.symbols) fnv.text(symbol);
  for (const auto copies : domain.copies) fnv.number(copies);
}

void add(Fnv& fnv, const ActionKind& kind) {
  fnv.text(kind.name);
  fnv.number(kind.chance);
  fnv.text(kind.deck);
  for (const Argument& argument : kind.arguments) {
    fnv.text(argument.name);
    fnv.number(argument.domain);
  }
}

void add(Fnv& fnv, const OptionInfo& option) {
  fnv.text(option.name);
  fnv.number(option.minimum);
  fnv.number(option.maximum);
  fnv.number(option.standard);
}

void add(Fnv& fnv, const Component& component) {
  fnv.text(component.id);
  fnv.text(component.face);
  for (const Attribute& attribute : component.attributes) {
    if (attribute.name.empty()) continue;
    fnv.text(attribute.name);
    fnv.number(attribute.value);
  }
}

}  // namespace

Key rules_hash(const GameInfo& info) {
  Fnv fnv;
  fnv.text(info.name);
  fnv.number(info.rules_revision);
  for (const auto& domain : info.domains) add(fnv, domain);
  for (const auto& kind : info.kinds) add(fnv, kind);
  for (const auto& option : info.options) add(fnv, option);
  for (const auto& component : info.components) add(fnv, component);
  return fnv.key();
}

}  // namespace kingsbridge
