// What DescribeGame, the notation and the Dealer know of A Column of Fire.
#include "games/column/cards.hpp"
#include "games/column/view_fields.hpp"

namespace kingsbridge::column {
namespace {

// ------------------------------------------------------------------------------------------------------ texts put together

// A text made at compile time.
template <std::size_t Capacity>
class Letters {
 public:
  constexpr void add(std::string_view text) {
    for (const char letter : text) letters_[size_++] = letter;
  }
  constexpr bool empty() const { return size_ == 0; }
  constexpr std::string_view text() const { return {letters_.data(), size_}; }

 private:
  std::array<char, Capacity> letters_{};
  std::size_t size_ = 0;
};

template <class Rows>
constexpr auto texts_of(const Rows& rows) {
  std::array<std::string_view, std::tuple_size_v<Rows>> texts{};
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = rows[i].text();
  return texts;
}

constexpr std::string_view word(Sure sure) {
  constexpr std::array<std::string_view, 4> words{"certain", "likely", "guess", "reconstructed"};
  return words[static_cast<std::size_t>(sure)];
}

struct FieldSure {
  std::string_view field;
  Sure sure;
};
using SureText = Letters<96>;

// "name certain, country likely, ...".
template <std::size_t N>
constexpr SureText sure_text(const std::array<FieldSure, N>& fields) {
  SureText text;
  for (const FieldSure& field : fields) {
    if (!text.empty()) text.add(", ");
    text.add(field.field);
    text.add(" ");
    text.add(word(field.sure));
  }
  return text;
}

constexpr std::array<FieldSure, 4> sure_of(const CharacterCard& card) {
  return {{{"name", card.name_sure}, {"country", card.country_sure}, {"action", card.action_sure}, {"stone", card.stone_sure}}};
}
constexpr std::array<FieldSure, 3> sure_of(const EventCard& card) {
  return {{{"name", card.name_sure}, {"kind", card.kind_sure}, {"condition", card.condition_sure}}};
}
constexpr std::array<FieldSure, 3> sure_of(const LochLevenCard& card) {
  return {{{"religion", card.religion_sure}, {"good", card.good_sure}, {"ship", card.ship_sure}}};
}

template <std::size_t N, class Row>
constexpr auto sure_texts(const std::array<Row, N>& rows) {
  std::array<SureText, N> texts{};
  for (std::size_t i = 0; i < N; ++i) texts[i] = sure_text(sure_of(rows[i]));
  return texts;
}

// The least sure of the fields that matter for play; a name does not.
template <std::size_t N>
constexpr std::string_view weakest(const std::array<FieldSure, N>& fields) {
  Sure least = Sure::kCertain;
  for (const FieldSure& field : fields)
    if (field.field != "name" && field.sure > least) least = field.sure;
  return word(least);
}

constexpr auto kCharacterSure = sure_texts(kCharacters);
constexpr auto kEventSure = sure_texts(kEvents);
constexpr auto kLochLevenSure = sure_texts(kLochLevenCards);

// ------------------------------------------------------------------------------------------------------ symbols and domains

template <class Rows>
constexpr auto symbols_of(const Rows& rows) {
  std::array<std::string_view, std::tuple_size_v<Rows>> symbols{};
  for (std::size_t i = 0; i < rows.size(); ++i) symbols[i] = rows[i].id;
  return symbols;
}

template <std::size_t N>
constexpr auto copies_of_each(std::uint8_t number) {
  std::array<std::uint8_t, N> copies{};
  copies.fill(number);
  return copies;
}

// By country: its characters, then its events.
constexpr auto card_symbols() {
  std::array<std::string_view, kCards> symbols{};
  for (std::size_t card = 0; card < kCards; ++card) {
    const std::size_t country = card / kDeckCards, place = card % kDeckCards;
    symbols[card] = place < kDeckPeople ? kCharacters[country * kDeckPeople + place].id
                                        : kEvents[country * (kDeckCards - kDeckPeople) + place - kDeckPeople].id;
  }
  return symbols;
}

constexpr auto tile_copies() {
  std::array<std::uint8_t, kTileKinds> copies{};
  for (std::size_t i = 0; i < kTileKinds; ++i) copies[i] = kTiles[i].copies;
  return copies;
}

// The sets of a sale: "cloth_England-wine_England".
constexpr auto pair_letters() {
  std::array<Letters<128>, 256> all{};
  for (unsigned set = 0; set < all.size(); ++set) {
    for (unsigned pair = 0; pair < kMarket.size(); ++pair) {
      if ((set >> pair & 1) == 0) continue;
      if (!all[set].empty()) all[set].add("-");
      all[set].add(kMarket[pair].id);
    }
    if (set == 0) all[set].add("none");
  }
  return all;
}

// A thing of the board or the box without a table of its own.
struct Thing {
  std::string_view id;
  Text names;
  std::uint8_t copies;
};

constexpr std::array<Thing, kCountries> kCountryThings{{
    {"England", {"England", "Angleterre", "イングランド", "England"}, 1},
    {"France", {"France", "France", "フランス", "Frankreich"}, 1},
    {"Netherlands", {"the Netherlands", "Pays-Bas", "オランダ", "Niederlande"}, 1},
    {"Spain", {"Spain", "Espagne", "スペイン", "Spanien"}, 1},
}};
constexpr std::array<Thing, kGoods> kGoodThings{{
    {"book", {"book", "livre", "本", "Buch"}, 14},
    {"ore", {"ore", "minerai", "鉄", "Erz"}, 14},
    {"cloth", {"cloth", "drap", "布", "Tuch"}, 14},
    {"wine", {"wine", "vin", "ワイン", "Wein"}, 14},
}};
constexpr std::array<Thing, kStones> kStoneThings{{
    {"catholic", {"Catholic stone", "pierre catholique", "カトリック", "katholischer Stein"}, 10},
    {"protestant", {"Protestant stone", "pierre protestante", "プロテスタント", "protestantischer Stein"}, 10},
    {"neutral", {"neutral stone", "pierre neutre", "中立", "neutraler Stein"}, 10},
}};
constexpr std::array<Thing, kColours + 1> kDieThings{{
    {"white", {"white die", "dé blanc", "白ダイス", "weißer Würfel"}, 4},
    {"blue", {"blue die", "dé bleu", "青ダイス", "blauer Würfel"}, 4},
    {"orange", {"orange die", "dé orange", "オレンジのダイス", "oranger Würfel"}, 4},
    {"brown", {"brown die", "dé brun", "茶ダイス", "brauner Würfel"}, 4},
    {"purple", {"purple die", "dé violet", "紫ダイス", "lila Würfel"}, 4},
    {"black", {"black die", "dé noir", "黒ダイス", "schwarzer Würfel"}, 4},
}};

constexpr auto kCountrySymbols = symbols_of(kCountryThings);
constexpr auto kGoodSymbols = symbols_of(kGoodThings);
constexpr auto kStoneSymbols = symbols_of(kStoneThings);
constexpr auto kDieSymbols = symbols_of(kDieThings);
constexpr std::array<std::string_view, kMaxSeats * kColours> kSeatDieSymbols{
    "white0", "blue0", "orange0", "brown0", "purple0", "white1", "blue1", "orange1", "brown1", "purple1",
    "white2", "blue2", "orange2", "brown2", "purple2", "white3", "blue3", "orange3", "brown3", "purple3"};
constexpr auto kCardSymbols = card_symbols();
constexpr auto kSpaceSymbols = symbols_of(kTrack);
constexpr auto kLochLevenSymbols = symbols_of(kLochLevenCards);
constexpr auto kTileSymbols = symbols_of(kTiles);
constexpr auto kPairLetters = pair_letters();
constexpr auto kPairSymbols = texts_of(kPairLetters);

constexpr auto kOneOfCountries = copies_of_each<kCountries>(1);
constexpr auto kGoodCopies = copies_of_each<kGoods>(14);
constexpr auto kStoneCopies = copies_of_each<kStones>(10);
constexpr auto kDieCopies = copies_of_each<kColours + 1>(kMaxSeats);
constexpr auto kOneOfSeatDice = copies_of_each<kMaxSeats * kColours>(1);
constexpr auto kOneOfCards = copies_of_each<kCards>(1);
constexpr auto kOneOfSpaces = copies_of_each<kTrack.size()>(1);
constexpr auto kOneOfLochLeven = copies_of_each<kLochLevenCards.size()>(1);
constexpr auto kTileCopies = tile_copies();
constexpr auto kOneOfPairs = copies_of_each<256>(1);

constexpr std::array<Domain, 13> kDomains{{
    {.name = "seat", .first = 0, .count = kMaxSeats},
    {.name = "year", .first = 0, .count = kMostYears + 1},
    {.name = "face", .first = 1, .count = 6},
    {.name = "country", .count = kCountries, .symbols = kCountrySymbols, .copies = kOneOfCountries},
    {.name = "good", .count = kGoods, .symbols = kGoodSymbols, .copies = kGoodCopies},
    {.name = "stone", .count = kStones, .symbols = kStoneSymbols, .copies = kStoneCopies},
    {.name = "die", .count = kColours + 1, .symbols = kDieSymbols, .copies = kDieCopies},
    {.name = "seat_die", .count = kMaxSeats * kColours, .symbols = kSeatDieSymbols, .copies = kOneOfSeatDice},
    {.name = "card", .count = kCards, .symbols = kCardSymbols, .copies = kOneOfCards},
    {.name = "space", .count = kTrack.size(), .symbols = kSpaceSymbols, .copies = kOneOfSpaces},
    {.name = "loch_leven", .count = kLochLevenCards.size(), .symbols = kLochLevenSymbols, .copies = kOneOfLochLeven},
    {.name = "tile", .count = kTileKinds, .symbols = kTileSymbols, .copies = kTileCopies},
    {.name = "pairs", .count = 256, .symbols = kPairSymbols, .copies = kOneOfPairs},
}};

// ------------------------------------------------------------------------------------------------------ kinds of action

constexpr std::array<Argument, 1> kCountryArgument{{{"country", kCountryDomain}}};
constexpr std::array<Argument, 1> kGoodArgument{{{"good", kGoodDomain}}};
constexpr std::array<Argument, 1> kDieArgument{{{"die", kDieDomain}}};
constexpr std::array<Argument, 1> kCardArgument{{{"card", kCardDomain}}};
constexpr std::array<Argument, 1> kSpaceArgument{{{"space", kSpaceDomain}}};
constexpr std::array<Argument, 1> kTileArgument{{{"tile", kTileDomain}}};
constexpr std::array<Argument, 1> kPairsArgument{{{"pairs", kPairsDomain}}};
constexpr std::array<Argument, 1> kSeatArgument{{{"seat", kSeatDomain}}};
constexpr std::array<Argument, 2> kDieCountry{{{"die", kDieDomain}, {"country", kCountryDomain}}};
constexpr std::array<Argument, 2> kStoneCountry{{{"stone", kStoneDomain}, {"country", kCountryDomain}}};
constexpr std::array<Argument, 2> kSeatLochLeven{{{"seat", kSeatDomain}, {"loch_leven", kLochLevenDomain}}};
constexpr std::array<Argument, 2> kSeatTile{{{"seat", kSeatDomain}, {"tile", kTileDomain}}};
constexpr std::array<Argument, 3> kYearSeatFace{{{"year", kYearDomain}, {"seat", kSeatDomain}, {"face", kFaceDomain}}};
constexpr std::array<Argument, 3> kYearDieFace{{{"year", kYearDomain}, {"seat_die", kSeatDieDomain}, {"face", kFaceDomain}}};

constexpr std::array<ActionKind, 33> kKinds{{
    {.name = "pass", .phrase = {"go on", "continuer", "続ける", "weiter"}},
    {.name = "play",
     .arguments = kTileArgument,
     .phrase = {"play the tile: {tile}", "jouer la tuile : {tile}", "優位性トークン：{tile}", "Plättchen: {tile}"}},
    {.name = "pay",
     .arguments = kDieArgument,
     .phrase = {"pay 3 points to free the {die}", "payer 3 points pour libérer : {die}", "3点払い{die}を取り戻す",
                "3 Punkte zahlen, frei: {die}"}},
    {.name = "keep", .phrase = {"keep the religion", "garder sa religion", "宗派を変えない", "Religion behalten"}},
    {.name = "change", .phrase = {"change the religion", "changer de religion", "宗派を変える", "Religion wechseln"}},
    {.name = "use_card", .arguments = kCardArgument, .phrase = {"use {card}", "utiliser {card}", "{card}を使う", "{card} einsetzen"}},
    {.name = "use_space",
     .arguments = kSpaceArgument,
     .phrase = {"use the space: {space}", "utiliser la case : {space}", "マスを使う：{space}", "Feld nutzen: {space}"}},
    {.name = "skip", .phrase = {"do without", "s'abstenir", "何もしない", "verzichten"}},
    {.name = "recruit",
     .arguments = kDieCountry,
     .phrase = {"recruit in {country} with the {die}", "recruter : {country}, {die}", "{die}で{country}の人物を獲得",
                "anwerben: {country}, {die}"}},
    {.name = "decline",
     .phrase = {"recruit nobody, lose a point", "ne recruter personne, perdre 1 point", "人物を獲得せず1点失う",
                "niemanden anwerben, 1 Punkt verlieren"}},
    {.name = "accept", .phrase = {"let it happen", "laisser faire", "受け入れる", "geschehen lassen"}},
    {.name = "protect", .phrase = {"return a protection tile", "rendre une protection", "盾トークンを使う", "Schutzplättchen abgeben"}},
    {.name = "upgrade", .phrase = {"move the house up", "avancer le comptoir", "商館を上げる", "Handelshaus aufwerten"}},
    {.name = "gain", .arguments = kGoodArgument, .phrase = {"take 1 {good}", "prendre 1 {good}", "{good}を得る", "1 {good} nehmen"}},
    {.name = "sell", .arguments = kPairsArgument, .phrase = {"sell {pairs}", "vendre : {pairs}", "{pairs}を売る", "verkaufen: {pairs}"}},
    {.name = "sell_one",
     .arguments = kGoodArgument,
     .phrase = {"sell 1 {good} for 3", "vendre 1 {good} pour 3", "{good}を3点で売る", "1 {good} für 3 verkaufen"}},
    {.name = "place",
     .arguments = kStoneCountry,
     .phrase = {"{stone} to {country}", "{stone} : {country}", "{stone}を{country}に置く", "{stone}: {country}"}},
    {.name = "remove",
     .arguments = kStoneCountry,
     .phrase = {"take the {stone} from {country}", "retirer {stone} : {country}", "{stone}を{country}から除く",
                "{stone} entfernen: {country}"}},
    {.name = "turn_up", .arguments = kDieArgument, .phrase = {"{die} up by 1", "{die} +1", "{die} +1", "{die} +1"}},
    {.name = "turn_down", .arguments = kDieArgument, .phrase = {"{die} down by 1", "{die} -1", "{die} -1", "{die} -1"}},
    {.name = "free", .arguments = kDieArgument, .phrase = {"free the {die}", "libérer : {die}", "{die}を取り戻す", "frei: {die}"}},
    {.name = "remove_card",
     .arguments = kCardArgument,
     .phrase = {"remove {card} from the game", "retirer {card} du jeu", "{card}を取り除く", "{card} aus dem Spiel"}},
    {.name = "move", .arguments = kSpaceArgument, .phrase = {"move to {space}", "avancer : {space}", "{space}へ進む", "ziehen: {space}"}},
    {.name = "imprison",
     .arguments = kDieArgument,
     .phrase = {"the {die} goes to Loch Leven", "{die} à Loch Leven", "{die}をロッホ・レーベンへ", "{die} nach Loch Leven"}},
    {.name = "lose", .arguments = kGoodArgument, .phrase = {"lose 1 {good}", "perdre 1 {good}", "{good}を失う", "1 {good} verlieren"}},
    {.name = "redeem",
     .phrase = {"return a protection tile for points", "rendre une protection contre des points", "盾トークンを点に換える",
                "Schutzplättchen gegen Punkte"}},
    {.name = "resolve",
     .arguments = kCountryArgument,
     .phrase = {"conflict in {country} first", "d'abord le conflit : {country}", "先に{country}の宗教衝突",
                "zuerst der Konflikt: {country}"}},
    {.name = "start",
     .arguments = kSeatArgument,
     .chance = true,
     .phrase = {"seat {seat} begins", "la place {seat} commence", "スタートプレイヤー：{seat}", "Spieler {seat} beginnt"}},
    {.name = "deal",
     .arguments = kSeatLochLeven,
     .chance = true,
     .deck = "loch_leven",
     .phrase = {"seat {seat}: {loch_leven}", "place {seat} : {loch_leven}", "{seat}：{loch_leven}", "Spieler {seat}: {loch_leven}"}},
    {.name = "roll_religion",
     .arguments = kYearSeatFace,
     .chance = true,
     .phrase = {"year {year}: religion die of seat {seat}: {face}", "an {year}, dé de religion de la place {seat} : {face}",
                "{year}年、{seat}の宗教ダイス：{face}", "Jahr {year}, Religionswürfel von Spieler {seat}: {face}"}},
    {.name = "flip",
     .arguments = kCardArgument,
     .chance = true,
     .pooled = true,
     .deck = "country",
     .phrase = {"turned up: {card}", "révélé : {card}", "公開：{card}", "aufgedeckt: {card}"}},
    {.name = "roll_die",
     .arguments = kYearDieFace,
     .chance = true,
     .pooled = true,
     .phrase = {"year {year}: {seat_die} shows {face}", "an {year} : {seat_die} montre {face}", "{year}年、{seat_die}：{face}",
                "Jahr {year}: {seat_die} zeigt {face}"}},
    {.name = "draw",
     .arguments = kSeatTile,
     .chance = true,
     .owner = 0,
     .phrase = {"seat {seat} draws a tile: {tile}", "la place {seat} pioche : {tile}", "{seat}が優位性トークンを引く：{tile}",
                "Spieler {seat} zieht: {tile}"}},
}};

// ------------------------------------------------------------------------------------------------------ components

constexpr Text kOurs{"unofficial", "unofficial", "unofficial", "unofficial"};
constexpr Text kEnglishOnly{"published", "unofficial", "unofficial", "unofficial"};
constexpr std::string_view kBook = "rulebook, SEED";

constexpr std::array<std::string_view, 17> kEffectWords{"nothing",
                                                        "gain a good",
                                                        "gain any good",
                                                        "draw an advantage tile",
                                                        "gain a protection tile",
                                                        "gain points",
                                                        "religion stone",
                                                        "Protestant stone",
                                                        "Catholic stone",
                                                        "place a neutral stone",
                                                        "turn a die by 1",
                                                        "free a die",
                                                        "remove a card",
                                                        "next track space",
                                                        "sell one good for 3",
                                                        "ship",
                                                        "gain or sell a good"};
constexpr std::array<std::string_view, 6> kPointWords{"", "1 point", "2 points", "3 points", "4 points", "5 points"};
constexpr std::array<std::string_view, 3> kStoneWords{"Catholic stone", "Protestant stone", "neutral stone"};
constexpr std::array<std::string_view, 4> kEventWords{"a die goes to Loch Leven", "lose 2 points", "lose a good",
                                                      "a protection tile for points"};
constexpr std::array<std::string_view, 4> kConditionWords{"seats with a house there", "Catholics", "Protestants", "all"};

constexpr std::string_view word(Effect effect) { return kEffectWords[static_cast<std::size_t>(effect)]; }

// The good, the country or the points of a deed.
constexpr std::string_view value_word(Deed deed) {
  switch (deed.effect) {
    case Effect::kGood:
    case Effect::kGoodOrSell: return kGoodSymbols[deed.value];
    case Effect::kShip: return kCountrySymbols[deed.value];
    case Effect::kPoints: return kPointWords[deed.value];
    default: return {};
  }
}

constexpr Text name_state(Sure sure) { return sure <= Sure::kLikely ? kEnglishOnly : kOurs; }

constexpr Component component(const CharacterCard& card, std::string_view sure) {
  return {.id = card.id,
          .set = "character",
          .face = card.id,
          .names = card.names,
          .provenance = {card.name_state, weakest(sure_of(card)), sure},
          .attributes = {{{"country", card.country},
                          {"action", static_cast<int>(card.deed.effect), word(card.deed.effect)},
                          {"value", card.deed.value, value_word(card.deed)},
                          {"stone", card.stone, kStoneWords[card.stone]}}}};
}

constexpr Component component(const EventCard& card, std::string_view sure) {
  return {.id = card.id,
          .set = "event",
          .face = card.id,
          .names = card.names,
          .provenance = {name_state(card.name_sure), weakest(sure_of(card)), sure},
          .attributes = {{{"country", card.country},
                          {"kind", static_cast<int>(card.kind), kEventWords[static_cast<std::size_t>(card.kind)]},
                          {"condition", static_cast<int>(card.condition), kConditionWords[static_cast<std::size_t>(card.condition)]}}}};
}

constexpr Component component(const TileKind& tile) {
  return {.id = tile.id,
          .set = "tile",
          .face = tile.id,
          .names = tile.names,
          .provenance = {kOurs, word(tile.sure), kBook},
          .attributes = {{{"action", static_cast<int>(tile.deed.effect), word(tile.deed.effect)},
                          {"value", tile.deed.value, value_word(tile.deed)},
                          {"copies", tile.copies},
                          {"seed_copies", tile.seed_copies}}},
          .copies = tile.copies};
}

constexpr Component component(const TrackSpace& space) {
  return {.id = space.id,
          .set = "space",
          .face = space.id,
          .names = space.names,
          .provenance = {kOurs, word(space.sure), space.note},
          .attributes = {{{"colour", space.colour, kDieSymbols[space.colour]},
                          {"action", static_cast<int>(space.deed.effect), word(space.deed.effect)},
                          {"value", space.deed.value, value_word(space.deed)}}}};
}

constexpr Component component(const LochLevenCard& card, std::string_view sure) {
  return {.id = card.id,
          .set = "loch_leven",
          .face = card.id,
          .names = card.names,
          .provenance = {kOurs, weakest(sure_of(card)), sure},
          .attributes = {{{"religion", card.religion, card.religion == kCatholic ? "catholic" : "protestant"},
                          {"good", card.good, kGoodSymbols[card.good]},
                          {"ship", card.ship, kCountrySymbols[card.ship]}}}};
}

constexpr Component component(const MarketRow& row) {
  return {.id = row.id,
          .set = "market",
          .face = row.id,
          .names = row.names,
          .provenance = {kOurs, word(row.sure), kBook},
          .attributes = {{{"country", row.country, kCountrySymbols[row.country]},
                          {"good", row.good, kGoodSymbols[row.good]},
                          {"price", row.price, kPointWords[row.price]}}}};
}

constexpr Component component(const Thing& thing, std::string_view set) {
  return {.id = thing.id,
          .set = set,
          .face = thing.id,
          .names = thing.names,
          .provenance = {kOurs, word(Sure::kCertain), kBook},
          .attributes = {},
          .copies = thing.copies};
}

constexpr auto components() {
  std::array<Component, kCharacters.size() + kEvents.size() + kTiles.size() + kTrack.size() + kLochLevenCards.size() + kMarket.size() +
                            kCountries + kGoods + kStones + kColours + 1>
      all{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < kCharacters.size(); ++i) all[n++] = component(kCharacters[i], kCharacterSure[i].text());
  for (std::size_t i = 0; i < kEvents.size(); ++i) all[n++] = component(kEvents[i], kEventSure[i].text());
  for (const auto& tile : kTiles) all[n++] = component(tile);
  for (const auto& space : kTrack) all[n++] = component(space);
  for (std::size_t i = 0; i < kLochLevenCards.size(); ++i) all[n++] = component(kLochLevenCards[i], kLochLevenSure[i].text());
  for (const auto& row : kMarket) all[n++] = component(row);
  for (const auto& thing : kCountryThings) all[n++] = component(thing, "country");
  for (const auto& thing : kGoodThings) all[n++] = component(thing, "good");
  for (const auto& thing : kStoneThings) all[n++] = component(thing, "stone");
  for (const auto& thing : kDieThings) all[n++] = component(thing, "die");
  return all;
}

constexpr auto kComponents = components();

}  // namespace

const std::array<OptionInfo, 9> Options::kInfos{{
    {"max_years", 1, kMostYears, kMostYears, "the game ends after this year at the latest"},
    {"free_actions", 0, 1, 1, "1: tiles and the 3-point purchase also at the start and the end of a half-turn; 0: only at its decisions"},
    {"exhausted_fee", 0, 1, 0, "1: naming a country without cards costs a point"},
    {"advantage_reshuffle", 0, 1, 0, "1: played advantage tiles come back when the stacks are empty"},
    {"seed_tiles", 0, 1, 0, "1: all advantage tiles are points, twelve of 1, eleven of 2, five of 3"},
    {"turned_minority", 0, 1, 1, "1: an action that turns the religion die down gives the minority point, too"},
    {"sell3_limited", 0, 1, 0, "1: selling one good for 3 names a country and keeps the limit of a tile of each good in each country"},
    {"events_from_start", 0, 1, 0, "1: an event asks the seats from the starting player on; 0: from the seat whose turn it is"},
    {"full_recruit", 0, 1, 1, "1: a country full of stones can be recruited from; 0: it cannot be named"},
}};

// max_score: 49 points before the last year. In it a turn brings at most 24 by conflicts in the four countries and fewer than 60 by cards,
// a space, tiles and an event, eight times; goods, houses and tiles of 30 years less than 300 at the end; a view from outside may claim the
// marker's end, 999. max_length: a half-turn has fewer than 250 nodes, most of them purchases of 3 points of fewer than 100.
const GameInfo State::kInfo{
    .name = "column",
    .title = {"A Column of Fire", "Une colonne de feu", "永遠の始まり", "Das Fundament der Ewigkeit"},
    .min_players = 2,
    .max_players = 4,
    .rules_revision = 1,
    .max_score = 2000,
    .max_length = 60000,
    .options = Options::kInfos,
    .domains = kDomains,
    .kinds = kKinds,
    .components = kComponents,
};

}  // namespace kingsbridge::column
