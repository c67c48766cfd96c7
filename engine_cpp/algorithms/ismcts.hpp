// Monte Carlo tree search over imagined worlds, for any game. ai/search.py is the same in plain Python and visits the same nodes.
//
// One tree for all seats in the manner of multi-observer ISMCTS (Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search",
// 2012): a node belongs to the seat that acts and is keyed by what that seat has observed since the root, so what a seat cannot tell apart
// shares statistics, and its choice cannot depend on what only others saw. Backups are vectors (max^n: each seat maximises its own
// utility). Chance is never a node: an outcome is drawn from the rules each time and lengthens the paths. Nor is a decision with one legal
// action: there is nothing to learn.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/bandit.hpp"
#include "algorithms/path_table.hpp"
#include "algorithms/prospects.hpp"
#include "algorithms/rollout.hpp"

namespace kingsbridge {

// Where an iteration's world comes from: a new one each time, or copies of one.
enum class Worlds : std::uint8_t { kFresh, kFixed };
// What the seats that do not search are thought to want: each its own utility (max^n), to hurt the one that searches (paranoid), or
// nothing: they play by the rollout policy, and have no nodes.
enum class Opponents : std::uint8_t { kMaxN, kParanoid, kPolicy };
// Which untried action comes first.
enum class TrialRule : std::uint8_t { kHeuristic, kRandom };

// What suits a rule by default, in units of utility; found by matches: ai/ladder/README.md.
struct Exploration {
  double c;
  double caution;
};
constexpr Exploration exploration_of(SelectionRule rule) {
  return rule == SelectionRule::kPuct ? Exploration{.c = 1, .caution = 0.1} : Exploration{.c = 0.3, .caution = 0.2};
}

struct SearchParams {
  SelectionRule rule = SelectionRule::kUcb1;
  double c = exploration_of(rule).c;              // exploration: higher looks wider (utility, 1 is a sure win)
  double caution = exploration_of(rule).caution;  // an untried action passes for its node's mean less this (utility)
  double bias = 0.03;                             // weight of the game's heuristic (utility a point)
  double trust = 30;                              // halves the heuristic's weight (visits)
  double temperature = 0.1;                       // PUCT: evens the priors out (utility)
  double widening = 0;                            // actions considered after n visits are this times n^0.4, at least one; 0: all
  Policy policy = Policy::kLight;
  Horizon horizon{};  // of a rollout; then the game's evaluation
  UtilityRule utility{};
  Opponents opponents = Opponents::kMaxN;
  TrialRule order = TrialRule::kHeuristic;
  Worlds worlds = Worlds::kFresh;
  std::uint64_t nodes = 1'000'000;            // most nodes of the tree; full, it grows no more
  std::size_t memory = std::size_t{1} << 28;  // most bytes of the tree; full, it grows no more; at least kLeastMemory
  bool reuse = false;                         // notes what go_on() needs; requires fresh worlds
};

// No action is thought worse than the best by more than this before it is tried (utility).
inline constexpr double kMostBehind = 0.5;

// The least memory a search can begin with: a chunk for its table, and one for any root.
inline constexpr std::size_t kLeastMemory = 4 * Arena::kChunk;

// What is known of a root action that was tried.
struct RootRow {
  ActionRow row;
  Tally tally;
};

template <GameState S>
class Ismcts {
 public:
  using View = typename S::View;

  // Requires that the viewer is to move. `among`, legal actions in ascending order, are all that the root offers; empty: every legal one.
  // With them the root is a node even where it offers one action.
  Ismcts(const View& view, const SearchParams& params, std::uint64_t seed, std::span<const Action> among = {})
      : view_(view),
        params_(params),
        among_(among.begin(), among.end()),
        weighing_{
            Scales(params.rule, params.c * kUtilityOne),
            params.caution * kUtilityOne,
            {params.bias * kUtilityOne / S::kHeuristicPoint, kMostBehind * kUtilityOne, params.trust, params.temperature * kUtilityOne},
            params.widening},
        streams_(streams_of(seed)),
        fixed_(first_world(view, params.worlds, streams_)),
        players_(fixed_.options().players),
        arena_(params.memory),
        table_(arena_) {
    if (params.reuse) prospects_.emplace(arena_);
  }
  Ismcts(const Ismcts&) = delete;
  Ismcts& operator=(const Ismcts&) = delete;

