// What DescribeGame, the notation and the Dealer know of The Pillars of the Earth.
#include "games/pillars/cards.hpp"
#include "games/pillars/view_fields.hpp"

namespace kingsbridge::pillars {
namespace {

template <class Cards>
constexpr auto symbols_of(const Cards& cards) {
  std::array<std::string_view, std::tuple_size_v<Cards>> symbols{};
  for (std::size_t i = 0; i < cards.size(); ++i) symbols[i] = cards[i].id;
  return symbols;
}

template <std::size_t N>
constexpr auto single_copies() {
  std::array<std::uint8_t, N> copies{};
  copies.fill(1);
  return copies;
}

// The three starters exist once for each player, as their components say.
constexpr auto craftsman_copies() {
  auto copies = single_copies<kCraftsmen>();
  for (std::size_t i = 0; i < 3; ++i) copies[i] = kMaxSeats;
  return copies;
}

constexpr auto kCraftsmanSymbols = symbols_of(kCraftsmanCards);
constexpr auto kCraftsmanCopies = craftsman_copies();
constexpr auto kAdvantageSymbols = symbols_of(kAdvantageCards);
constexpr auto kAdvantageCopies = single_copies<kAdvantages>();
constexpr auto kEventSymbols = symbols_of(kEventCards);
constexpr auto kEventCopies = single_copies<kEvents>();
constexpr auto kQuarrySymbols = symbols_of(kQuarryCards);
constexpr auto kQuarryCopies = single_copies<kQuarries>();
constexpr std::array<std::string_view, kGoods> kGoodSymbols{"sand", "wood", "stone", "metal"};
constexpr auto kGoodCopies = single_copies<kGoods>();
constexpr std::array<std::string_view, kSpaces> kSpaceSymbols{"bishop1", "bishop2", "priory1", "priory2", "court1",
                                                              "court2",  "court3",  "court4",  "castle1", "castle2",
                                                              "market1", "market2", "market3", "market4", "start"};
constexpr auto kSpaceCopies = single_copies<kSpaces>();

constexpr std::array<Domain, 11> kDomains{{
    {.name = "seat", .first = 0, .count = kMaxSeats},
    {.name = "round", .first = 1, .count = kRounds},
    {.name = "craftsman", .count = kCraftsmen, .symbols = kCraftsmanSymbols, .copies = kCraftsmanCopies},
    {.name = "advantage", .count = kAdvantages, .symbols = kAdvantageSymbols, .copies = kAdvantageCopies},
    {.name = "event", .count = kEvents, .symbols = kEventSymbols, .copies = kEventCopies},
    {.name = "quarry", .count = kQuarries, .symbols = kQuarrySymbols, .copies = kQuarryCopies},
    {.name = "good", .count = kGoods, .symbols = kGoodSymbols, .copies = kGoodCopies},
    {.name = "space", .count = kSpaces, .symbols = kSpaceSymbols, .copies = kSpaceCopies},
    {.name = "face", .first = 2, .count = 4},
    {.name = "quantity", .first = 0, .count = 64},
    {.name = "times", .first = 0, .count = 16},
}};

constexpr std::array<Argument, 1> kQuarry{{{"quarry", kQuarryDomain}}};
constexpr std::array<Argument, 2> kTwoQuarries{{{"quarry", kQuarryDomain}, {"quarry2", kQuarryDomain}}};
constexpr std::array<Argument, 1> kCraftsman{{{"craftsman", kCraftsmanDomain}}};
constexpr std::array<Argument, 2> kTwoCraftsmen{{{"craftsman", kCraftsmanDomain}, {"craftsman2", kCraftsmanDomain}}};
constexpr std::array<Argument, 2> kCraftsmanQuantity{{{"craftsman", kCraftsmanDomain}, {"quantity", kTimesDomain}}};
constexpr std::array<Argument, 1> kAdvantageCard{{{"advantage", kAdvantageDomain}}};
constexpr std::array<Argument, 1> kEvent{{{"event", kEventDomain}}};
constexpr std::array<Argument, 1> kSpaceArgument{{{"space", kSpaceDomain}}};
constexpr std::array<Argument, 1> kGoodArgument{{{"good", kGoodDomain}}};
constexpr std::array<Argument, 2> kGoodQuantity{{{"good", kGoodDomain}, {"quantity", kQuantityDomain}}};
constexpr std::array<Argument, 1> kSeatArgument{{{"seat", kSeatDomain}}};
constexpr std::array<Argument, 2> kSeatEvent{{{"seat", kSeatDomain}, {"event", kEventDomain}}};
constexpr std::array<Argument, 2> kRoundSeat{{{"round", kRoundDomain}, {"seat", kSeatDomain}}};
constexpr std::array<Argument, 1> kFace{{{"face", kFaceDomain}}};

// Phrases in words; fr is not told by the sources of this game.
constexpr std::array<ActionKind, 28> kKinds{{
    {.name = "take", .arguments = kQuarry, .phrase = {"send workers to {quarry}", {}, "人足を{quarry}へ", "Arbeiter zu {quarry}"}},
    {.name = "hire", .arguments = kCraftsman, .phrase = {"hire the {craftsman}", {}, "{craftsman}を雇用", "{craftsman} anwerben"}},
    {.name = "pass", .phrase = {"pass", {}, "パス", "passen"}},
    {.name = "discard", .arguments = kCraftsman, .phrase = {"give up the {craftsman}", {}, "{craftsman}を破棄", "{craftsman} abgeben"}},
    {.name = "accept", .phrase = {"keep the drawn builder", {}, "引いたマイスターを認める", "den Baumeister behalten"}},
    {.name = "refuse", .phrase = {"put the drawn builder back", {}, "マイスターを引き直す", "den Baumeister zurücklegen"}},
    {.name = "use", .arguments = kAdvantageCard, .phrase = {"use {advantage}", {}, "{advantage}を使用", "{advantage} einsetzen"}},
    {.name = "decline", .phrase = {"keep the card for later", {}, "使用しない", "nicht einsetzen"}},
    {.name = "place", .arguments = kSpaceArgument, .phrase = {"builder to {space}", {}, "マイスターを{space}へ", "Baumeister auf {space}"}},
    {.name = "place_town",
     .arguments = kAdvantageCard,
     .phrase = {"builder to the town: {advantage}", {}, "市街地：{advantage}", "Kingsbridge: {advantage}"}},
    {.name = "place_shiring",
     .arguments = kCraftsman,
     .phrase = {"builder to Shiring: {craftsman}", {}, "職人街：{craftsman}", "Shiring: {craftsman}"}},
    {.name = "protect", .phrase = {"bishop: protection from the event", {}, "司教：イベント回避", "Bischof: Schutz"}},
    {.name = "receive", .arguments = kGoodArgument, .phrase = {"bishop: take 1 {good}", {}, "司教：{good}を得る", "Bischof: 1 {good}"}},
    {.name = "buy",
     .arguments = kGoodQuantity,
     .phrase = {"buy {quantity} {good}", {}, "{good}を{quantity}購入", "{quantity} {good} kaufen"}},
    {.name = "sell",
     .arguments = kGoodQuantity,
     .phrase = {"sell {quantity} {good}", {}, "{good}を{quantity}売却", "{quantity} {good} verkaufen"}},
    {.name = "leave", .phrase = {"leave the market", {}, "取引終了", "den Markt verlassen"}},
    {.name = "boost",
     .arguments = kCraftsman,
     .phrase = {"one more use for the {craftsman}", {}, "{craftsman}の稼働 +1", "Kapazität +1: {craftsman}"}},
    {.name = "work",
     .arguments = kCraftsmanQuantity,
     .phrase = {"{craftsman}: work {quantity} times", {}, "{craftsman}：{quantity}回", "{craftsman}: {quantity} mal"}},
    {.name = "done", .phrase = {"finish building", {}, "建築終了", "fertig gebaut"}},
    {.name = "drop",
     .arguments = kGoodQuantity,
     .phrase = {"give up {quantity} {good}", {}, "{good}を{quantity}破棄", "{quantity} {good} abgeben"}},
    {.name = "start",
     .arguments = kSeatArgument,
     .chance = true,
     .phrase = {"seat {seat} begins", {}, "スタートプレイヤー：{seat}", "Spieler {seat} beginnt"}},
    {.name = "town",
     .arguments = kAdvantageCard,
     .chance = true,
     .pooled = true,
     .deck = "advantage",
     .phrase = {"in the town: {advantage}", {}, "市街地に{advantage}", "In Kingsbridge: {advantage}"}},
    {.name = "split",
     .arguments = kTwoCraftsmen,
     .chance = true,
     .phrase = {"at Shiring: {craftsman}, {craftsman2}", {}, "職人街：{craftsman}、{craftsman2}", "In Shiring: {craftsman}, {craftsman2}"}},
    {.name = "absent",
     .arguments = kTwoQuarries,
     .chance = true,
     .pooled = true,
     .phrase = {"left out: {quarry}, {quarry2}", {}, "除外：{quarry}、{quarry2}", "Nicht dabei: {quarry}, {quarry2}"}},
    {.name = "look",
     .arguments = kSeatEvent,
     .chance = true,
     .owner = 0,
     .deck = "event",
     .phrase =
         {"seat {seat} looks at the event: {event}", {}, "{seat}がイベントを見る：{event}", "Spieler {seat} sieht das Ereignis: {event}"}},
    {.name = "draw",
     .arguments = kRoundSeat,
     .chance = true,
     .phrase = {"round {round}: a builder of seat {seat} is drawn",
                {},
                "ラウンド{round}：{seat}のマイスターを引く",
                "Runde {round}: Baumeister von Spieler {seat}"}},
    {.name = "reveal",
     .arguments = kEvent,
     .chance = true,
     .deck = "event",
     .phrase = {"event: {event}", {}, "イベント：{event}", "Ereignis: {event}"}},
    {.name = "roll", .arguments = kFace, .chance = true, .phrase = {"tax die: {face}", {}, "税金：{face}", "Steuer: {face}"}},
}};

// The state of the English, Japanese and German names.
constexpr Provenance provenance(const Text& names, std::string_view values, std::string_view sources) { return {names, values, sources}; }

constexpr Text kAllPublished{"published", {}, "published", "published"};
constexpr Text kGermanPublished{"unofficial", {}, "unofficial", "published"};
constexpr Text kOurs{"unofficial", {}, "unofficial", "unofficial"};

constexpr Component component(const CraftsmanCard& card) {
  return {
      .id = card.id,
      .set = "craftsman",
      .face = card.id,
      .names = card.names,
      .provenance = provenance(kAllPublished, card.round == 0 ? "certain" : "likely", "SEED+T&K"),
      .attributes = {{{"cost", card.cost},
                      {"round", card.round},
                      {"capacity", card.capacity},
                      {"sand", card.inputs[0]},
                      {"wood", card.inputs[1]},
                      {"stone", card.inputs[2]},
                      {"metal", card.inputs[3]},
                      {"gold", card.gold},
                      {"points", card.points},
                      {"earns", card.earns}}},
      .copies = card.round == 0 ? kMaxSeats : 1,
  };
}

constexpr Component component(const QuarryCard& card) {
  return {
      .id = card.id,
      .set = "quarry",
      .face = card.id,
      .names = card.names,
      .provenance = provenance(kOurs, "certain", "SEED+T&K"),
      .attributes = {{{"workers", card.workers}, {"yield", card.yield}}},
  };
}

constexpr Component component(const EffectCard& card, std::string_view set) {
  return {.id = card.id,
          .set = set,
          .face = card.id,
          .names = card.names,
          .provenance = provenance(kGermanPublished, "certain", "SEED"),
          .attributes = {}};
}

constexpr auto components() {
  std::array<Component, kCraftsmen + kQuarries + kAdvantages + kEvents> all{};
  std::size_t i = 0;
  for (const auto& card : kCraftsmanCards) all[i++] = component(card);
  for (const auto& card : kQuarryCards) all[i++] = component(card);
  for (const auto& card : kAdvantageCards) all[i++] = component(card, "advantage");
  for (const auto& card : kEventCards) all[i++] = component(card, "event");
  return all;
}

constexpr auto kComponents = components();

}  // namespace

const std::array<OptionInfo, 10> Options::kInfos{{
    {"bishop_spaces", 1, 2, 1, "builder spaces at the bishop's seat"},
    {"castle_spaces", 1, 2, 1, "builder spaces at the castle"},
    {"market_spaces", 1, 4, 4, "builder spaces at the resource market"},
    {"lowest_space", 0, 1, 1, "1: at the market only the lowest free space may be taken"},
    {"market_twice", 0, 1, 0, "1: a player trades with each of his builders at the market; 0: once, with the lowest"},
    {"sequential_building", 0, 1, 0, "0: all craftsmen work in one commit; 1: one by one, and gold made can be used at once"},
    {"strict_masters", 0, 1, 0, "1: cards 1a and 1b do not serve as mortar mixer for masons and as woodworker for buying wood"},
    {"tax_card_first", 0, 1, 0, "1: the tax relief card is asked before the die is rolled"},
    {"metal_is_free", 0, 1, 0, "1: metal does not count among the five goods kept"},
    {"event_shortfall", 0, 1, 0, "1: event E6 costs a point for every full two gold missing, as the tax does"},
}};

// max_score: 42 points by the best six craftsmen in round 6 and fewer before, 5 a round at the priory, 3 by card, 2 at the start: below
// 300; a view from outside may claim 250. max_length: at most 26 chance events and 540 decisions a round, most of them single goods at the
// market.
const GameInfo State::kInfo{
    .name = "pillars",
    .title = {"The Pillars of the Earth", {}, "大聖堂", "Die Säulen der Erde"},
    .min_players = 2,
    .max_players = 4,
    .rules_revision = 1,
    .max_score = 600,
    .max_length = 6000,
    .options = Options::kInfos,
    .domains = kDomains,
    .kinds = kKinds,
    .components = kComponents,
};

}  // namespace kingsbridge::pillars
