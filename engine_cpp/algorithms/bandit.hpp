// Which action to try next: UCB1 over actions that are not always available. One Bandit is one node of a search tree.
//
// UCB1: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002). With availability counts in place of
// the parent's visits: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search" (2012). First-play urgency: Gelly, Wang,
// "Exploration exploitation in Go: UCT for Monte-Carlo Go" (2006). Progressive bias: Chaslot, Winands, van den Herik, Uiterwijk, Bouzy,
// "Progressive strategies for Monte-Carlo tree search" (2008).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/arena.hpp"
#include "core/fixed_vector.hpp"
#include "core/game_state.hpp"
#include "core/returns.hpp"
#include "core/types.hpp"

namespace kingsbridge {

// UCB1: mean + c * sqrt(ln(availability) / visits). PUCT (Rosin, "Multi-armed bandits with episode context", 2011): mean + c * prior *
// sqrt(availability) / (1 + visits).
//
// What of a bound depends on the availability: c times the square root of it, or of its logarithm. Small numbers are looked up; the table
// grows as the search does.
class Scales {
 public:
  Scales(SelectionRule rule, double exploration) : rule_(rule), exploration_(exploration) {}

  SelectionRule rule() const { return rule_; }

  // No node has been offered more often than there are iterations.
  void extend() {
    if (table_.size() < kTable) table_.push_back(compute(table_.size()));
  }
  double operator[](std::size_t availability) const { return availability < table_.size() ? table_[availability] : compute(availability); }

 private:
  static constexpr std::size_t kTable = 8192;
  double compute(std::size_t availability) const {
    const auto offers = static_cast<double>(availability > 0 ? availability : 1);
    return exploration_ * std::sqrt(rule_ == SelectionRule::kPuct ? offers : std::log(offers));
  }

  SelectionRule rule_;
  double exploration_;
  std::vector<double> table_;
};

// What is thought of an action before it is tried, in units of utility: how far the game's heuristic puts it behind the best.
struct Prior {
  double point = 0;  // of one unit of the heuristic
  double most = 0;   // no action is thought worse than the best by more
  double trust = 0;  // after so many visits half of it counts
  double temperature = 0;

  double of(std::int32_t behind) const { return -std::min(most, behind * point); }
  double after(std::int32_t behind, std::uint32_t visits) const { return of(behind) * trust / (trust + visits); }
  // Not normalised: 1 for the best.
  double odds(std::int32_t behind) const { return std::exp(of(behind) / temperature); }
};

// How the actions of every node of a tree are weighed.
struct Weighing {
  Scales scales;
  double caution;  // an untried action passes for its node's mean less this
  Prior prior;
  double widening;  // actions considered after n visits are this times n^0.4, at least one; 0: all

  // Whether after so many visits of a node, with so many actions tried, another may be.
  bool widens(std::uint32_t visits, std::uint32_t tried) const {
    return widening == 0 || tried < widening * std::pow(static_cast<double>(visits), 0.4);
  }
};

// Of each legal action how far it is behind the best by the heuristic.
using Behind = std::array<std::int32_t, ActionList::capacity()>;

// Places of the legal actions in the order in which they are to be tried.
using TrialOrder = std::array<std::uint16_t, ActionList::capacity()>;

inline constexpr std::uint32_t kNoSlot = UINT32_MAX;

// What is known of an action. Slots number the tried ones in the order of their first trial.
struct ActionRow {
  Action action;
  std::uint32_t visits;
  std::uint32_t availability;
  std::uint32_t slot;  // or kNoSlot
  std::int64_t total;

  bool operator==(const ActionRow&) const = default;
};

// The actions of one node and what they brought to its seat. Sums are integers (Utility), so they do not depend on the order of summing.
//
// As long as every visit offers the same actions, the availability of each is the number of visits, and nothing else is counted. Only when
// the offers differ, as they do after a pooled chance event, is it counted for each action.
//
// Choosing writes nothing that shows, so an iteration that is given up leaves no mark. The reward writes all there is to write.
class Bandit {
 public:
  // The action to try; its slot is the next free one if it is untried, kNoSlot where memory ends.
  struct Choice {
    Action action;
    std::uint32_t slot;
  };
  // Places in the node's own list of the actions that were offered, for reward().
  using Offered = std::vector<std::uint16_t>;