  // Iterates until so many iterations were added or stop() says so; returns how many were. stop() is asked before each, and now and then
  // within a rollout: an iteration cut short so is dropped, and made anew by the next run. So a search goes the same way however often it
  // is interrupted.
  template <class Stop>
  std::uint64_t run(std::uint64_t iterations, Stop&& stop) {
    std::uint64_t done = 0;
    while (done < iterations && kept_ + iterations_ < kMostIterations && !stop() && iterate(stop)) ++done;
    return done;
  }

  // Makes a decision of the same game that the viewer comes to after this one the root, with `among` as above and the randomness of a new
  // seed; the tree below its node is kept, iterations count from 0. False, and nothing changed, where that cannot be done without a guess:
  //  - the tree has no node of the viewer that all visits reached with exactly this view and exactly these actions, by reuse;
  //  - more than half of the nodes or bytes are taken: what is left behind is never freed.
  // Worlds below a kept node were those in which the others chose to go there; from now on they are imagined from the new view.
  bool go_on(const View& view, std::uint64_t seed, std::span<const Action> among = {}) {
    if (!prospects_ || nodes_ > params_.nodes / 2 || arena_.bytes() > params_.memory / 2) return false;
    Streams streams = streams_of(seed);
    const S world = first_world(view, params_.worlds, streams);
    ActionList legal;
    world.legal_actions(legal);
    const Prospect* const taken =
        prospects_->take(info_key(view), among.empty() ? std::span<const Action>(legal.begin(), legal.size()) : among);
    if (taken == nullptr) return false;
    view_ = view, fixed_ = world, streams_ = streams;
    among_.assign(among.begin(), among.end());
    root_ = taken->node, root_paths_ = taken->paths;
    root_tallies_.assign(taken->tallies.begin(), taken->tallies.end());
    kept_ = root_->offers(), iterations_ = 0;
    return true;
  }

  // Since the root became the root.
  std::uint64_t iterations() const { return iterations_; }
  // Visits of the root before.
  std::uint64_t kept() const { return kept_; }
  std::uint64_t nodes() const { return nodes_; }
  // Memory of the tree in bytes.
  std::size_t bytes() const { return arena_.bytes(); }
  int players() const { return players_; }
  // The decision's legal actions.
  ActionList legal_actions() const {
    ActionList actions;
    fixed_.legal_actions(actions);
    return actions;
  }

  // The root actions that were tried, in the order of their first trial, visits that were kept included; none where there is no root node.
  std::vector<RootRow> root_statistics() const {
    std::vector<RootRow> rows(root_tallies_.size());
    if (root_ == nullptr) return rows;
    root_->for_each([&](const ActionRow& row) {
      if (row.slot != kNoSlot) rows[row.slot] = {row, root_tallies_[row.slot]};
    });
    return rows;
  }

  // A legal action and the most visited decisions after it in the world the next iteration would take, up to a chance event or the tree's
  // edge.
  std::vector<Action> line(Action action) const {
    Rng worlds = streams_.worlds;
    S state = params_.worlds == Worlds::kFixed ? fixed_ : S::imagine(view_, worlds);
    Paths paths = root_paths_;
    std::vector<Action> line;
    for (; action != kNoAction; action = following(state, paths)) {
      line.push_back(action);
      observe(paths, action);
      state.apply(action);
    }
    return line;
  }

  // Calls f(seat, rows) for each node in the order of its creation, those that were left behind included, with the rows of its actions,
  // ascending.
  template <class F>
  void trace(F&& f) const {
    std::vector<ActionRow> rows;
    for (const Bandit* node = first_; node != nullptr; node = node->next()) {
      rows.clear();
      node->for_each([&](const ActionRow& row) { rows.push_back(row); });
      f(node->seat(), std::as_const(rows));
    }
  }

 private:
  static constexpr std::uint64_t kMostIterations = 2'000'000'000;  // counts and ranks of a node are 32-bit
  // All derived from one seed and kept apart, so a sampler that uses its stream differently disturbs nothing else.
  struct Streams {
    Rng worlds, chances, ties;
  };
  static Streams streams_of(std::uint64_t seed) { return {Rng(seed, 0), Rng(seed, 1), Rng(seed, 2)}; }
  // A decision on the way down; `node` is null where it is yet to be made.
  struct Step {
    Bandit* node;
    Bandit::Choice choice;
    std::size_t offered;  // where its part of offered_ begins
    Prospect* prospect;   // null where it is none, or yet to be made
  };
  struct Plan {
    Key path;
    Player seat;
    bool prospect;
    Key view;  // of a prospect, as are the paths
    Paths paths;
  };

  // The one world of a search in one world, or any other: all have the same decision at the root.
  static S first_world(const View& view, Worlds worlds, Streams& streams) {
    Rng any(0);
    return S::imagine(view, worlds == Worlds::kFixed ? streams.worlds : any);
  }

