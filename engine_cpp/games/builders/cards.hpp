// The 84 cards of The Builders: Middle Ages, as facts. To correct a row, change it here and rebuild: records made with the old row are
// then refused, since rules_hash covers the table.
//
// Every row is certain: the values were read from scans of the printed cards and agree with at least two independent typed tables.
// Sources: SCAN scans of the 92 card faces; IUT10 a French course's data set, in ten public repositories; USSON an API's
// data by Julien Usson; MATJUU an English typed table; JSFILE a JavaScript table; NICE a spreadsheet of the Université de Nice; RULEBOOK
// the French rulebook of 2013. Names: worker types as published in the three languages; building names in English as typed by MATJUU and in
// French as in the course data are published, Japanese building names and English machine names are translations of ours (unofficial).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/game_info.hpp"

namespace kingsbridge::builders {

// Stone, wood, knowledge, tile: always in this order.
using Resources = std::array<std::uint8_t, 4>;

struct Worker {
  std::string_view id;
  std::string_view face;  // W19 and W30 are two cards with one face
  Text type;
  std::uint8_t wage;
  Resources makes;
  bool apprentice;  // one of the six that start the game
  std::string_view sources;
};

// A building, or a machine: a machine pays no coins and joins the workers when finished.
struct Site {
  std::string_view id;
  Text names;
  std::uint8_t coins;
  std::uint8_t points;
  Resources needs;
  Resources makes;
  std::string_view sources;
};

inline constexpr Text kApprentice{"Apprentice", "Apprenti", "見習工"};
inline constexpr Text kLabourer{"Labourer", "Manœuvre", "助手"};
inline constexpr Text kCraftsman{"Craftsman", "Compagnon", "熟練工"};
inline constexpr Text kMaster{"Master", "Maître", "親方"};

// clang-format off
inline constexpr std::array<Worker, 42> kWorkers{{
    {"W01", "W01", kApprentice, 2, {1, 0, 1, 0}, true, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W02", "W02", kApprentice, 2, {0, 1, 1, 0}, true, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"W03", "W03", kApprentice, 2, {1, 0, 0, 1}, true, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W04", "W04", kApprentice, 2, {1, 1, 0, 0}, true, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W05", "W05", kApprentice, 2, {0, 0, 1, 1}, true, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W06", "W06", kApprentice, 2, {0, 1, 0, 1}, true, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W07", "W07", kLabourer, 3, {0, 2, 0, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W08", "W08", kLabourer, 3, {1, 0, 2, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W09", "W09", kLabourer, 3, {0, 0, 1, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W10", "W10", kLabourer, 3, {1, 2, 0, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W11", "W11", kLabourer, 3, {0, 1, 0, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE"},
    {"W12", "W12", kLabourer, 3, {2, 0, 0, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W13", "W13", kLabourer, 3, {1, 0, 0, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W14", "W14", kLabourer, 3, {0, 2, 1, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W15", "W15", kLabourer, 3, {0, 0, 2, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W16", "W16", kLabourer, 3, {0, 1, 2, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W17", "W17", kLabourer, 3, {2, 1, 0, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W18", "W18", kLabourer, 3, {2, 0, 1, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W19", "W19", kCraftsman, 4, {1, 1, 1, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W20", "W20", kCraftsman, 4, {3, 1, 0, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"W21", "W21", kCraftsman, 4, {0, 0, 1, 3}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"W22", "W22", kCraftsman, 4, {0, 3, 0, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W23", "W23", kCraftsman, 4, {2, 1, 1, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W24", "W24", kCraftsman, 4, {1, 2, 0, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W25", "W25", kCraftsman, 4, {2, 0, 0, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W26", "W26", kCraftsman, 4, {2, 0, 2, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W27", "W27", kCraftsman, 4, {1, 0, 2, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W28", "W28", kCraftsman, 4, {0, 0, 2, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W29", "W29", kCraftsman, 4, {2, 2, 0, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W30", "W19", kCraftsman, 4, {1, 1, 1, 1}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W31", "W31", kCraftsman, 4, {1, 0, 3, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W32", "W32", kCraftsman, 4, {0, 2, 2, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W33", "W33", kCraftsman, 4, {0, 1, 1, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W34", "W34", kCraftsman, 4, {0, 2, 0, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W35", "W35", kMaster, 5, {3, 0, 0, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W36", "W36", kMaster, 5, {0, 0, 2, 3}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W37", "W37", kMaster, 5, {0, 2, 3, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W38", "W38", kMaster, 5, {3, 2, 0, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W39", "W39", kMaster, 5, {0, 0, 3, 2}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W40", "W40", kMaster, 5, {2, 0, 0, 3}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W41", "W41", kMaster, 5, {2, 3, 0, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"W42", "W42", kMaster, 5, {0, 3, 2, 0}, false, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
}};

inline constexpr int kBuildings = 34;
inline constexpr int kMachines = 8;
inline constexpr std::array<Site, kBuildings + kMachines> kSites{{
    {"B01", {"The Bower", "La tonnelle", "東屋（あずまや）"}, 8, 0, {1, 0, 0, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B02", {"The Wooden Shack", "La cabane", "掘っ立て小屋"}, 8, 0, {0, 1, 1, 0}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B03", {"The Covered Bridge", "Le pont couvert", "屋根付き橋"}, 6, 1, {0, 1, 2, 0}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B04", {"The Treehouse", "La cabane perchée", "ツリーハウス"}, 6, 1, {0, 2, 1, 0}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"B05", {"The Stone Bridge", "Le pont en pierre", "石橋"}, 6, 1, {2, 0, 1, 0}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B06", {"The Wash House", "Le lavoir", "洗濯場"}, 6, 1, {0, 1, 0, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"B07", {"The Straw Hut", "La hutte de paille", "藁小屋"}, 6, 1, {1, 0, 0, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+NICE"},
    {"B08", {"The Townhouse", "La maison urbaine", "町家"}, 10, 2, {2, 0, 2, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B09", {"The Cottage", "La chaumière", "茅葺きの家"}, 10, 2, {0, 2, 1, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B10", {"The Rural House", "La maison rurale", "田舎家"}, 10, 2, {1, 2, 1, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B11", {"The House", "La maisonnette", "家"}, 10, 2, {2, 1, 0, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B12", {"The Cowshed", "L'étable", "牛舎"}, 12, 3, {0, 1, 2, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B13", {"The Inn", "L'auberge", "宿屋"}, 12, 3, {2, 1, 1, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"B14", {"The Pigsty", "La porcherie", "豚舎"}, 12, 3, {0, 2, 2, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B15", {"The Rural Relay", "Le relais rural", "田舎の宿駅"}, 12, 3, {0, 3, 1, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B16", {"The Grain Silo", "Le silo à grains", "穀物サイロ"}, 12, 3, {0, 2, 3, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B17", {"The Stables", "L'écurie", "厩舎"}, 14, 3, {0, 3, 1, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B18", {"The Forge", "La forge", "鍛冶場"}, 14, 3, {2, 2, 0, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B19", {"The Windmill", "Le moulin à vent", "風車"}, 14, 3, {3, 0, 3, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B20", {"The Watermill", "Le moulin à eau", "水車"}, 14, 3, {0, 2, 3, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B21", {"The Covered Market", "Les halles", "市場（屋根付き）"}, 16, 4, {0, 3, 2, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B22", {"The Bourgeois House", "La maison bourgeoise", "町人の館"}, 16, 4, {2, 2, 2, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B23", {"The Post", "Le relais postal", "郵便宿駅"}, 16, 4, {3, 1, 2, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B24", {"The Hotel", "L'hôtel", "ホテル"}, 16, 4, {1, 3, 3, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+NICE"},
    {"B25", {"The Tavern", "La taverne", "居酒屋"}, 16, 4, {1, 3, 1, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B26", {"The Farm", "La ferme", "農場"}, 16, 4, {4, 2, 0, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B27", {"The Church", "L'église", "教会"}, 18, 5, {4, 0, 2, 4}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B28", {"The Watchtower", "La tour de guet", "見張り塔"}, 18, 5, {3, 3, 2, 2}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"B29", {"The Abbey", "L'abbaye", "大修道院"}, 18, 5, {4, 3, 2, 1}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B30", {"The Cloister", "Le cloître", "回廊"}, 18, 5, {4, 2, 4, 0}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B31", {"The Chapel", "La chapelle", "礼拝堂"}, 18, 5, {3, 2, 2, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"B32", {"The Aqueduct", "L'aqueduc", "水道橋"}, 20, 6, {5, 2, 5, 0}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    {"B33", {"The Castle", "Le château-fort", "城"}, 20, 7, {5, 3, 5, 3}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE"},
    {"B34", {"The Cathedral", "La cathédrale", "大聖堂"}, 20, 8, {5, 4, 4, 4}, {0, 0, 0, 0}, "SCAN+IUT10+USSON+MATJUU+JSFILE+NICE+RULEBOOK"},
    // Machines.
    {"M01", {"Crane (small)", "Une grue", "クレーン（小）"}, 0, 1, {0, 1, 0, 1}, {2, 0, 0, 0}, "SCAN+IUT10+USSON+JSFILE+NICE"},
    {"M02", {"Circular Saw (small)", "Une scie circulaire", "丸鋸（小）"}, 0, 1, {1, 0, 1, 0}, {0, 2, 0, 0}, "SCAN+IUT10+USSON+JSFILE"},
    {"M03", {"Measuring Instrument (small)", "Un instrument de mesure", "測量器（小）"}, 0, 1, {1, 1, 0, 0}, {0, 0, 2, 0}, "SCAN+IUT10+USSON+JSFILE+NICE"},
    {"M04", {"Tile Kiln (small)", "Un four à tuiles", "瓦窯（小）"}, 0, 1, {0, 1, 1, 0}, {0, 0, 0, 2}, "SCAN+IUT10+USSON+JSFILE+NICE"},
    {"M05", {"Crane (large)", "Une grue", "クレーン（大）"}, 0, 2, {0, 2, 1, 0}, {3, 0, 0, 0}, "SCAN+IUT10+USSON+JSFILE+NICE"},
    {"M06", {"Circular Saw (large)", "Une scie circulaire", "丸鋸（大）"}, 0, 2, {0, 0, 2, 1}, {0, 3, 0, 0}, "SCAN+IUT10+USSON+JSFILE+NICE"},
    {"M07", {"Measuring Instrument (large)", "Un instrument de mesure", "測量器（大）"}, 0, 2, {1, 0, 0, 2}, {0, 0, 3, 0}, "SCAN+IUT10+USSON+JSFILE+NICE"},
    {"M08", {"Tile Kiln (large)", "Un four à tuiles", "瓦窯（大）"}, 0, 2, {2, 1, 0, 0}, {0, 0, 0, 3}, "SCAN+IUT10+USSON+JSFILE+NICE"},
}};
// clang-format on

}  // namespace kingsbridge::builders
