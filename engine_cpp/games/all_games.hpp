// The one list of games. A new game is a folder beside this file and a line here.
#pragma once

#include <variant>

#include "core/game_state.hpp"
#include "games/builders/builders.hpp"
#include "games/builders/view_fields.hpp"
#include "games/column/column.hpp"
#include "games/column/view_fields.hpp"
#include "games/pillars/pillars.hpp"
#include "games/pillars/view_fields.hpp"

namespace kingsbridge {

using AnyState = std::variant<builders::State, pillars::State, column::State>;

static_assert(GameState<builders::State> && GameState<pillars::State> && GameState<column::State>);

}  // namespace kingsbridge