  template <class Stop>
  bool iterate(Stop& stop) {
    const Streams before = streams_;
    weighing_.scales.extend();
    S state = params_.worlds == Worlds::kFixed ? fixed_ : S::imagine(view_, streams_.worlds);
    trail_.clear();
    offered_.clear();
    descend(state);
    if (!play_out_unless(state, streams_.chances, params_.policy, params_.horizon, stop)) {
      streams_ = before;
      return false;
    }
    back_up(worth(state, params_.utility));
    ++iterations_;
    return true;
  }

  // Goes down to the first untried action and plays it, or to where the tree or the game ends.
  void descend(S& state) {
    Paths paths = root_paths_;
    pooled_ = false;
    for (bool inside = true; inside;) {
      const Player seat = state.current_player();
      if (seat == kTerminal) return;
      const Action action = seat == kChance ? state.sample_chance(streams_.chances)
                            : follows(seat) ? sample_action(state, streams_.chances, params_.policy)
                                            : decide(state, seat, paths, inside);
      if (action == kNoAction) return;
      if (inside) {
        observe(paths, action);
        pooled_ = pooled_ || S::kInfo.kinds[kind_of(action)].pooled;
      }
      state.apply(action);
    }
  }

  // Whether the seat plays by the rollout policy.
  bool follows(Player seat) const { return params_.opponents == Opponents::kPolicy && seat != view_.viewer(); }

  // Whether the viewer may go on from this decision later: from no root, and behind a pooled event a node stands for many information sets.
  bool is_prospect(Player seat, Key path) const {
    return prospects_ && !pooled_ && seat == view_.viewer() && path != root_paths_[static_cast<std::size_t>(seat)];
  }

  // The action at this decision, kNoAction where the tree ends. Says whether what follows is inside the tree.
  Action decide(const S& state, Player seat, const Paths& paths, bool& inside) {
    const Key path = paths[static_cast<std::size_t>(seat)];
    table_.prefetch(path);
    legal_.clear();
    const bool narrowed = trail_.empty() && !among_.empty();  // where there is a root node, nothing comes before it
    if (narrowed)
      for (const Action action : among_) legal_.push_back(action);
    else
      state.legal_actions(legal_);
    if (legal_.size() == 1 && !narrowed) return legal_[0];
    Bandit* const node = table_.find(path);
    inside = false;
    if (node == nullptr) return plan_node(state, seat, paths);
    const std::size_t offered = offered_.size();
    const Bandit::Choice choice = node->choose(legal_, weighing_, arena_, offered_, [&]() -> const Behind& { return rate(state); });
    if (choice.slot == kNoSlot) {
      offered_.resize(offered);
      return kNoAction;
    }
    trail_.push_back({node, choice, offered, is_prospect(seat, path) ? prospects_->find(path) : nullptr});
    inside = choice.slot < node->tried();
    return choice.action;
  }

  // Prepares a node, to be made when its first outcome is known; kNoAction if the tree is full.
  Action plan_node(const S& state, Player seat, const Paths& paths) {
    const Key path = paths[static_cast<std::size_t>(seat)];
    const bool prospect = is_prospect(seat, path);
    const Key view = prospect ? info_key(state.view(seat)) : 0;
    if (nodes_ >= params_.nodes || !table_.make_room(path, arena_) || (prospect && !prospects_->make_room(path, view, arena_)) ||
        !arena_.reserve(Bandit::bytes_for(legal_.size()) + (prospect ? Prospects::kBytes : 0)))
      return kNoAction;
    rate(state);
    if (params_.order == TrialRule::kHeuristic)
      order_best_first();
    else
      order_randomly();
    planned_ = {path, seat, prospect, view, paths};
    trail_.push_back({nullptr, {legal_[order_[0]], 0}, offered_.size(), nullptr});
    return legal_[order_[0]];
  }

  // How far each legal action is behind the best by the game's heuristic.
  const Behind& rate(const S& state) {
    std::int32_t best = INT32_MIN;
    for (std::size_t i = 0; i < legal_.size(); ++i) best = std::max(best, behind_[i] = state.heuristic(legal_[i]));
    for (std::size_t i = 0; i < legal_.size(); ++i) behind_[i] = best - behind_[i];
    return behind_;
  }
  // The least behind first, equal ones by lower action.
  void order_best_first() {
    const std::size_t size = legal_.size();
    for (std::size_t i = 0; i < size; ++i) keys_[i] = static_cast<std::uint64_t>(behind_[i]) << 16 | i;
    std::sort(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(size));
    for (std::size_t i = 0; i < size; ++i) order_[i] = static_cast<std::uint16_t>(keys_[i]);
  }
  void order_randomly() {
    const std::size_t size = legal_.size();
    for (std::size_t i = 0; i < size; ++i) order_[i] = static_cast<std::uint16_t>(i);
    for (std::size_t last = size - 1; last > 0; --last)
      std::swap(order_[last], order_[streams_.ties.below(static_cast<std::uint32_t>(last) + 1)]);
  }