  // Bytes of a new node.
  static constexpr std::size_t bytes_for(std::size_t actions) {
    return Arena::rounded(sizeof(Bandit)) + bytes_of_actions(actions) + (std::size_t{1} << ArenaList<Arm>::kFirst);
  }
  // A node before its first reward, which is for the first action of the order. Its bytes must have been reserved.
  static Bandit* make(Player seat, const ActionList& legal, const TrialOrder& order, const Behind& behind, const Weighing& by,
                      Arena& arena) {
    auto* const node = new (arena.take(sizeof(Bandit))) Bandit(seat, legal.size());
    node->actions_ = static_cast<Action*>(arena.take(bytes_of_actions(legal.size())));
    std::memcpy(node->actions_, legal.begin(), legal.size() * sizeof(Action));
    std::memcpy(node->behind(), behind.data(), legal.size() * sizeof(std::int32_t));
    std::memcpy(node->order(), order.data(), legal.size() * sizeof(std::uint16_t));
    node->arms_.make_room(arena);
    if (by.scales.rule() == SelectionRule::kPuct) node->weigh(behind, by.prior);
    return node;
  }

  Player seat() const { return seat_; }
  // How often it offered its actions: its visits.
  std::uint32_t offers() const { return offers_; }
  // Whether these, ascending, were offered in all of them.
  bool always_offered(std::span<const Action> actions) const {
    return actions_ != nullptr && std::equal(actions.begin(), actions.end(), actions_, actions_ + usual_);
  }
  // Slots in use.
  std::uint32_t tried() const { return static_cast<std::uint32_t>(arms_.size()); }
  const Bandit* next() const { return next_; }
  void set_next(const Bandit* node) { next_ = node; }

  // The action of the highest upper confidence bound: mean + scales[availability] * width + bias, in units of utility; the width is
  // 1 / sqrt(visits), or prior / (1 + visits) by PUCT; the availability counts this offer. Of the untried actions only the first in the
  // order is a candidate, judged as if one visit had brought the mean of the node less `caution`. Equal bounds go to the untried action,
  // then to the lower one. rate() gives the Behind of the legal actions, and is asked for those that were never offered before. Requires a
  // reward before.
  template <class Rate>
  Choice choose(const ActionList& legal, const Weighing& by, Arena& arena, Offered& offered, Rate&& rate) {
    if (actions_ != nullptr && is_usual(legal)) return choose_usual(by, arena);
    if (actions_ != nullptr && !tell_apart(arena)) return {kNoAction, kNoSlot};
    return choose_offered(legal, by, arena, offered, rate);
  }

  // Adds the outcome of the visit for which this was chosen.
  void reward(Choice choice, Utility utility, std::span<const std::uint16_t> offered, const Weighing& by) {
    ++offers_;
    total_ += utility;
    std::int32_t behind = actions_ != nullptr ? this->behind()[order()[choice.slot]] : 0;
    for (const std::uint16_t place : offered) {
      count_offer(list_[place], choice);
      if (list_[place].action == choice.action) behind = list_[place].behind;
    }
    if (choice.slot == arms_.size())
      return arms_.push_back({static_cast<double>(utility), width(behind, 1, by), by.prior.after(behind, 1), utility, 1, behind});
    Arm& arm = arms_[choice.slot];
    ++arm.visits;
    arm.total += utility;
    arm.mean = static_cast<double>(arm.total) / arm.visits;
    arm.width = width(arm.behind, arm.visits, by);
    arm.bias = by.prior.after(arm.behind, arm.visits);
  }

  // Calls f(const ActionRow&) for each action that was offered, ascending.
  template <class F>
  void for_each(F&& f) const {
    if (actions_ == nullptr) {
      for (const Offer& offer : list_)
        if (offer.availability > 0) f(row(offer.action, offer.availability, offer.slot()));
      return;
    }
    std::array<std::uint32_t, ActionList::capacity()> slots;
    for (std::uint32_t slot = 0; slot < usual_; ++slot) slots[order()[slot]] = slot < tried() ? slot : kNoSlot;
    for (std::uint32_t place = 0; place < usual_; ++place) f(row(actions_[place], offers_, slots[place]));
  }

