// The cards, tiles and spaces of A Column of Fire, as facts. To correct a row, change it here and rebuild: records made with the old row
// are then refused, since rules_hash covers the tables. It leaves out names and provenance, which may change freely, and seed_copies, the
// religion die and the constants at the end, whose change raises rules_revision. Then run the documented chores:
// `python -m tests.data.make_perft column` and the update of the playthroughs.
//
// Provenance, field by field:
//   certain        printed in the published rulebook or stated by SEED, the player's summary the rules rest on
//   likely         a strong deduction, or one good secondary source
//   guess          a weak deduction
//   reconstructed  invented so that it agrees with all that is known
// The printed lists of the 52 characters, 14 of the events, the track and the action tiles are not public, so most stones, the actions
// of most named persons, the order of the track and the kinds of action tiles are stand-ins. Owners of the box should look at these first:
// the order of the track, the stones, the events, the action tiles, the backs of the Loch Leven cards. What any correction must keep is
// asserted in the tests.
//
// Names: English ones are published where the name is, ours elsewhere; persons bear their usual names in the other languages, and all else
// is translated by us. "Unofficial" marks both.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/game_info.hpp"

namespace kingsbridge::column {

enum Country : std::uint8_t { kEngland, kFrance, kNetherlands, kSpain };
enum Good : std::uint8_t { kBook, kOre, kCloth, kWine };
// The first two are also the religions.
enum Stone : std::uint8_t { kCatholic, kProtestant, kNeutral };
// White to brown belong to the countries in their order, black is the religion die.
enum Die : std::uint8_t { kWhite, kBlue, kOrange, kBrown, kPurple, kBlack };

// What a character, a space or a tile does; the numbers are the action codes of the component list.
enum class Effect : std::uint8_t {
  kNothing,
  kGood,                // gain a good
  kAnyGood,             // gain a good of one's choice
  kAdvantage,           // draw an advantage tile
  kProtection,          // gain a protection tile
  kPoints,              // gain points; on tiles they count at the end only
  kReligion,            // place or remove a stone of either religion
  kReligionProtestant,  // the same with a Protestant stone only
  kReligionCatholic,    // the same with a Catholic stone only
  kPlaceNeutral,        // place a neutral stone
  kTurnDie,             // turn a die on an own card up or down by 1
  kFreeDie,             // take a die off an own card
  kRemoveCard,          // remove a card of the own row or the face-up card of a deck
  kNextSpace,           // move to the next unoccupied space of any colour and use it
  kSellOne,             // sell one good, to no country in particular
  kShip,                // sell up to one of each of its two goods in a country
  kGoodOrSell,          // gain a good, or sell up to one in each of the two countries that buy it
};

// What a card, a space or a tile does.
struct Deed {
  Effect effect;
  std::uint8_t value = 0;  // the good, the country or the number of points; 0 where the effect has none of them
};

// How sure a field is: the words of the heading.
enum class Sure : std::uint8_t { kCertain, kLikely, kGuess, kReconstructed };

struct CharacterCard {
  std::string_view id;
  Text names;
  std::uint8_t country;
  Deed deed;
  std::uint8_t stone;
  Sure name_sure, country_sure, action_sure, stone_sure;
  Text name_state;  // for each language "published" or "unofficial"
};

enum class EventKind : std::uint8_t {
  kLochLeven,            // a die goes to Loch Leven
  kLosePoints,           // lose two points
  kLoseGood,             // lose a good
  kProtectionForPoints,  // may return a protection tile for points equal to the own religion die
};

// Whom an event concerns.
enum class Condition : std::uint8_t {
  kHouse,        // seats with a house in the country of the event
  kCatholics,    // seats of that religion, wherever their houses are
  kProtestants,  // the same
  kAll,
};

struct EventCard {
  std::string_view id;
  Text names;
  std::uint8_t country;  // of the deck it lies in
  EventKind kind;
  Condition condition;
  Sure name_sure, kind_sure, condition_sure;
};

struct TrackSpace {
  std::string_view id;
  Text names;
  std::uint8_t colour;  // of the die that moves there
  Deed deed;
  Sure sure;              // of the row as a whole, its place included
  std::string_view note;  // what is surer than the row
};

struct TileKind {
  std::string_view id;
  Text names;
  Deed deed;
  std::uint8_t copies;
  std::uint8_t seed_copies;  // under option seed_tiles
  Sure sure;                 // of kind and number
};

// The back of a Loch Leven card: how a seat starts.
struct LochLevenCard {
  std::string_view id;
  Text names;
  std::uint8_t religion;
  std::uint8_t good;
  std::uint8_t ship;  // the country whose ship space the disk starts on
  Sure religion_sure, good_sure, ship_sure;
};

// A good that a country buys.
struct MarketRow {
  std::string_view id;
  Text names;
  std::uint8_t country;
  std::uint8_t good;
  std::uint8_t price;  // in points
  Sure sure;
};

inline constexpr Text kBookTrader{"Book Trader", "Marchand de livres", "本の商人", "Buchhändler"};
inline constexpr Text kOreTrader{"Ore Trader", "Marchand de minerai", "鉄の商人", "Erzhändler"};
inline constexpr Text kClothTrader{"Cloth Trader", "Marchand de drap", "布の商人", "Tuchhändler"};
inline constexpr Text kWineTrader{"Wine Trader", "Marchand de vin", "ワインの商人", "Weinhändler"};
inline constexpr Text kCaptain{"Captain", "Capitaine", "船長", "Kapitän"};

inline constexpr Text kEnglishNamed{"published", "unofficial", "unofficial", "unofficial"};
inline constexpr Text kNoneNamed{"unofficial", "unofficial", "unofficial", "unofficial"};

// clang-format off
inline constexpr std::array<CharacterCard, 52> kCharacters = [] {
  using enum Effect;
  constexpr Sure kP = Sure::kCertain, kL = Sure::kLikely, kG = Sure::kGuess, kR = Sure::kReconstructed;
  return std::array<CharacterCard, 52>{{
    // id, names, country, deed, stone, how sure are name, country, deed, stone, name_state
    {"CE01", kBookTrader, kEngland, {kGood, kBook}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CE02", kOreTrader, kEngland, {kGood, kOre}, kCatholic, kP, kP, kP, kR, kEnglishNamed},
    {"CE03", kClothTrader, kEngland, {kGood, kCloth}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CE04", kWineTrader, kEngland, {kGood, kWine}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CE05", kCaptain, kEngland, {kSellOne}, kCatholic, kP, kP, kP, kR, kEnglishNamed},
    {"CE06", {"Elizabeth I", "Élisabeth Ire", "エリザベス1世", "Elisabeth I."}, kEngland, {kPoints, 2}, kProtestant, kP, kP, kP, kG, kEnglishNamed},
    {"CE07", {"Francis Walsingham", "Francis Walsingham", "フランシス・ウォルシンガム", "Francis Walsingham"}, kEngland, {kReligion}, kProtestant, kP, kP, kP, kP, kEnglishNamed},
    {"CE08", {"Mary Stuart", "Marie Stuart", "メアリー・スチュアート", "Maria Stuart"}, kEngland, {kAdvantage}, kCatholic, kP, kG, kR, kG, kEnglishNamed},
    {"CE09", {"Ned Willard", "Ned Willard", "ネッド・ウィラード", "Ned Willard"}, kEngland, {kAnyGood}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CE10", {"Margery Fitzgerald", "Margery Fitzgerald", "マージェリー・フィッツジェラルド", "Margery Fitzgerald"}, kEngland, {kProtection}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CE11", {"Rollo Fitzgerald", "Rollo Fitzgerald", "ロロ・フィッツジェラルド", "Rollo Fitzgerald"}, kEngland, {kRemoveCard}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CE12", {"Sir William Cecil", "Sir William Cecil", "サー・ウィリアム・セシル", "Sir William Cecil"}, kEngland, {kNextSpace}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CE13", {"Alice Willard", "Alice Willard", "アリス・ウィラード", "Alice Willard"}, kEngland, {kFreeDie}, kNeutral, kR, kR, kR, kR, kNoneNamed},
    {"CF01", kBookTrader, kFrance, {kGood, kBook}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CF02", kOreTrader, kFrance, {kGood, kOre}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CF03", kClothTrader, kFrance, {kGood, kCloth}, kCatholic, kP, kP, kP, kR, kEnglishNamed},
    {"CF04", kWineTrader, kFrance, {kGood, kWine}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CF05", kCaptain, kFrance, {kSellOne}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CF06", {"Caterina de' Medici", "Catherine de Médicis", "カトリーヌ・ド・メディシス", "Katharina von Medici"}, kFrance, {kPoints, 2}, kCatholic, kP, kL, kR, kR, kEnglishNamed},
    {"CF07", {"Sylvie Palot", "Sylvie Palot", "シルヴィー・パロ", "Sylvie Palot"}, kFrance, {kAdvantage}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CF08", {"Pierre Aumande", "Pierre Aumande", "ピエール・オーマンド", "Pierre Aumande"}, kFrance, {kReligion}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CF09", {"Gaspard de Coligny", "Gaspard de Coligny", "ガスパール・ド・コリニー", "Gaspard de Coligny"}, kFrance, {kProtection}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CF10", {"Henri, Duke of Guise", "Henri, duc de Guise", "ギーズ公アンリ", "Henri, Herzog von Guise"}, kFrance, {kAnyGood}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CF11", {"Charles, Cardinal of Lorraine", "Charles, cardinal de Lorraine", "ロレーヌ枢機卿シャルル", "Charles, Kardinal von Lothringen"}, kFrance, {kPlaceNeutral}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CF12", {"Giles Palot", "Giles Palot", "ジル・パロ", "Giles Palot"}, kFrance, {kTurnDie}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CF13", {"Louise de Nimes", "Louise de Nîmes", "ルイーズ・ド・ニーム", "Louise de Nîmes"}, kFrance, {kNextSpace}, kNeutral, kR, kR, kR, kR, kNoneNamed},
    {"CN01", kBookTrader, kNetherlands, {kGood, kBook}, kCatholic, kP, kP, kP, kR, kEnglishNamed},
    {"CN02", kOreTrader, kNetherlands, {kGood, kOre}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CN03", kClothTrader, kNetherlands, {kGood, kCloth}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CN04", kWineTrader, kNetherlands, {kGood, kWine}, kCatholic, kP, kP, kP, kR, kEnglishNamed},
    {"CN05", kCaptain, kNetherlands, {kSellOne}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CN06", {"Father Huus", "Père Huus", "ヒュース神父", "Pater Huus"}, kNetherlands, {kAdvantage}, kCatholic, kP, kP, kP, kG, kEnglishNamed},
    {"CN07", {"Imke Wolman", "Imke Wolman", "イムケ・ウォルマン", "Imke Wolman"}, kNetherlands, {kAnyGood}, kProtestant, kP, kL, kR, kR, kEnglishNamed},
    {"CN08", {"Jan Wolman", "Jan Wolman", "ヤン・ウォルマン", "Jan Wolman"}, kNetherlands, {kProtection}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CN09", {"Margherita of Parma", "Marguerite de Parme", "マルゲリータ・ディ・パルマ", "Margarethe von Parma"}, kNetherlands, {kPoints, 2}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CN10", {"William of Orange", "Guillaume d'Orange", "オラニエ公ウィレム", "Wilhelm von Oranien"}, kNetherlands, {kReligion}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CN11", {"Pieter Titelmans", "Pieter Titelmans", "ピーテル・ティテルマンス", "Pieter Titelmans"}, kNetherlands, {kRemoveCard}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CN12", {"Evi Dirks", "Evi Dirks", "エヴィ・ディルクス", "Evi Dirks"}, kNetherlands, {kTurnDie}, kNeutral, kR, kR, kR, kR, kNoneNamed},
    {"CN13", {"Ebrima Dabo", "Ebrima Dabo", "エブリマ・ダボ", "Ebrima Dabo"}, kNetherlands, {kFreeDie}, kNeutral, kR, kR, kR, kR, kNoneNamed},
    {"CS01", kBookTrader, kSpain, {kGood, kBook}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CS02", kOreTrader, kSpain, {kGood, kOre}, kCatholic, kP, kP, kP, kR, kEnglishNamed},
    {"CS03", kClothTrader, kSpain, {kGood, kCloth}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CS04", kWineTrader, kSpain, {kGood, kWine}, kProtestant, kP, kP, kP, kR, kEnglishNamed},
    {"CS05", kCaptain, kSpain, {kSellOne}, kNeutral, kP, kP, kP, kR, kEnglishNamed},
    {"CS06", {"King Felipe II", "Roi Philippe II", "国王フェリペ2世", "König Philipp II."}, kSpain, {kPoints, 2}, kCatholic, kP, kL, kR, kG, kEnglishNamed},
    {"CS07", {"Count of Feria", "Comte de Feria", "フェリア伯爵", "Graf von Feria"}, kSpain, {kProtection}, kCatholic, kP, kP, kP, kG, kEnglishNamed},
    {"CS08", {"Archdeacon Romero", "Archidiacre Romero", "ロメロ助祭長", "Erzdiakon Romero"}, kSpain, {kReligion}, kCatholic, kP, kL, kR, kG, kEnglishNamed},
    {"CS09", {"Barney Willard", "Barney Willard", "バーニー・ウィラード", "Barney Willard"}, kSpain, {kTurnDie}, kProtestant, kP, kG, kG, kR, kEnglishNamed},
    {"CS10", {"Carlos Cruz", "Carlos Cruz", "カルロス・クルス", "Carlos Cruz"}, kSpain, {kAnyGood}, kCatholic, kR, kR, kR, kR, kNoneNamed},
    {"CS11", {"Jeronima Ruiz", "Jerónima Ruiz", "ヘロニマ・ルイス", "Jerónima Ruiz"}, kSpain, {kAdvantage}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CS12", {"Pedro Ruiz", "Pedro Ruiz", "ペドロ・ルイス", "Pedro Ruiz"}, kSpain, {kPlaceNeutral}, kProtestant, kR, kR, kR, kR, kNoneNamed},
    {"CS13", {"Captain Gomez 'Iron Hand'", "Capitaine Gómez « Main de Fer »", "ゴメス隊長「鉄の手」", "Hauptmann Gómez „Eisenhand“"}, kSpain, {kNextSpace}, kNeutral, kR, kR, kR, kR, kNoneNamed},
  }};
}();

// That each deck holds one Loch Leven event, two other bad ones and a good one is published.
inline constexpr std::array<EventCard, 16> kEvents = [] {
  using enum EventKind;
  using enum Condition;
  constexpr Sure kP = Sure::kCertain, kL = Sure::kLikely, kR = Sure::kReconstructed;
  return std::array<EventCard, 16>{{
    // id, names, country, kind, condition, how sure are name, kind, condition
    {"E1", {"Pope excommunicates Elizabeth I", "Le pape excommunie Élisabeth Ire", "教皇がエリザベス1世を破門", "Der Papst exkommuniziert Elisabeth I."}, kEngland, kLochLeven, kHouse, kP, kP, kP},
    {"E2", {"Execution of Mary Stuart", "Exécution de Marie Stuart", "メアリー・スチュアートの処刑", "Hinrichtung Maria Stuarts"}, kEngland, kLosePoints, kCatholics, kR, kL, kL},
    {"E3", {"Wool and wine ships seized in the Channel", "Navires de laine et de vin saisis dans la Manche", "英仏海峡で羊毛とワインの船が拿捕される", "Woll- und Weinschiffe im Ärmelkanal gekapert"}, kEngland, kLoseGood, kHouse, kR, kR, kR},
    {"E4", {"Coronation of Elizabeth I", "Couronnement d'Élisabeth Ire", "エリザベス1世の戴冠", "Krönung Elisabeths I."}, kEngland, kProtectionForPoints, kAll, kR, kP, kP},
    {"F1", {"Arrests after the Amboise conspiracy", "Arrestations après la conjuration d'Amboise", "アンボワーズの陰謀後の逮捕", "Verhaftungen nach der Verschwörung von Amboise"}, kFrance, kLochLeven, kHouse, kR, kP, kR},
    {"F2", {"Saint Bartholomew's Day massacre", "Massacre de la Saint-Barthélemy", "サン・バルテルミの虐殺", "Bartholomäusnacht"}, kFrance, kLosePoints, kProtestants, kR, kR, kR},
    {"F3", {"Raid on the illegal book warehouse", "Descente dans l'entrepôt de livres interdits", "禁書の倉庫の摘発", "Razzia im Lager der verbotenen Bücher"}, kFrance, kLoseGood, kHouse, kR, kR, kR},
    {"F4", {"Royal wedding in Paris", "Mariage royal à Paris", "パリでの王家の婚礼", "Königliche Hochzeit in Paris"}, kFrance, kProtectionForPoints, kAll, kR, kP, kP},
    {"N1", {"Council of Blood", "Conseil du sang", "血の評議会", "Blutrat"}, kNetherlands, kLochLeven, kHouse, kR, kP, kR},
    {"N2", {"Iconoclasm in Antwerp", "Furie iconoclaste à Anvers", "アントウェルペンの聖像破壊", "Bildersturm in Antwerpen"}, kNetherlands, kLosePoints, kCatholics, kR, kR, kR},
    {"N3", {"Mutinous Spanish troops plunder Antwerp", "Des troupes espagnoles mutinées pillent Anvers", "反乱したスペイン兵がアントウェルペンを略奪", "Meuternde spanische Truppen plündern Antwerpen"}, kNetherlands, kLoseGood, kHouse, kR, kR, kR},
    {"N4", {"Pacification of Ghent", "Pacification de Gand", "ヘントの和約", "Genter Pazifikation"}, kNetherlands, kProtectionForPoints, kAll, kR, kP, kP},
    {"S1", {"Slavers and inquisitors take prisoners", "Esclavagistes et inquisiteurs font des prisonniers", "奴隷商人と異端審問官が人々を捕らえる", "Sklavenjäger und Inquisitoren machen Gefangene"}, kSpain, kLochLeven, kHouse, kR, kP, kR},
    {"S2", {"Auto-da-fe", "Autodafé", "アウト・デ・フェ", "Autodafé"}, kSpain, kLosePoints, kProtestants, kR, kR, kR},
    {"S3", {"Loss of the Armada", "Désastre de l'Armada", "無敵艦隊の喪失", "Verlust der Armada"}, kSpain, kLoseGood, kHouse, kR, kR, kR},
    {"S4", {"Silver fleet arrives in Seville", "La flotte de l'argent arrive à Séville", "銀船団がセビリアに到着", "Die Silberflotte erreicht Sevilla"}, kSpain, kProtectionForPoints, kAll, kR, kP, kP},
  }};
}();

// In the order of the track, clockwise. It may have any length and any number of spaces of a colour, with one ship space per country.
inline constexpr auto kTrack = [] {
  using enum Effect;
  constexpr Sure kR = Sure::kReconstructed;
  return std::to_array<TrackSpace>({
    // id, names, colour, deed, sure, note
    {"T00", {"purple: ship to England", "violet : navire pour l'Angleterre", "紫：イングランド行きの船", "violett: Schiff nach England"}, kPurple, {kShip, kEngland}, kR, "that there is such a space is certain"},
    {"T01", {"white: protection tile", "blanc : tuile de protection", "白：盾トークン", "weiß: Schutzplättchen"}, kWhite, {kProtection}, kR, ""},
    {"T02", {"blue: place or remove a Protestant stone", "bleu : poser ou retirer une pierre protestante", "青：プロテスタントのマーカーを置くか取り除く", "blau: protestantischen Stein setzen oder entfernen"}, kBlue, {kReligionProtestant}, kR, ""},
    {"T03", {"orange: advantage tile", "orange : tuile d'avantage", "オレンジ：優位性トークン", "orange: Vorteilsplättchen"}, kOrange, {kAdvantage}, kR, ""},
    {"T04", {"brown: sell or gain ore", "marron : vendre ou gagner du minerai", "茶：鉄を売るか得る", "braun: Erz verkaufen oder erhalten"}, kBrown, {kGoodOrSell, kOre}, kR, ""},
    {"T05", {"purple: ship to France", "violet : navire pour la France", "紫：フランス行きの船", "violett: Schiff nach Frankreich"}, kPurple, {kShip, kFrance}, kR, "that there is such a space is likely"},
    {"T06", {"white: sell or gain cloth", "blanc : vendre ou gagner du drap", "白：布を売るか得る", "weiß: Tuch verkaufen oder erhalten"}, kWhite, {kGoodOrSell, kCloth}, kR, "that there is such a space, and its colour, are certain"},
    {"T07", {"blue: 2 victory points", "bleu : 2 points de victoire", "青：勝利点2", "blau: 2 Siegpunkte"}, kBlue, {kPoints, 2}, kR, ""},
    {"T08", {"orange: remove a character card", "orange : retirer une carte Personnage", "オレンジ：人物カード1枚を取り除く", "orange: eine Personenkarte entfernen"}, kOrange, {kRemoveCard}, kR, ""},
    {"T09", {"brown: place or remove a Catholic stone", "marron : poser ou retirer une pierre catholique", "茶：カトリックのマーカーを置くか取り除く", "braun: katholischen Stein setzen oder entfernen"}, kBrown, {kReligionCatholic}, kR, ""},
    {"T10", {"purple: ship to the Netherlands", "violet : navire pour les Pays-Bas", "紫：オランダ行きの船", "violett: Schiff in die Niederlande"}, kPurple, {kShip, kNetherlands}, kR, "that there is such a space is likely"},
    {"T11", {"white: turn a die up or down by 1", "blanc : modifier un dé de 1", "白：ダイス±1", "weiß: einen Würfel um 1 drehen"}, kWhite, {kTurnDie}, kR, ""},
    {"T12", {"blue: sell or gain books", "bleu : vendre ou gagner des livres", "青：本を売るか得る", "blau: Bücher verkaufen oder erhalten"}, kBlue, {kGoodOrSell, kBook}, kR, ""},
    {"T13", {"orange: protection tile", "orange : tuile de protection", "オレンジ：盾トークン", "orange: Schutzplättchen"}, kOrange, {kProtection}, kR, ""},
    {"T14", {"brown: 2 victory points", "marron : 2 points de victoire", "茶：勝利点2", "braun: 2 Siegpunkte"}, kBrown, {kPoints, 2}, kR, ""},
    {"T15", {"purple: ship to Spain", "violet : navire pour l'Espagne", "紫：スペイン行きの船", "violett: Schiff nach Spanien"}, kPurple, {kShip, kSpain}, kR, "that there is such a space is certain"},
    {"T16", {"white: advantage tile", "blanc : tuile d'avantage", "白：優位性トークン", "weiß: Vorteilsplättchen"}, kWhite, {kAdvantage}, kR, ""},
    {"T17", {"blue: free a die", "bleu : libérer un dé", "青：ダイス1個を取り戻す", "blau: einen Würfel befreien"}, kBlue, {kFreeDie}, kR, ""},
    {"T18", {"orange: sell or gain wine", "orange : vendre ou gagner du vin", "オレンジ：ワインを売るか得る", "orange: Wein verkaufen oder erhalten"}, kOrange, {kGoodOrSell, kWine}, kR, "that there is such a space is certain"},
    {"T19", {"brown: place a neutral stone", "marron : poser une pierre neutre", "茶：中立マーカーを置く", "braun: neutralen Stein setzen"}, kBrown, {kPlaceNeutral}, kR, ""},
  });
}();

// Twelve tiles of points and 16 of actions are published, and that some of these sell one good; SEED knows tiles of points only.
inline constexpr std::array<TileKind, 11> kTiles = [] {
  using enum Effect;
  constexpr Sure kP = Sure::kCertain, kR = Sure::kReconstructed;
  return std::array<TileKind, 11>{{
    // id, names, deed, copies, seed_copies, sure
    {"vp1", {"1 victory point", "1 point de victoire", "勝利点1", "1 Siegpunkt"}, {kPoints, 1}, 5, 12, kP},
    {"vp2", {"2 victory points", "2 points de victoire", "勝利点2", "2 Siegpunkte"}, {kPoints, 2}, 5, 11, kP},
    {"vp3", {"3 victory points", "3 points de victoire", "勝利点3", "3 Siegpunkte"}, {kPoints, 3}, 2, 5, kP},
    {"sell3", {"sell one good for 3", "vendre une marchandise pour 3", "商品1個を3点で売る", "eine Ware für 3 verkaufen"}, {kSellOne}, 2, 0, kR},  // the kind is certain
    {"any_good", {"one good of your choice", "une marchandise au choix", "好きな商品1個", "eine beliebige Ware"}, {kAnyGood}, 2, 0, kR},
    {"turn_die", {"turn a die up or down by 1", "modifier un dé de 1", "ダイス±1", "einen Würfel um 1 drehen"}, {kTurnDie}, 2, 0, kR},
    {"free_die", {"free a die", "libérer un dé", "ダイス1個を取り戻す", "einen Würfel befreien"}, {kFreeDie}, 2, 0, kR},
    {"remove_card", {"remove a character card", "retirer une carte Personnage", "人物カード1枚を取り除く", "eine Personenkarte entfernen"}, {kRemoveCard}, 2, 0, kR},
    {"next_space", {"move to the next free space", "avancer à la prochaine case libre", "次の空きマスへ進む", "auf das nächste freie Feld ziehen"}, {kNextSpace}, 2, 0, kR},
    {"religion", {"place or remove a religion stone", "poser ou retirer une pierre de religion", "宗教マーカーを置くか取り除く", "Religionsstein setzen oder entfernen"}, {kReligion}, 2, 0, kR},
    {"place_neutral", {"place a neutral stone", "poser une pierre neutre", "中立マーカーを置く", "neutralen Stein setzen"}, {kPlaceNeutral}, 2, 0, kR},
  }};
}();

inline constexpr std::array<LochLevenCard, 4> kLochLevenCards = [] {
  constexpr Sure kP = Sure::kCertain, kL = Sure::kLikely, kR = Sure::kReconstructed;
  return std::array<LochLevenCard, 4>{{
    // id, names, religion, good, ship, how sure are these three
    {"L1", {"Protestant with ore, ship to England", "protestant avec minerai, navire pour l'Angleterre", "プロテスタント、鉄、イングランド行きの船", "Protestant mit Erz, Schiff nach England"}, kProtestant, kOre, kEngland, kP, kP, kP},
    {"L2", {"Protestant with a book, ship to Spain", "protestant avec livre, navire pour l'Espagne", "プロテスタント、本、スペイン行きの船", "Protestant mit Buch, Schiff nach Spanien"}, kProtestant, kBook, kSpain, kL, kL, kR},
    {"L3", {"Catholic with wine, ship to France", "catholique avec vin, navire pour la France", "カトリック、ワイン、フランス行きの船", "Katholik mit Wein, Schiff nach Frankreich"}, kCatholic, kWine, kFrance, kR, kR, kR},
    {"L4", {"Catholic with cloth, ship to the Netherlands", "catholique avec drap, navire pour les Pays-Bas", "カトリック、布、オランダ行きの船", "Katholik mit Tuch, Schiff in die Niederlande"}, kCatholic, kCloth, kNetherlands, kR, kR, kR},
  }};
}();

// Two rows for each country, the better price first: row i is bit i of a sale. Book in the Netherlands and ore in Spain follow by
// elimination: every good is bought by two countries.
inline constexpr std::array<MarketRow, 8> kMarket{{
    // id, names, country, good, price, sure
    {"cloth_England", {"cloth in England", "drap en Angleterre", "イングランドの布", "Tuch in England"}, kEngland, kCloth, 4, Sure::kCertain},
    {"wine_England", {"wine in England", "vin en Angleterre", "イングランドのワイン", "Wein in England"}, kEngland, kWine, 2, Sure::kCertain},
    {"book_France", {"book in France", "livre en France", "フランスの本", "Buch in Frankreich"}, kFrance, kBook, 4, Sure::kCertain},
    {"ore_France", {"ore in France", "minerai en France", "フランスの鉄", "Erz in Frankreich"}, kFrance, kOre, 2, Sure::kCertain},
    {"wine_Netherlands", {"wine in the Netherlands", "vin aux Pays-Bas", "オランダのワイン", "Wein in den Niederlanden"}, kNetherlands, kWine, 4, Sure::kCertain},
    {"book_Netherlands", {"book in the Netherlands", "livre aux Pays-Bas", "オランダの本", "Buch in den Niederlanden"}, kNetherlands, kBook, 2, Sure::kLikely},
    {"ore_Spain", {"ore in Spain", "minerai en Espagne", "スペインの鉄", "Erz in Spanien"}, kSpain, kOre, 4, Sure::kLikely},
    {"cloth_Spain", {"cloth in Spain", "drap en Espagne", "スペインの布", "Tuch in Spanien"}, kSpain, kCloth, 2, Sure::kCertain},
}};
// clang-format on

inline constexpr std::array<std::uint8_t, 6> kReligionDieFaces{1, 2, 3, 3, 4, 5};
inline constexpr unsigned kTopReligionFace = 5;
inline constexpr unsigned kTopFace = 6;  // of all other dice

// All certain.
inline constexpr unsigned kStartPoints = 2;
inline constexpr unsigned kStartProtection = 1;
inline constexpr unsigned kGoal = 50;             // points that make the current year the last
inline constexpr unsigned kFreeDieFee = 3;        // points for taking a die off an own card
inline constexpr unsigned kDeclineFee = 1;        // points for recruiting nobody
inline constexpr unsigned kMinorityPoints = 1;    // for the only seat of its religion
inline constexpr unsigned kLochLevenDie = 3;      // the face a die is set to there
inline constexpr unsigned kEventLoss = 2;         // points lost by EventKind::kLosePoints
inline constexpr unsigned kSellOnePoints = 3;     // for the good of Effect::kSellOne
inline constexpr unsigned kMaxSkips = 3;          // spaces of a colour that can be skipped, for a point each
inline constexpr unsigned kSites = 6;             // of houses in each country
inline constexpr unsigned kStoneSpaces = 4;       // religion spaces in each country
inline constexpr unsigned kStoneSpacesOfTwo = 3;  // the same with two players
inline constexpr unsigned kPointsPerHouse = 2;    // at the end, as the next two
inline constexpr unsigned kPointsPerProtection = 1;
inline constexpr unsigned kGoodsPerPoint = 2;

}  // namespace kingsbridge::column