  void back_up(const Worth& worth) {
    for (std::size_t i = 0; i < trail_.size(); ++i) {
      Step& step = trail_[i];
      if (step.node == nullptr) add_node(step);
      const std::size_t end = i + 1 < trail_.size() ? trail_[i + 1].offered : offered_.size();
      const std::span<const std::uint16_t> offered(offered_.data() + step.offered, end - step.offered);
      step.node->reward(step.choice, wanted(step.node->seat(), worth.utilities), offered, weighing_);
      if (step.prospect != nullptr) step.prospect->reward(step.choice.slot, worth, arena_);
    }
    if (!trail_.empty() && trail_[0].node == root_) reward_root(trail_[0].choice.slot, worth);
  }
  // What a seat is thought to maximise.
  Utility wanted(Player seat, const std::array<Utility, kMaxSeats>& utilities) const {
    const bool hostile = params_.opponents == Opponents::kParanoid && seat != view_.viewer();
    return hostile ? kUtilityOne - utilities[static_cast<std::size_t>(view_.viewer())] : utilities[static_cast<std::size_t>(seat)];
  }
  void add_node(Step& step) {
    Bandit* const node = Bandit::make(planned_.seat, legal_, order_, behind_, weighing_, arena_);
    table_.insert(planned_.path, node);
    if (first_ == nullptr)
      first_ = node;
    else
      last_->set_next(node);
    last_ = node;
    if (planned_.path == root_paths_[static_cast<std::size_t>(view_.viewer())]) root_ = node;
    if (planned_.prospect) step.prospect = prospects_->add(planned_.path, planned_.view, planned_.paths, node, arena_);
    step.node = node;
    ++nodes_;
  }
  // Keeps what the choice does not need, for the report.
  void reward_root(std::uint32_t slot, const Worth& worth) {
    if (slot == root_tallies_.size()) root_tallies_.push_back({});
    root_tallies_[slot].add(worth, view_.viewer());
  }

  // The forced or most visited decision here, or kNoAction.
  Action following(const S& state, const Paths& paths) const {
    const Player seat = state.current_player();
    if (seat < 0 || follows(seat)) return kNoAction;
    ActionList legal;
    state.legal_actions(legal);
    if (legal.size() == 1) return legal[0];
    const Bandit* const node = table_.find(paths[static_cast<std::size_t>(seat)]);
    return node == nullptr ? kNoAction : node->most_visited(legal);
  }

  // A seat's path is a number that each observation is mixed into.
  static Key root_path(Player seat) { return hash_step(0x452821E638D01377u, static_cast<std::uint64_t>(seat)); }
  static Paths root_paths() {
    Paths paths;
    for (Player seat = 0; seat < kMaxSeats; ++seat) paths[static_cast<std::size_t>(seat)] = root_path(seat);
    return paths;
  }
  void observe(Paths& paths, Action action) const {
    for (int seat = 0; seat < players_; ++seat) {
      Key& path = paths[static_cast<std::size_t>(seat)];
      path = hash_step(path, observed(S::kInfo, action, seat));
    }
  }

  View view_;
  SearchParams params_;
  std::vector<Action> among_;
  Weighing weighing_;
  Streams streams_;
  S fixed_;
  int players_;
  Arena arena_;
  PathTable<Bandit> table_;
  Bandit* first_ = nullptr;
  Bandit* last_ = nullptr;
  const Bandit* root_ = nullptr;
  std::uint64_t nodes_ = 0;
  std::uint64_t iterations_ = 0;
  std::uint64_t kept_ = 0;
  Paths root_paths_ = root_paths();
  std::vector<Tally> root_tallies_;  // by slot
  std::optional<Prospects> prospects_;

  // Of the iteration under way; kept to be used again.
  ActionList legal_;
  TrialOrder order_;
  Behind behind_;
  std::array<std::uint64_t, ActionList::capacity()> keys_;
  Plan planned_{};
  bool pooled_ = false;  // an event that a tree does not tell apart came before, since the root
  std::vector<Step> trail_;
  Bandit::Offered offered_;
};

}  // namespace kingsbridge
