// The cards in the form the rules compute with: packed resources, indexed by worker symbol or site.
#pragma once

#include <array>
#include <cstdint>

#include "core/bits.hpp"
#include "games/builders/builders.hpp"
#include "games/builders/cards.hpp"

namespace kingsbridge::builders {

// Four resources in four bits each, stone lowest. Needs and production of one card stay below 8, so bit 3 of each is free for borrows.
using Packed = std::uint16_t;

constexpr Packed packed(const Resources& resources) {
  return static_cast<Packed>(resources[0] | resources[1] << 4 | resources[2] << 8 | resources[3] << 12);
}

// What is still missing after a worker's share; surplus is lost.
constexpr Packed without(Packed missing, Packed makes) {
  const unsigned difference = (missing | 0x8888u) - makes;  // bit 3 of a resource survives where enough is missing
  const unsigned enough = difference & 0x8888u;
  return static_cast<Packed>(difference & (enough - (enough >> 3)));
}

// Sum over the four resources.
constexpr unsigned total(Packed resources) {
  const unsigned pairs = (resources & 0x0F0Fu) + (resources >> 4 & 0x0F0Fu);
  return (pairs + (pairs >> 8)) & 0x1Fu;
}

// One worker symbol per face: 41 workers without the second card of a face, then the machines.
constexpr auto worker_cards() {
  std::array<int, kFirstMachine> cards{};
  std::size_t symbol = 0;
  for (std::size_t i = 0; i < kWorkers.size(); ++i)
    if (kWorkers[i].id == kWorkers[i].face) cards[symbol++] = static_cast<int>(i);
  return cards;
}

constexpr auto make_production() {
  std::array<Packed, 64> production{};
  for (unsigned symbol = 0; symbol < kFirstMachine; ++symbol)
    production[symbol] = packed(kWorkers[static_cast<std::size_t>(worker_cards()[symbol])].makes);
  for (unsigned m = 0; m < kMachines; ++m) production[kFirstMachine + m] = packed(kSites[kFirstMachineSite + m].makes);
  production[kTwin] = production[kDoubleFace];
  return production;
}

constexpr auto make_wages() {
  std::array<std::uint8_t, 64> wages{};
  for (unsigned symbol = 0; symbol < kFirstMachine; ++symbol)
    wages[symbol] = kWorkers[static_cast<std::size_t>(worker_cards()[symbol])].wage;
  wages[kTwin] = wages[kDoubleFace];
  return wages;
}

constexpr auto make_needs() {
  std::array<Packed, kSiteCount> needs{};
  for (unsigned site = 0; site < kSiteCount; ++site) needs[site] = packed(kSites[site].needs);
  return needs;
}

constexpr auto make_payable() {
  std::array<Bits, 6> payable{};
  const auto wages = make_wages();
  for (unsigned coins = 0; coins < payable.size(); ++coins)
    for (unsigned symbol = 0; symbol < kFaces; ++symbol)
      if (wages[symbol] <= coins) payable[coins] |= bit(symbol);
  return payable;
}

constexpr Bits make_apprentices() {
  Bits set = 0;
  for (unsigned symbol = 0; symbol < kFirstMachine; ++symbol)
    if (kWorkers[static_cast<std::size_t>(worker_cards()[symbol])].apprentice) set |= bit(symbol);
  return set;
}

inline constexpr std::array<Packed, 64> kProduction = make_production();
inline constexpr std::array<std::uint8_t, 64> kWage = make_wages();
inline constexpr std::array<Packed, kSiteCount> kNeed = make_needs();
inline constexpr Bits kApprentices = make_apprentices();
inline constexpr std::array<Bits, 6> kPayable = make_payable();  // workers by the coins at hand; no wage is above 5
inline constexpr Bits kAllWorkers = ((Bits{1} << kFirstMachine) - 1) | bit(kTwin);
inline constexpr Bits kAllSites = (Bits{1} << kSiteCount) - 1;

// The machine that joins the workers when its site is finished.
constexpr unsigned machine_of(unsigned site) { return site - kFirstMachineSite + kFirstMachine; }
constexpr bool is_machine_site(unsigned site) { return site >= kFirstMachineSite; }

// Sets by face: a second card of the double face takes the bit kTwin.
constexpr Bits with(Bits set, unsigned face) { return set | (face == kDoubleFace && contains(set, kDoubleFace) ? bit(kTwin) : bit(face)); }
constexpr Bits less(Bits set, unsigned face) { return set & ~(face == kDoubleFace && contains(set, kTwin) ? bit(kTwin) : bit(face)); }
constexpr unsigned face_of(unsigned index) { return index == kTwin ? kDoubleFace : index; }
// Faces of a set, each once.
constexpr Bits faces(Bits set) { return set & ~bit(kTwin); }

// Positions in Table::place that hold a site.
Bits places_of(const Table& table, unsigned site);
// Workers and machines at work on a site, by face.
inline Bits at_work(const Table& table, unsigned site) {
  const Bits places = places_of(table, site);
  const bool second_alone = contains(places, kTwin) && !contains(places, kDoubleFace);
  return second_alone ? places ^ bit(kTwin) ^ bit(kDoubleFace) : places;
}

}  // namespace kingsbridge::builders