  // The most visited of these, then the higher mean, then the lower number; kNoAction if none was tried.
  Action most_visited(const ActionList& legal) const {
    Action best = kNoAction;
    std::uint32_t visits = 0;
    double mean = 0;
    for_each([&](const ActionRow& each) {
      if (each.slot == kNoSlot || !std::binary_search(legal.begin(), legal.end(), each.action)) return;
      const double other = arms_[each.slot].mean;
      if (each.visits < visits || (each.visits == visits && other <= mean)) return;
      best = each.action, visits = each.visits, mean = other;
    });
    return best;
  }

 private:
  // What a tried action brought.
  struct Arm {
    double mean;
    double width;  // how the bound's width depends on the visits
    double bias;   // what is left of what was thought beforehand
    std::int64_t total;
    std::uint32_t visits;
    std::int32_t behind;
  };
  // How often an action was offered. Availability 0: in no iteration that was finished, so it is not there.
  struct Offer {
    Action action;
    std::uint32_t availability;
    std::int32_t trial;  // ~slot of a tried action; rank of an untried one, not negative, the highest first
    std::int32_t behind;

    bool tried() const { return trial < 0; }
    std::uint32_t slot() const { return tried() ? static_cast<std::uint32_t>(~trial) : kNoSlot; }
  };
  // The best tried action and the first untried one of an offer.
  struct Candidates {
    Choice best{kNoAction, kNoSlot};
    double bound = -std::numeric_limits<double>::infinity();
    Action first = kNoAction;
    std::uint32_t availability = 0;
    std::int32_t rank = -1;
    std::int32_t behind = 0;
  };

  Bandit(Player seat, std::size_t usual) : usual_(static_cast<std::uint16_t>(usual)), seat_(static_cast<std::int8_t>(seat)) {}

  static constexpr std::size_t bytes_of_actions(std::size_t actions) {
    return Arena::rounded(actions * (sizeof(Action) + sizeof(std::int32_t) + sizeof(std::uint16_t)));
  }
  std::int32_t* behind() { return reinterpret_cast<std::int32_t*>(actions_ + usual_); }
  std::uint16_t* order() { return reinterpret_cast<std::uint16_t*>(actions_ + 2u * usual_); }
  const std::uint16_t* order() const { return reinterpret_cast<const std::uint16_t*>(actions_ + 2u * usual_); }
  bool is_usual(const ActionList& legal) const {
    return legal.size() == usual_ && std::memcmp(legal.begin(), actions_, usual_ * sizeof(Action)) == 0;
  }
  // The bound of an untried action: as if one visit had brought the mean of the node less the caution; by PUCT, as if none had.
  double urgency(std::int32_t behind, double scale, const Weighing& by) const {
    return static_cast<double>(total_) / offers_ - by.caution +
           scale * width(behind, by.scales.rule() == SelectionRule::kPuct ? 0 : 1, by) + by.prior.of(behind);
  }
  double width(std::int32_t behind, std::uint32_t visits, const Weighing& by) const {
    if (by.scales.rule() == SelectionRule::kPuct) return by.prior.odds(behind) / odds_ / (1.0 + visits);
    return 1.0 / std::sqrt(static_cast<double>(visits));
  }
  // Priors are shares of the odds of the actions that the node began with.
  void weigh(const Behind& behind, const Prior& prior) {
    odds_ = 0;
    for (std::size_t place = 0; place < usual_; ++place) odds_ += prior.odds(behind[place]);
  }
  ActionRow row(Action action, std::uint32_t availability, std::uint32_t slot) const {
    if (slot == kNoSlot) return {action, 0, availability, slot, 0};
    return {action, arms_[slot].visits, availability, slot, arms_[slot].total};
  }

