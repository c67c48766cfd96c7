// Actions as text, "send(worker=W21, site=B31)", and back; from the kind table, for every game.
#pragma once

#include <string>
#include <string_view>

#include "core/game_info.hpp"

namespace kingsbridge {

// Text of an action; requires is_action(info, action).
std::string action_text(const GameInfo& info, Action action);

// Result of reading a text: the action, or why there is none.
struct Parsed {
  Action action = kNoAction;
  std::string error = {};  // empty when the action is good
};

// Reads the notation. Blanks are free between the parts; arguments stand in their order, each with its name.
Parsed parse_action(const GameInfo& info, std::string_view text);

}  // namespace kingsbridge
