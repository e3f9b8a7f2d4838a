import type { BrandId } from "@lambda/brands";
import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";
import { seededRandom } from "@lambda/testing/random";
import { pick } from "./portraits.ts";

/** Names, texts and measurements of invented members. Any resemblance to real people is coincidental. */

/** Splits at bars and lines. */
const split = (names: string) => names.trim().split(/\||\n\s*/);

const NAMES: Record<BrandId, readonly string[]> = {
  ember: split(`
    Marcus|Diego|Tyler|Andre|Cole|Ray|Hector|Wes|Jonah|Malik|Dex|Omar|Luis|Grady|Beau|Nico|Trent|Isaac|Vince|Theo
    DesertFox|SonoranSon|MesaMarc|LateSun|DryHeat|TallDrink|Saguaro|Backporch|CanyonGuy|NightOwl|Big Tom from Tempe
    Javi|Quinn|Silas|Ezra|Kofi|Arlo|Rafa|Dante|Sam & coffee|Mateo|Leroy|Kai|Bo|Ignacio`),
  harbor: split(`
    Jordi|Pau|Marc|Àlex|Oriol|Iker|Rubén|Dani|Sergi|Adrià|Nil|Bernat|Yusuf|Matteo|Hugo|Tomàs|Martí|Quim|Unai|MarIBlau
    BarceloNat|Rambler|PortSide|Terrassa|MistralBoy|Llevant|SaltAndStone`),
  bramble: split(`
    Otis|Walt|Hank|Rowan|Birch|Gus|Emmett|Ansel|Dutch|Calder|Moss|Fletcher|Reid|Hollis|Amos|Thatcher|BeardedBaker
    FlannelFrank|MossyOak|GentleGiant|PorchBear|TrailMix|RainyDayRob|Woodsmoke`),
};

/** Names for residents of San Francisco: many, so that few in one street share a name, and none of the cast's. */
const NEIGHBOR_NAMES: readonly string[] = split(`
  Adrian|Aiden|Alonso|Amir|Anders|Andre|Angelo|Anton|Arlo|Ashton|August|Beau|Benji|Blake|Bram|Brett|Bruno|Byron|Caleb
  Calvin|Carlos|Cedric|Chase|Chen|Clay|Cole|Conrad|Cyrus|Damon|Dante|Darius|Dean|Declan|Desmond|Dev|Dex|Diego|Dominic
  Duc|Eamon|Eduardo|Eli|Emilio|Enzo|Ezra|Felix|Finn|Floyd|Franco|Gabe|Gideon|Grant|Griffin|Hank|Hao|Harvey|Hector|Hiro
  Hugh|Ian|Ignacio|Ira|Ivan|Jae|Jamal|Jasper|Jerome|Jonah|Jules|Kai|Keanu|Kenji|Kofi|Lamar|Lars|Leandro|Leroy|Lionel
  Luca|Luis|Malik|Manny|Matt|Micah|Miles|Minh|Mitch|Monty|Nate|Nico|Niels|Octavio|Oscar|Otto|Pablo|Paolo|Percy|Pete
  Quentin|Quinn|Raj|Ramon|Ray|Reggie|Remy|Rex|Rico|Roland|Rory|Ruben|Russ|Salvador|Santi|Sergio|Silas|Soren|Stefan
  Tariq|Tito|Tomas|Trent|Tristan|Tuan|Ty|Umberto|Victor|Vikram|Vince|Walt|Warren|Will|Xavier|Yusuf|Zane|FogWalker
  HillClimber|KarlTheFog|SeventeenSteps|Streetcar49|BayWindow|SourdoughSid|DoloresDan|LateFerry|TheQuietOne|Bookish
  Night Owl|Tall Drew|Coffee & Co|Big Lou|Two Wheels|Nob Hill Ned|Mission Mike|Bernal Bear|Little Rock`);

