/** Texts of known origin for GPT Buster!: one kind is generated below, the other was written by people. */
import type { BusterAnswer } from "@lambda/contract/game-answers";
import { DESCRIPTIONS } from "../../social/profiles/test-user-texts.ts";

const OPENERS = [
  "Hello dear, I am a passionate and easy-going individual with a zest for life.",
  "As someone who values authenticity and meaningful connections, I believe every day is a new journey.",
  "I'm an open-minded, adventurous soul who loves exploring new cultures and cuisines.",
  "Greetings! I consider myself a well-rounded gentleman with a great sense of humor.",
  "Life is a beautiful tapestry, and I am here to weave unforgettable moments with someone special.",
  "I am a loyal, caring and honest person, seeking a genuine bond built on trust and mutual respect.",
];
const MIDDLES = [
  "Whether it's a cozy night in or an exciting night out, I truly cherish quality time.",
  "In my free time I enjoy traveling, fitness, good food, and staying positive.",
  "I work in international trade and crypto investment, so I can be generous with the right one.",
  "From sunrise hikes to candlelit dinners, I embrace every opportunity to grow.",
  "My hobbies include music, movies, the gym, and deep conversations about the universe.",
];
const CLOSERS = [
  "Let's embark on this adventure together!",
  "Feel free to reach out, and let us see where destiny takes us.",
  "Message me on the other app, I am rarely here, kisses.",
  "If this resonates with you, don't hesitate to say hello!",
];

const HANDWRITTEN: readonly string[] = [
  "honestly just want someone to watch bad horror with. I talk through the whole thing, sorry in advance",
  "40s, beard, mortgage. my knees click. good at fixing sinks and bad at texting back before noon",
  "not here for long so lets skip the weather. im near the old brewery, you?",
  "My niece set this up and picked the photos. I approve of two of them.",
  "looking for: a guy who can parallel park. everything else we can work on",
  "ok so I deleted this three times already. if youre reading it i was bored again on a tuesday",
  "Sober 6 yrs. Dont ask me to the bar, ask me to the diner across from it",
  "Bottom half of a pantomime horse (really, twice). Will explain over a beer.",
  "i like em tall and grumpy. i am short and loud. it works out more often than youd think",
  "Widower. Learning to cook for one and failing, always too much left. Come eat.",
];

function generateTexts(): string[] {
  const texts: string[] = [];
  for (const [a, opener] of OPENERS.entries()) {
    for (const [b, middle] of MIDDLES.entries()) {
      texts.push(`${opener} ${middle} ${CLOSERS[(a + b) % CLOSERS.length]}`);
    }
  }
  return texts;
}

export const KNOWN_TEXTS: readonly { readonly body: string; readonly known: BusterAnswer }[] = [
  ...generateTexts().map((body) => ({ body, known: "bot" as const })),
  ...[...HANDWRITTEN, ...DESCRIPTIONS].map((body) => ({ body, known: "person" as const })),
];
