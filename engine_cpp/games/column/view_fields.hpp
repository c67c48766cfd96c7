// The fields of the view of A Column of Fire, listed once for reading and writing. Names are those of the proto message ColumnView.
#pragma once

#include <array>
#include <string_view>

#include "games/column/column.hpp"

namespace kingsbridge::column {

inline constexpr std::array<std::string_view, 29> kPhaseNames{
    "start",       "deal",  "first_roll", "first_flip", "window", "roll_religion", "convert",  "use_card", "roll_dice", "recruit",
    "stone",       "house", "track",      "use_space",  "landed", "good",          "religion", "sell3",    "turn_die",  "free_die",
    "remove_card", "trade", "ship",       "ship_stone", "draw",   "flip",          "event",    "conflict", "over"};
inline constexpr std::array<std::string_view, 11> kPointNames{"none", "start", "cards", "card", "recruit",  "new_card",
                                                              "flip", "track", "space", "end",  "conflicts"};
inline constexpr std::array<std::string_view, 2> kReligionNames{"catholic", "protestant"};

enum DomainNumber : std::uint8_t {
  kSeatDomain,
  kYearDomain,
  kFaceDomain,
  kCountryDomain,
  kGoodDomain,
  kStoneDomain,
  kDieDomain,
  kSeatDieDomain,
  kCardDomain,
  kSpaceDomain,
  kLochLevenDomain,
  kTileDomain,
  kPairsDomain
};
inline const Domain& domain(DomainNumber number) { return State::kInfo.domains[number]; }

struct CountryFields {
  std::uint8_t face_up = kNone;
  std::array<std::uint8_t, kStones> stones{};
  IdList unseen;
};
struct RowFields {
  std::uint8_t card = kNone;
  std::uint8_t die = kNone;
};

template <class F>
void visit_countries(F& fields, Table& t) {
  FixedVector<CountryFields, kCountries> list;
  for (unsigned country = 0; !F::kReads && country < kCountries; ++country) {
    list.push_back({t.face_up[country], t.stones[country], {}});
    for_each(t.unseen[country],
             [&](unsigned card) { list[country].unseen.push_back(static_cast<std::uint8_t>(kDeckCards * country + card)); });
  }
  fields.group("countries", list, [](F& inner, CountryFields& item) {
    inner.component("face_up", domain(kCardDomain), item.face_up);
    inner.numbers("stones", item.stones);
    inner.components("unseen", domain(kCardDomain), item.unseen);
  });
  if constexpr (F::kReads) {
    if (list.size() != kCountries) fields.refuse("countries", "the four countries");
    for (unsigned country = 0; country < kCountries; ++country) {
      t.face_up[country] = list[country].face_up;
      t.stones[country] = list[country].stones;
      t.unseen[country] = 0;
      for (const auto card : list[country].unseen) {
        if (card / kDeckCards != country) fields.refuse("countries", "cards of the country's own deck");
        t.unseen[country] |= 1u << card % kDeckCards;
      }
    }
  }
}

template <class F>
void visit_row(F& fields, Seat& seat) {
  FixedVector<RowFields, kColours> row;
  for (unsigned i = 0; !F::kReads && i < seat.row_size; ++i) row.push_back({seat.row_cards[i], seat.row_dice[i]});
  fields.group("row", row, [](F& inner, RowFields& item) {
    inner.component("card", domain(kCardDomain), item.card);
    inner.component("die", domain(kDieDomain), item.die);
  });
  if constexpr (F::kReads) {
    seat.row_size = static_cast<std::uint8_t>(row.size());
    for (unsigned i = 0; i < row.size(); ++i) {
      if (row[i].card == kNone || row[i].die == kNone) fields.refuse("row", "a card and its die");
      seat.row_cards[i] = row[i].card;
      seat.row_dice[i] = row[i].die;
    }
  }
}

template <class F>
void visit_seat(F& fields, Seat& seat) {
  fields.number("points", seat.points);
  fields.numbers("goods", seat.goods);
  fields.number("protection", seat.protection);
  fields.choice("religion", kReligionNames, seat.religion);
  fields.number("religion_die", seat.religion_die);
  fields.component("space", domain(kSpaceDomain), seat.space);
  fields.numbers("houses", seat.houses);
  fields.numbers("faces", seat.faces);
  visit_row(fields, seat);
  visit_set(fields, "prison", domain(kDieDomain), seat.prison);
  fields.number("held", seat.held);
  fields.numbers("tiles", seat.tiles);
}

template <class F>
void visit_sold(F& fields, std::uint8_t& sold) {
  std::array<std::uint8_t, 2 * kCountries> list{};
  for (unsigned i = 0; i < list.size(); ++i) list[i] = sold >> i & 1;
  fields.flags("sold", list);
  if constexpr (F::kReads) {
    sold = 0;
    for (unsigned i = 0; i < list.size(); ++i) sold = static_cast<std::uint8_t>(sold | list[i] << i);
  }
}

template <class F>
void View::visit_fields(F& fields) {
  Table& t = table_;
  visit_options(fields, t.options);
  fields.number("viewer", viewer_);
  fields.choice("phase", kPhaseNames, t.phase);
  fields.choice("point", kPointNames, t.point);
  fields.number("year", t.year);
  fields.number("half", t.half);
  fields.number("start_player", t.start_player);
  fields.number("turn", t.turn);
  fields.number("mover", t.mover);
  visit_countries(fields, t);
  fields.component("flipping", domain(kCountryDomain), t.flipping);
  fields.component("event", domain(kCardDomain), t.event);
  fields.flag("event_done", t.event_done);
  fields.flag("ending", t.ending);
  fields.component("die", domain(kDieDomain), t.die);
  fields.component("country", domain(kCountryDomain), t.country);
  fields.number("cursor", t.cursor);
  fields.component("space", domain(kSpaceDomain), t.space);
  fields.component("acting", domain(kSpaceDomain), t.acting);
  visit_set(fields, "stones", domain(kStoneDomain), t.allowed);
  visit_sold(fields, t.sold);
  fields.numbers("unseen_tiles", t.stack);

  FixedVector<Seat, kMaxSeats> seats;
  for (unsigned i = 0; !F::kReads && i < t.options.players; ++i) seats.push_back(t.seats[i]);
  fields.group("seats", seats, [](F& inner, Seat& seat) { visit_seat(inner, seat); });
  if constexpr (F::kReads) {
    if (seats.size() != t.options.players) fields.refuse("seats", "one entry for each of the players");
    for (unsigned i = 0; i < seats.size(); ++i) t.seats[i] = seats[i];
  }
}

// Writing visitors change nothing, but share the list with reading ones.
template <class F>
void View::visit_fields(F& fields) const {
  static_assert(!F::kReads);
  View copy = *this;
  copy.visit_fields(fields);
}

}  // namespace kingsbridge::column
