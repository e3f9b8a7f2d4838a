/** Invented neighbors with handwritten profiles, with whom the demo member interacts. */
import type { Point } from "@lambda/geo/distance";

export interface CastMember {
  readonly name: string;
  readonly age: number;
  readonly height: string;
  readonly weight: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly home: Point;
  /** Number of pictures: the first two are public, the others in the private album. */
  readonly pictures: number;
}

/** Profile ids of the three logins. */
export const LOGINS = { member: 1, other: 2, admin: 3 } as const;

/** In order of their ids, first the logins: two lines each. */
const PROFILES = `
  Daniel, 37, 5'11", 172 lb, 3 pictures at 37.7609 -122.4357: Coffee Versatile SafeOnly PrEP Tested Outdoors Cooking Homemaking
  Cabinetmaker with a shop south of Market and sawdust in every pocket. Early coffee, long hills, one borrowed dog on Sundays. I would rather hear how your week was than what you lift.
  Mateo, 33, 5'9", 160 lb, 3 pictures at 37.7641 -122.4328: Hosting Coffee Hairy Gardening Cooking Vax+
  Gardener for the city: if a rose in the park looks happy, say thank you. Hablo español, catalán y un poco de tomate. Happiest with soil on my hands and people at my table.
  Winston, 52, 6'1", 198 lb, 3 pictures at 37.7579 -122.4383: Coffee Bear Culture Animals Professional
  Retired bus driver, volunteer here since the first week. I read what you report, with tea. Off duty: chess in the park, gospel on the stereo, a cat called Transfer.
  Rafael, 34, 5'10", 175 lb, 2 pictures at 37.7587 -122.4335: Coffee Hosting Hairy Cooking Outdoors PrEP
  Baker on 24th Street. Up at three, asleep by nine, in a good mood in between. I measure affection in cardamom buns.
  Theo, 29, 6'0", 165 lb, 2 pictures at 37.7627 -122.4379: Fitness Outdoors Smooth Tested Doxy Coffee
  Nurse on nights, climber on days off. If I answer at four in the morning, that is why. Looking for a belay partner, in every sense.
  Javier, 41, 5'8", 168 lb, 2 pictures at 37.7596 -122.4302: Culture Cooking Coffee Masculine Vax+
  De Oaxaca, en el barrio desde hace doce años. Profe de música: doy la nota, pero afinada. Domingos de mercado y sobremesa larga.
  Marcus, 45, 6'2", 190 lb, 5 pictures at 37.7645 -122.4391: Art Culture Bar Bear Travel
  Photographer of other people's weddings and my own shadows. Film only at weekends. Good listener, slow walker, fast cook.
  Sam, 31, 5'7", 150 lb, 2 pictures at 37.7661 -122.4316: Trans Transgender Bar Culture Animals SafeOnly
  Trans man, terrible at bowling, unbeatable at pub quizzes. Say hello like you would at a bar.
  Elliot, 38, 5'11", 180 lb, 2 pictures at 37.7618 -122.4419: Art Fitness Coffee Smooth Condoms
  Picture framer: I will tell you when your photograph hangs crooked. Two bicycles, no car, one fern.
  Omar, 36, 6'0", 184 lb, 2 pictures at 37.7573 -122.4361: Cooking Bar Hairy Versatile PrEP Vax+
  Line cook, so I know where to eat after midnight. Born in Beirut, raised on my aunt's jokes.
  Wes, 48, 5'10", 210 lb, 2 pictures at 37.7632 -122.4347: Bear Hairy Homemaking Animals Coffee
  Big beard, small tattoo, medium patience. I restore old radios and pretend they are for selling.
  Isaac, 27, 5'9", 158 lb, 3 pictures at 37.7655 -122.4352: Culture Fitness Feminine Travel Tested
  Dancer between contracts, teaching children to skip in time. Shy first, then not at all.
  Gus, 57, 5'8", 195 lb, 2 pictures at 37.7559 -122.4329: Gardening Culture Bear Coffee Cooking
  Widower, allotment holder, choir bass. I take terrible photographs; help is welcome.
  Noah, 25, 6'1", 170 lb, 2 pictures at 37.7691 -122.4331: Fitness Bar Travel PrEP Smooth
  New in town, still collecting good corners. Software by day, roller skates by night.
  Ken, 43, 5'7", 155 lb, 2 pictures at 37.7604 -122.4285: Culture Art Coffee Tested Professional
  Librarian at the main branch. Yes, I will recommend you a book. No, I will not tell you the ending.`;

function parse(facts: string, description: string): CastMember {
  const [, name = "", age, height = "", weight = "", pictures, lat, lon, tags = ""] =
    /^(.+), (\d+), (.+), (.+), (\d) pictures at (\S+) (\S+): (.+)$/.exec(facts) ?? [];
  const home = { lat: Number(lat), lon: Number(lon) };
  const looks = { name, age: Number(age), height, weight };
  return { ...looks, description, tags: tags.split(" "), home, pictures: Number(pictures) };
}

const lines = PROFILES.trim().split(/\n\s*/);
/** The three logins, then the cast, in order of their ids. */
export const CAST: readonly CastMember[] = lines.flatMap((facts, index) =>
  index % 2 === 0 ? [parse(facts, lines[index + 1] ?? "")] : [],
);

/** The id of a cast member by name in lower case, or of a login by role. */
export function idOf(who: string): number {
  if (who === "member" || who === "other") return LOGINS[who];
  const index = CAST.findIndex(({ name }) => name.toLowerCase() === who);
  if (index < 0) throw new Error(`nobody in the cast is called ${who}`);
  return index + 1;
}
