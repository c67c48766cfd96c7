// Everything static about a game as plain Python data, and the notation.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "bindings/games.hpp"
#include "bindings/state.hpp"
#include "core/notation.hpp"

namespace kingsbridge::bindings {

namespace py = pybind11;

// The languages a text has.
inline py::dict text_dict(const Text& text) {
  py::dict result;
  for (const auto& [language, words] :
       {std::pair("en", text.en), std::pair("fr", text.fr), std::pair("ja", text.ja), std::pair("de", text.de)})
    if (!words.empty()) result[language] = to_str(words);
  return result;
}

inline py::dict option_dict(const OptionInfo& option) {
  py::dict result;
  result["name"] = to_str(option.name);
  result["default"] = option.standard;
  result["min"] = option.minimum;
  result["max"] = option.maximum;
  result["text"] = to_str(option.text);
  return result;
}

inline py::dict kind_dict(const GameInfo& info, const ActionKind& kind) {
  py::list arguments;
  for (const Argument& argument : kind.arguments) {
    py::dict item;
    item["name"] = to_str(argument.name);
    item["domain"] = to_str(info.domains[argument.domain].name);
    arguments.append(std::move(item));
  }
  py::dict result;
  result["name"] = to_str(kind.name);
  result["arguments"] = std::move(arguments);
  result["chance"] = kind.chance;
  result["deck"] = to_str(kind.deck);
  result["pooled"] = kind.pooled;
  result["phrase"] = text_dict(kind.phrase);
  return result;
}

inline py::dict domain_dict(const Domain& domain) {
  py::list symbols, copies;
  for (const auto symbol : domain.symbols) symbols.append(to_str(symbol));
  for (const int number : domain.copies) copies.append(number);
  py::dict result;
  result["name"] = to_str(domain.name);
  result["first"] = domain.first;
  result["count"] = domain.count;
  result["symbols"] = std::move(symbols);
  result["copies"] = std::move(copies);
  return result;
}

inline py::dict component_dict(const Component& component) {
  py::dict attributes, words;
  for (const Attribute& attribute : component.attributes) {
    if (!attribute.name.empty()) attributes[to_str(attribute.name)] = attribute.value;
    if (!attribute.word.empty()) words[to_str(attribute.name)] = to_str(attribute.word);
  }
  py::dict provenance;
  provenance["names"] = text_dict(component.provenance.names);
  provenance["values"] = to_str(component.provenance.values);
  provenance["sources"] = to_str(component.provenance.sources);
  py::dict result;
  result["id"] = to_str(component.id);
  result["set"] = to_str(component.set);
  result["face"] = to_str(component.face);
  result["names"] = text_dict(component.names);
  result["provenance"] = std::move(provenance);
  result["attributes"] = std::move(attributes);
  result["words"] = std::move(words);
  result["copies"] = component.copies;
  return result;
}

inline py::dict game_info(const py::str& name) {
  const GameInfo& info = info_of(utf8(name));
  py::list options, kinds, domains, components;
  for (const auto& option : info.options) options.append(option_dict(option));
  for (const auto& kind : info.kinds) kinds.append(kind_dict(info, kind));
  for (const auto& domain : info.domains) domains.append(domain_dict(domain));
  for (const auto& component : info.components) components.append(component_dict(component));
  py::dict result;
  result["name"] = to_str(info.name);
  result["title"] = text_dict(info.title);
  result["min_players"] = info.min_players;
  result["max_players"] = info.max_players;
  result["rules_hash"] = hex(rules_hash(info));
  result["max_score"] = info.max_score;
  result["max_length"] = info.max_length;
  result["action_count"] = action_count(info);
  result["options"] = std::move(options);
  result["kinds"] = std::move(kinds);
  result["domains"] = std::move(domains);
  result["components"] = std::move(components);
  return result;
}

inline py::list game_names() {
  py::list names;
  for_each_game([&]<class S>() { names.append(to_str(S::kInfo.name)); });
  return names;
}

inline std::string text_of(const py::str& game, const py::int_& number) {
  const GameInfo& info = info_of(utf8(game));
  const Action action = to_action(number);
  if (!is_action(info, action)) throw ParseError("the number is no action of " + std::string(info.name));
  return action_text(info, action);
}

inline Action parse(const py::str& game, const py::str& text) {
  const Parsed parsed = parse_action(info_of(utf8(game)), utf8(text).substr(0, 200));
  if (!parsed.error.empty()) throw ParseError(parsed.error);
  return parsed.action;
}

inline int index_of(const py::str& game, const py::int_& number) {
  const GameInfo& info = info_of(utf8(game));
  const Action action = to_action(number);
  if (!is_action(info, action) || info.kinds[kind_of(action)].chance)
    throw ParseError("the number is no decision of " + std::string(info.name));
  return action_index(info, action);
}

inline Action at_index(const py::str& game, const py::int_& wanted_index) {
  const GameInfo& info = info_of(utf8(game));
  const int index = to_int(wanted_index);
  if (index < 0 || index >= action_count(info))
    throw py::index_error("index " + std::to_string(index) + " is not in 0 .. " + std::to_string(action_count(info) - 1));
  return action_at(info, index);
}

}  // namespace kingsbridge::bindings
