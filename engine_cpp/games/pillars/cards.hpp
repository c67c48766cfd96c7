// The cards of The Pillars of the Earth, as facts. To correct a row, change it here and rebuild: records made with the old row are then
// refused, since rules_hash covers the table.
//
// Provenance. Conversions, capacities and rounds of the craftsmen: certain (SEED and the T&K manual agree on most, the count of four a
// round on all). Their prices: likely (SEED alone). Advantage and event cards, resource cards: certain as effects (SEED; numbers of cards
// confirmed). SEED is the BSW player page the rules rest on; T&K the Thames & Kosmos manual. German names are the cards' own, Japanese ones
// SEED's; English craftsmen follow T&K or Mayfair; the rest is translated by us and marked unofficial.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/game_info.hpp"

namespace kingsbridge::pillars {

// What one use of a craftsman takes and gives.
struct CraftsmanCard {
  std::string_view id;
  Text names;
  std::uint8_t cost;                   // in gold, when hired in phase 1
  std::uint8_t round;                  // 0: one for each player at the start
  std::array<std::uint8_t, 4> inputs;  // sand, wood, stone, metal
  std::uint8_t gold;                   // input
  std::uint8_t points;
  std::uint8_t earns;  // gold
  std::uint8_t capacity;
};

struct QuarryCard {
  std::string_view id;
  Text names;
  std::uint8_t good;
  std::uint8_t workers;
  std::uint8_t yield;
};

struct EffectCard {
  std::string_view id;
  Text names;
};

inline constexpr Text kMortarMixerName{"mortar mixer", {}, "モルタル・ミキサー", "Mörtelmischer"};
inline constexpr Text kWoodworkerName{"woodworker", {}, "指物師", "Schreiner"};
inline constexpr Text kStonecutterName{"stonecutter", {}, "石工", "Steinmetz"};
inline constexpr Text kToolmakerName{"toolmaker", {}, "工作機械製造", "Werkzeugmacher"};
inline constexpr Text kMasonName{"mason", {}, "左官", "Maurer"};
inline constexpr Text kArchitectName{"architect", {}, "建築技師", "Statiker"};
inline constexpr Text kPotterName{"potter", {}, "陶工", "Töpfer"};
inline constexpr Text kCarpenterName{"carpenter", {}, "大工", "Zimmermann"};
inline constexpr Text kSculptorName{"sculptor", {}, "彫刻家", "Bildhauer"};
inline constexpr Text kGlassblowerName{"glassblower", {}, "ガラス細工師", "Glasbläser"};
inline constexpr Text kGoldsmithName{"goldsmith", {}, "金細工師", "Goldschmied"};
inline constexpr Text kOrganBuilderName{"organ builder", {}, "楽器職人", "Orgelbauer"};
inline constexpr Text kBellMakerName{"bell maker", {}, "釣鐘職人", "Glockengießer"};

// clang-format off
inline constexpr std::array<CraftsmanCard, 27> kCraftsmanCards{{
    // id, names, cost, round, {sand, wood, stone, metal}, gold, points, earns, capacity
    {"S1", kMortarMixerName, 0, 0, {3, 0, 0, 0}, 0, 1, 0, 3},
    {"S2", kWoodworkerName, 0, 0, {0, 2, 0, 0}, 0, 1, 0, 4},
    {"S3", kStonecutterName, 0, 0, {0, 0, 2, 0}, 0, 1, 0, 4},
    {"1a", kMortarMixerName, 4, 1, {2, 0, 0, 0}, 0, 1, 0, 3},
    {"1b", kWoodworkerName, 3, 1, {0, 1, 0, 0}, 0, 0, 4, 2},
    {"1c", kToolmakerName, 2, 1, {0, 0, 0, 0}, 0, 0, 2, 1},  // needs a metal, keeps it
    {"1d", kMasonName, 5, 1, {0, 0, 1, 0}, 0, 1, 0, 2},
    {"2a", kMasonName, 4, 2, {0, 0, 1, 0}, 0, 1, 0, 3},
    {"2b", kArchitectName, 6, 2, {0, 0, 0, 0}, 0, 1, 0, 1},
    {"2c", kPotterName, 5, 2, {1, 0, 0, 0}, 0, 1, 0, 2},
    {"2d", kCarpenterName, 3, 2, {0, 1, 0, 0}, 0, 1, 0, 2},
    {"3a", kMasonName, 4, 3, {0, 0, 1, 0}, 0, 1, 0, 4},
    {"3b", kPotterName, 7, 3, {1, 0, 0, 0}, 0, 1, 0, 3},
    {"3c", kCarpenterName, 5, 3, {0, 1, 0, 0}, 0, 1, 0, 3},
    {"3d", kSculptorName, 6, 3, {0, 0, 1, 0}, 0, 2, 0, 1},
    {"4a", kMasonName, 5, 4, {0, 0, 1, 0}, 0, 1, 0, 5},
    {"4b", kCarpenterName, 6, 4, {0, 1, 0, 0}, 0, 1, 0, 4},
    {"4c", kSculptorName, 7, 4, {0, 0, 1, 0}, 0, 2, 0, 2},
    {"4d", kGlassblowerName, 8, 4, {1, 0, 0, 1}, 0, 3, 0, 1},
    {"5a", kCarpenterName, 6, 5, {0, 1, 0, 0}, 0, 1, 0, 5},
    {"5b", kSculptorName, 8, 5, {0, 0, 1, 0}, 0, 2, 0, 3},
    {"5c", kGlassblowerName, 9, 5, {1, 0, 0, 1}, 0, 3, 0, 2},
    {"5d", kGoldsmithName, 7, 5, {0, 0, 0, 0}, 3, 1, 0, 6},
    {"6a", kSculptorName, 8, 6, {0, 0, 1, 0}, 0, 2, 0, 4},
    {"6b", kGoldsmithName, 7, 6, {0, 0, 0, 0}, 3, 1, 0, 8},
    {"6c", kOrganBuilderName, 9, 6, {0, 1, 0, 1}, 0, 6, 0, 1},
    {"6d", kBellMakerName, 10, 6, {0, 0, 0, 1}, 0, 4, 0, 2},
}};

inline constexpr std::array<QuarryCard, 9> kQuarryCards{{
    {"sand2", {"small gravel pit", {}, "砂 2", "Sand 2"}, 0, 2, 2},
    {"sand3", {"gravel pit", {}, "砂 3", "Sand 3"}, 0, 4, 3},
    {"sand4", {"large gravel pit", {}, "砂 4", "Sand 4"}, 0, 7, 4},
    {"wood2", {"small forest", {}, "木材 2", "Holz 2"}, 1, 3, 2},
    {"wood3", {"forest", {}, "木材 3", "Holz 3"}, 1, 6, 3},
    {"wood4", {"large forest", {}, "木材 4", "Holz 4"}, 1, 9, 4},
    {"stone2", {"small quarry", {}, "石材 2", "Stein 2"}, 2, 5, 2},
    {"stone3", {"quarry", {}, "石材 3", "Stein 3"}, 2, 8, 3},
    {"stone4", {"large quarry", {}, "石材 4", "Stein 4"}, 2, 10, 4},
}};

inline constexpr std::array<EffectCard, 16> kAdvantageCards{{
    {"A1", {"1 sand every round", {}, "毎ラウンド 砂1", "Jede Runde 1 Sand"}},
    {"A2", {"1 wood every round", {}, "毎ラウンド 木材1", "Jede Runde 1 Holz"}},
    {"A3", {"1 stone every round", {}, "毎ラウンド 石材1", "Jede Runde 1 Stein"}},
    {"A4", {"see the event card", {}, "イベントを見る", "Ereigniskarte ansehen"}},
    {"A5", {"priory +1", {}, "修道院 +1", "Priorei +1"}},
    {"A6", {"fixed tax of 2 gold", {}, "税金2金", "Fixsteuer 2 Gold"}},
    {"A7", {"six craftsmen", {}, "職人6枚", "6 Handwerker"}},
    {"A8", {"one builder free", {}, "マイスター1回無料", "Einmal Baumeister kostenlos"}},
    {"A9", {"3 victory points", {}, "勝利点3", "Sofort 3 Siegpunkte"}},
    {"A10", {"one more worker every round", {}, "人足 +1", "Jede Runde ein Arbeiter mehr"}},
    {"A11", {"event protection once", {}, "イベント回避 1回", "Einmal Ereignisschutz"}},
    {"A12", {"tax relief once", {}, "免税 1回", "Einmal Steuerfreiheit"}},
    {"A13", {"8 gold", {}, "8金", "Sofort 8 Gold"}},
    {"A14", {"2 metal", {}, "金属2", "Sofort 2 Metall"}},
    {"A15", {"1 stone and 1 wood", {}, "石材1と木材1", "Sofort 1 Stein und 1 Holz"}},
    {"A16", {"1 metal", {}, "金属1", "Sofort 1 Metall"}},
}};

inline constexpr std::array<EffectCard, 10> kEventCards{{
    {"E1", {"all resource cards -1", {}, "資材カード −1", "Alle Baustoffkarten -1"}},
    {"E2", {"all resource cards +1", {}, "資材カード +1", "Alle Baustoffkarten +1"}},
    {"E3", {"1 metal for all", {}, "全員 金属1", "Alle Spieler erhalten 1 Metall"}},
    {"E4", {"5 gold for all", {}, "全員 5金", "Alle Spieler erhalten 5 Gold"}},
    {"E5", {"all lose 2 victory points", {}, "全員 −2点", "Alle Spieler verlieren 2 Siegpunkte"}},
    {"E6", {"all lose 4 gold", {}, "全員 −4金", "Alle Spieler verlieren 4 Gold"}},
    {"E7", {"all give up a craftsman", {}, "職人1枚を破棄", "Einen Handwerker abgeben"}},
    {"E8", {"double pay for up to 5 workers", {}, "人足5人まで倍額", "Je bis zu 5 Arbeiter doppelten Lohn"}},
    {"E9", {"capacity of a craftsman +1", {}, "職人1人の稼働 +1", "Kapazität eines Handwerkers +1"}},
    {"E10", {"two builders only next round", {}, "次ラウンドはマイスター2人", "Nur zwei Baumeister nächste Runde"}},
}};
// clang-format on

}  // namespace kingsbridge::pillars
