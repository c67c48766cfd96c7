// What DescribeGame, the notation and the Dealer know of The Builders.
#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"

namespace kingsbridge::builders {
namespace {

constexpr auto worker_symbols() {
  std::array<std::string_view, kFaces> symbols{};
  for (unsigned i = 0; i < kFirstMachine; ++i) symbols[i] = kWorkers[static_cast<std::size_t>(worker_cards()[i])].id;
  for (unsigned m = 0; m < kMachines; ++m) symbols[kFirstMachine + m] = kSites[kFirstMachineSite + m].id;
  return symbols;
}

constexpr auto worker_copies() {
  std::array<std::uint8_t, kFaces> copies{};
  copies.fill(1);
  copies[kDoubleFace] = 2;
  return copies;
}

constexpr auto site_symbols() {
  std::array<std::string_view, kSiteCount> symbols{};
  for (unsigned i = 0; i < kSiteCount; ++i) symbols[i] = kSites[i].id;
  return symbols;
}

constexpr auto site_copies() {
  std::array<std::uint8_t, kSiteCount> copies{};
  copies.fill(1);
  return copies;
}

constexpr auto kWorkerSymbols = worker_symbols();
constexpr auto kWorkerCopies = worker_copies();
constexpr auto kSiteSymbols = site_symbols();
constexpr auto kSiteCopies = site_copies();

enum DomainNumber : std::uint8_t { kSeatDomain, kWorkerDomain, kSiteDomain, kExchangeDomain };

constexpr std::array<Domain, 4> kDomains{{
    {.name = "seat", .first = 0, .count = kMaxSeats},
    {.name = "worker", .count = kFaces, .symbols = kWorkerSymbols, .copies = kWorkerCopies},
    {.name = "site", .count = kSiteCount, .symbols = kSiteSymbols, .copies = kSiteCopies},
    {.name = "exchange", .first = 1, .count = 3},
}};

constexpr std::array<Argument, 1> kSite{{{"site", kSiteDomain}}};
constexpr std::array<Argument, 1> kWorker{{{"worker", kWorkerDomain}}};
constexpr std::array<Argument, 2> kWorkerAndSite{{{"worker", kWorkerDomain}, {"site", kSiteDomain}}};
constexpr std::array<Argument, 1> kActions{{{"actions", kExchangeDomain}}};
constexpr std::array<Argument, 1> kSeat{{{"seat", kSeatDomain}}};
constexpr std::array<Argument, 2> kSeatAndWorker{{{"seat", kSeatDomain}, {"worker", kWorkerDomain}}};

constexpr std::array<ActionKind, 10> kKinds{{
    {.name = "open", .arguments = kSite, .phrase = {"start building {site}", "commencer {site}", "{site}の建築に着手"}},
    {.name = "recruit", .arguments = kWorker, .phrase = {"recruit {worker}", "recruter {worker}", "{worker}を雇用"}},
    {.name = "send",
     .arguments = kWorkerAndSite,
     .phrase = {"send {worker} to {site}", "envoyer {worker} sur {site}", "{worker}を{site}へ派遣"}},
    {.name = "coins",
     .arguments = kActions,
     .phrase = {"trade {actions} action(s) for coins", "échanger {actions} action(s) contre des écus",
                "{actions}アクションでコインを獲得"}},
    {.name = "buy", .phrase = {"buy an action for 5 coins", "acheter une action pour 5 écus", "5コインで追加アクションを購入"}},
    {.name = "end", .phrase = {"end the turn", "finir le tour", "手番を終了"}},
    {.name = "start",
     .arguments = kSeat,
     .chance = true,
     .phrase = {"seat {seat} begins", "le joueur {seat} commence", "スタートプレイヤー：{seat}"}},
    {.name = "apprentice",
     .arguments = kSeatAndWorker,
     .chance = true,
     .deck = "apprentice",
     .phrase = {"seat {seat} gets {worker}", "le joueur {seat} reçoit {worker}", "{seat}に{worker}を配る"}},
    {.name = "reveal_site",
     .arguments = kSite,
     .chance = true,
     .pooled = true,
     .deck = "site",
     .phrase = {"{site} is revealed", "{site} est révélé", "{site}が公開される"}},
    {.name = "reveal_worker",
     .arguments = kWorker,
     .chance = true,
     .pooled = true,
     .deck = "worker",
     .phrase = {"{worker} is revealed", "{worker} est révélé", "{worker}が公開される"}},
}};

constexpr Component component(const Worker& worker) {
  const auto [stone, wood, knowledge, tile] = worker.makes;
  return {
      .id = worker.id,
      .set = "worker",
      .face = worker.face,
      .names = worker.type,
      .provenance = {{"published", "published", "published"}, "certain", worker.sources},
      .attributes = {{{"wage", worker.wage},
                      {"stone", stone},
                      {"wood", wood},
                      {"knowledge", knowledge},
                      {"tile", tile},
                      {"start_apprentice", worker.apprentice}}},
  };
}

constexpr Component component(const Site& site, bool machine) {
  const auto [need_stone, need_wood, need_knowledge, need_tile] = site.needs;
  Component result{
      .id = site.id,
      .set = machine ? "machine" : "building",
      .face = site.id,
      .names = site.names,
      .provenance = {{machine ? "unofficial" : "published", "published", "unofficial"}, "certain", site.sources},
      .attributes = {{{"coins", site.coins},
                      {"points", site.points},
                      {"need_stone", need_stone},
                      {"need_wood", need_wood},
                      {"need_knowledge", need_knowledge},
                      {"need_tile", need_tile}}},
  };
  if (machine) {
    const std::array<std::string_view, 4> names{"stone", "wood", "knowledge", "tile"};
    for (std::size_t i = 0; i < 4; ++i) result.attributes[6 + i] = {names[i], site.makes[i]};
  }
  return result;
}

constexpr auto components() {
  std::array<Component, kWorkers.size() + kSites.size()> all{};
  std::size_t i = 0;
  for (const Worker& worker : kWorkers) all[i++] = component(worker);
  for (unsigned site = 0; site < kSiteCount; ++site) all[i++] = component(kSites[site], is_machine_site(site));
  return all;
}

constexpr auto kComponents = components();

}  // namespace

const std::array<OptionInfo, 3> Options::kInfos{{
    {"max_rounds", 1, 255, 40, "the game ends after this round; under the printed rules it need not end"},
    {"visible_tops", 0, 1, 1, "1: the next card of each deck lies face up, as printed; 0: it is hidden"},
    {"cumulative_coins", 0, 1, 0,
     "0: each exchange of 1, 2, 3 actions pays 1, 3, 6 coins; 1: the n-th action sold in a turn pays 1, 2, 3, 1, ..."},
}};

// max_score: 122 points of all cards; coins: 10 + 448 printed + 6 a turn in 255 rounds = 1988, a tenth of it 198.
// max_length: a seat earns at most 458 + 6 * 255 coins and 3 with each bought action, which costs 5: 994 buys. So a game has at most
// 4 * (255 * (3 + 1) + 2 * 994) decisions, and 85 chance events.
const GameInfo State::kInfo{
    .name = "builders",
    .title = {"The Builders: Middle Ages", "Les Bâtisseurs : Moyen-Âge", "中世の建築士たち"},
    .min_players = 2,
    .max_players = 4,
    .rules_revision = 1,
    .max_score = 320,
    .max_length = 4 * (255 * 4 + 2 * 994) + 85,
    .options = Options::kInfos,
    .domains = kDomains,
    .kinds = kKinds,
    .components = kComponents,
};

}  // namespace kingsbridge::builders