  Choice choose_usual(const Weighing& by, Arena& arena) {
    const double scale = by.scales[offers_ + 1u];
    double best_bound = -std::numeric_limits<double>::infinity();
    std::uint32_t best = 0;
    for (std::uint32_t slot = 0; slot < tried(); ++slot) {
      const double bound = arms_[slot].mean + scale * arms_[slot].width + arms_[slot].bias;
      if (bound < best_bound || (bound == best_bound && order()[slot] > order()[best])) continue;
      best = slot, best_bound = bound;
    }
    if (tried() < usual_ && by.widens(offers_, tried()) && urgency(behind()[order()[tried()]], scale, by) >= best_bound &&
        arms_.make_room(arena))
      best = tried();
    return {actions_[order()[best]], best};
  }

  template <class Rate>
  Choice choose_offered(const ActionList& legal, const Weighing& by, Arena& arena, Offered& offered, Rate&& rate) {
    Candidates found;
    const Behind* rated = nullptr;
    std::size_t place = 0;
    for (std::size_t i = 0; i < legal.size(); ++i) {
      const Action action = legal[i];
      while (place < list_.size() && list_[place].action < action) ++place;
      if (place == list_.size() || list_[place].action != action) {
        if (!list_.make_room(arena)) return {kNoAction, kNoSlot};
        list_.insert(place, {action, 0, 0, 0});
      }
      if (list_[place].availability == 0) {
        if (rated == nullptr) rated = &rate();
        list_[place].behind = (*rated)[i];
      }
      offered.push_back(static_cast<std::uint16_t>(place));
      consider(list_[place++], by.scales, found);
    }
    if (found.first == kNoAction) return found.best;
    const bool waits = found.best.slot != kNoSlot &&
                       (!by.widens(offers_, tried()) || urgency(found.behind, by.scales[found.availability], by) < found.bound);
    return !waits && arms_.make_room(arena) ? Choice{found.first, tried()} : found.best;
  }

  void consider(const Offer& offer, const Scales& scales, Candidates& found) const {
    const std::uint32_t availability = offer.availability + 1;
    if (offer.tried()) {
      const Arm& arm = arms_[offer.slot()];
      const double bound = arm.mean + scales[availability] * arm.width + arm.bias;
      if (bound > found.bound) found.best = {offer.action, offer.slot()}, found.bound = bound;
      return;
    }
    const std::int32_t rank = offer.availability > 0 ? offer.trial : rank_after(offers_);
    if (rank > found.rank) found.first = offer.action, found.availability = availability, found.rank = rank, found.behind = offer.behind;
  }

  void count_offer(Offer& offer, Choice choice) {
    if (offer.availability++ == 0) offer.trial = rank_after(offers_ - 1);
    if (offer.action == choice.action) offer.trial = ~static_cast<std::int32_t>(choice.slot);
  }
  // Of an action that is first offered after so many offers: it is the next to be tried.
  static std::int32_t rank_after(std::uint32_t offers) { return static_cast<std::int32_t>(ActionList::capacity() + offers); }

  // From now on offers are counted by action; what is known stays the same. False when memory ends.
  bool tell_apart(Arena& arena) {
    if (!list_.make_room_for(usual_ + 1u, arena)) return false;
    std::array<std::uint32_t, ActionList::capacity()> slots;
    for (std::uint32_t slot = 0; slot < usual_; ++slot) slots[order()[slot]] = slot;
    for (std::uint32_t place = 0; place < usual_; ++place) {
      const std::uint32_t slot = slots[place];
      const auto rank = static_cast<std::int32_t>(usual_ - slot);
      list_.push_back({actions_[place], offers_, slot < tried() ? ~static_cast<std::int32_t>(slot) : rank, behind()[place]});
    }
    arena.give_back(actions_, static_cast<unsigned>(std::bit_width(bytes_of_actions(usual_)) - 1));
    actions_ = nullptr;
    return true;
  }

  const Bandit* next_ = nullptr;  // the node made after this one
  std::int64_t total_ = 0;
  double odds_ = 1;
  Action* actions_ = nullptr;  // the usual offer, ascending, then the order of trial; null when offers differ
  ArenaList<Arm> arms_;        // by slot
  ArenaList<Offer> list_;      // ascending, when offers differ
  std::uint32_t offers_ = 0;
  std::uint16_t usual_;
  std::int8_t seat_;
};

}  // namespace kingsbridge
