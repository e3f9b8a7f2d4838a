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

export const LOGIN_PROFILES: readonly Omit<CastMember, "home">[] = [
  {
    name: "Daniel",
    age: 37,
    height: "5'11\"",
    weight: "172 lb",
    description:
      "Cabinetmaker with a shop south of Market and sawdust in every pocket. Early coffee, long hills, one borrowed dog on Sundays. I would rather hear how your week was than what you lift.",
    tags: ["Coffee", "Versatile", "SafeOnly", "PrEP", "Tested", "Outdoors", "Cooking", "Homemaking"],
    pictures: 3,
  },
  {
    name: "Mateo",
    age: 33,
    height: "5'9\"",
    weight: "160 lb",
    description:
      "Gardener for the city: if a rose in the park looks happy, say thank you. Hablo español, catalán y un poco de tomate. Happiest with soil on my hands and people at my table.",
    tags: ["Hosting", "Coffee", "Hairy", "Gardening", "Cooking", "Vax+"],
    pictures: 3,
  },
  {
    name: "Winston",
    age: 52,
    height: "6'1\"",
    weight: "198 lb",
    description:
      "Retired bus driver, volunteer here since the first week. I read what you report, with tea. Off duty: chess in the park, gospel on the stereo, a cat called Transfer.",
    tags: ["Coffee", "Bear", "Culture", "Animals", "Professional"],
    pictures: 3,
  },
];

/** Ids follow this order, starting at 4. */
const CAST_NAMES = [
  "rafael",
  "theo",
  "javier",
  "marcus",
  "sam",
  "elliot",
  "omar",
  "wes",
  "isaac",
  "gus",
  "noah",
  "ken",
] as const;
export type CastName = (typeof CAST_NAMES)[number];

const CAST: Readonly<Record<CastName, CastMember>> = {
  rafael: {
    name: "Rafael",
    age: 34,
    height: "5'10\"",
    weight: "175 lb",
    description:
      "Baker on 24th Street. Up at three, asleep by nine, in a good mood in between. I measure affection in cardamom buns.",
    tags: ["Coffee", "Hosting", "Hairy", "Cooking", "Outdoors", "PrEP"],
    home: { lat: 37.7587, lon: -122.4335 },
    pictures: 2,
  },
  theo: {
    name: "Theo",
    age: 29,
    height: "6'0\"",
    weight: "165 lb",
    description:
      "Nurse on nights, climber on days off. If I answer at four in the morning, that is why. Looking for a belay partner, in every sense.",
    tags: ["Fitness", "Outdoors", "Smooth", "Tested", "Doxy", "Coffee"],
    home: { lat: 37.7627, lon: -122.4379 },
    pictures: 2,
  },
  javier: {
    name: "Javier",
    age: 41,
    height: "5'8\"",
    weight: "168 lb",
    description:
      "De Oaxaca, en el barrio desde hace doce años. Profe de música: doy la nota, pero afinada. Domingos de mercado y sobremesa larga.",
    tags: ["Culture", "Cooking", "Coffee", "Masculine", "Vax+"],
    home: { lat: 37.7596, lon: -122.4302 },
    pictures: 2,
  },
  marcus: {
    name: "Marcus",
    age: 45,
    height: "6'2\"",
    weight: "190 lb",
    description:
      "Photographer of other people's weddings and my own shadows. Film only at weekends. Good listener, slow walker, fast cook.",
    tags: ["Art", "Culture", "Bar", "Bear", "Travel"],
    home: { lat: 37.7645, lon: -122.4391 },
    pictures: 5,
  },
  sam: {
    name: "Sam",
    age: 31,
    height: "5'7\"",
    weight: "150 lb",
    description: "Trans man, terrible at bowling, unbeatable at pub quizzes. Say hello like you would at a bar.",
    tags: ["Trans", "Transgender", "Bar", "Culture", "Animals", "SafeOnly"],
    home: { lat: 37.7661, lon: -122.4316 },
    pictures: 2,
  },
  elliot: {
    name: "Elliot",
    age: 38,
    height: "5'11\"",
    weight: "180 lb",
    description: "Picture framer: I will tell you when your photograph hangs crooked. Two bicycles, no car, one fern.",
    tags: ["Art", "Fitness", "Coffee", "Smooth", "Condoms"],
    home: { lat: 37.7618, lon: -122.4419 },
    pictures: 2,
  },
  omar: {
    name: "Omar",
    age: 36,
    height: "6'0\"",
    weight: "184 lb",
    description: "Line cook, so I know where to eat after midnight. Born in Beirut, raised on my aunt's jokes.",
    tags: ["Cooking", "Bar", "Hairy", "Versatile", "PrEP", "Vax+"],
    home: { lat: 37.7573, lon: -122.4361 },
    pictures: 2,
  },
  wes: {
    name: "Wes",
    age: 48,
    height: "5'10\"",
    weight: "210 lb",
    description: "Big beard, small tattoo, medium patience. I restore old radios and pretend they are for selling.",
    tags: ["Bear", "Hairy", "Homemaking", "Animals", "Coffee"],
    home: { lat: 37.7632, lon: -122.4347 },
    pictures: 2,
  },
  isaac: {
    name: "Isaac",
    age: 27,
    height: "5'9\"",
    weight: "158 lb",
    description: "Dancer between contracts, teaching children to skip in time. Shy first, then not at all.",
    tags: ["Culture", "Fitness", "Feminine", "Travel", "Tested"],
    home: { lat: 37.7655, lon: -122.4352 },
    pictures: 3,
  },
  gus: {
    name: "Gus",
    age: 57,
    height: "5'8\"",
    weight: "195 lb",
    description: "Widower, allotment holder, choir bass. I take terrible photographs; help is welcome.",
    tags: ["Gardening", "Culture", "Bear", "Coffee", "Cooking"],
    home: { lat: 37.7559, lon: -122.4329 },
    pictures: 2,
  },
  noah: {
    name: "Noah",
    age: 25,
    height: "6'1\"",
    weight: "170 lb",
    description: "New in town, still collecting good corners. Software by day, roller skates by night.",
    tags: ["Fitness", "Bar", "Travel", "PrEP", "Smooth"],
    home: { lat: 37.7691, lon: -122.4331 },
    pictures: 2,
  },
  ken: {
    name: "Ken",
    age: 43,
    height: "5'7\"",
    weight: "155 lb",
    description: "Librarian at the main branch. Yes, I will recommend you a book. No, I will not tell you the ending.",
    tags: ["Culture", "Art", "Coffee", "Tested", "Professional"],
    home: { lat: 37.7604, lon: -122.4285 },
    pictures: 2,
  },
};

export const CAST_IN_ORDER: readonly CastMember[] = CAST_NAMES.map((name) => CAST[name]);
const FIRST_CAST_ID = 4;

export function idOf(name: CastName | "other"): number {
  return name === "other" ? LOGINS.other : FIRST_CAST_ID + CAST_NAMES.indexOf(name);
}