const OPENERS = [
  "New-ish in town and still collecting good corners.",
  "Carpenter by day, terrible karaoke singer by night.",
  "I teach maths to teenagers, so I am patient with everything.",
  "Nurse on nights. If I answer at 4 a.m., that is why.",
  "Early riser, slow coffee, long walks with a stubborn dog.",
  "I cook better than I text.",
  "Line cook, so I know where to eat after midnight.",
  "Gardener. My hands are rough and my tomatoes are famous.",
  "Software person who would rather be up a mountain.",
  "Librarian. Yes, I will recommend you a book.",
  "I play the cello badly and dominoes very well.",
  "Recently single, in no hurry, happy to laugh again.",
  "Architecture nerd. I will point at buildings.",
  "Truck driver, home at weekends, good at hugs.",
  "Retired early, learning to sail, open to a crew.",
];
const MIDDLES = [
  "Looking for a beer, a talk, and whatever comes of it.",
  "Dates first, please; I like to know a laugh before the rest.",
  "Friends are welcome too, I mean it.",
  "Mostly here to see who else is around on a quiet evening.",
  "Happy to host, happier to be taken out.",
  "Show me your neighborhood and I will show you mine.",
  "Good with words, better with silence.",
  "Bears, otters, whoever: kind eyes win.",
  "I am out to everyone who matters; discretion respected all the same.",
  "Not in a rush. Say hello like you would at a bar.",
];
const CLOSERS = [
  "Be kind or be elsewhere.",
  "Ask me about the dog.",
  "Tested in spring, on PrEP, ask me anything.",
  "No drama, some theater.",
  "If you read this far: best taco in town, go.",
  "Tall tales welcome.",
  "",
  "",
];
const SPANISH = [
  "Llegué hace poco al barrio y todavía busco mi bar. Un vermut y hablamos.",
  "Enfermero de noche. Si contesto a las cuatro, ya sabes por qué.",
  "Cocino mejor de lo que escribo. Sin prisas y con buen humor.",
  "Madrugador, café largo y paseo con un perro cabezota.",
  "Profe de instituto: paciencia infinita, poca resaca.",
];
const HEIGHTS_US = ["5'6\"", "5'8\"", "5'9\"", "5'10\"", "5'11\"", "6'0\"", "6'1\"", "6'2\"", "6'4\""];
const WEIGHTS_US = ["145 lb", "158 lb", "165 lb", "172 lb", "180 lb", "195 lb", "210 lb", "240 lb"];
const HEIGHTS_EU = ["168 cm", "172 cm", "175 cm", "178 cm", "181 cm", "184 cm", "190 cm"];
const WEIGHTS_EU = ["62 kg", "68 kg", "74 kg", "79 kg", "85 kg", "93 kg", "104 kg"];

export interface Person {
  readonly name: string;
  readonly birthdate: string;
  readonly height: string;
  readonly weight: string;
  readonly description: string;
  readonly characteristics: readonly string[];
  readonly pictures: number;
}

/** Invents the member for a seed. About one in ten leaves most fields empty, like real people. */
export function inventPerson(seed: number, brand: BrandId, now: number, isNeighbor = false): Person {
  const random = seededRandom(seed * 101 + 7).next;
  const sparse = random() < 0.1;
  const age = 18.1 + random() ** 1.4 * 46;
  const european = brand === "harbor" && !isNeighbor;
  const description =
    european && random() < 0.6
      ? pick(random, SPANISH)
      : [pick(random, OPENERS), pick(random, MIDDLES), pick(random, CLOSERS)].join(" ").trim();
  return {
    name: isNeighbor ? (NEIGHBOR_NAMES[(seed * 5) % NEIGHBOR_NAMES.length] as string) : pick(random, NAMES[brand]),
    birthdate: new Date(now - age * 365.2425 * 86_400_000).toISOString().slice(0, 10),
    height: sparse ? "" : pick(random, european ? HEIGHTS_EU : HEIGHTS_US),
    weight: sparse || random() < 0.2 ? "" : pick(random, european ? WEIGHTS_EU : WEIGHTS_US),
    description: sparse ? "" : description,
    characteristics: sparse ? [] : characteristics(random),
    pictures: random() < 0.07 ? 0 : 1 + Math.floor(random() ** 2 * 3),
  };
}

function characteristics(random: () => number): string[] {
  return Object.entries(CHARACTERISTIC_CATEGORIES).flatMap(([category, tags]) => {
    const chance = category === "Kink" ? 0.08 : category === "Interests" ? 0.3 : 0.24;
    return tags.filter((tag) => tag !== "Hiv+" && tag !== "Poz" && random() < chance);
  });
}
