/** The demo's reports, jury verdicts and staff decisions. Quotes are no worse than a case needs. */
import type { JurySanction } from "@lambda/contract/arbitration";
import type { Rule } from "@lambda/contract/moderation";

export interface JuryStory {
  readonly daysAgo: number;
  readonly rule: Rule;
  /** What the reported member wrote to the reporter or in the map chat. Absent: the profile was reported. */
  readonly wrote?: { readonly to: "reporter" | "area"; readonly text: string };
  readonly complaint: string;
  /** How many of the six voting jurors found a violation. */
  readonly guilty: number;
  readonly sanction: JurySanction;
  /** The jurors' reasons; those of the majority become the precedent. */
  readonly reasonsGuilty: readonly string[];
  readonly reasonsInnocent: readonly string[];
}

/** Eight days apart, because nobody is summoned twice within a week. */
export const JURY_STORIES: readonly JuryStory[] = [
  {
    daysAgo: 56,
    rule: "spam",
    wrote: { to: "area", text: "Double your savings in one week! Write to me for the link, only ten places left!!!" },
    complaint: "The same advertisement three evenings in a row in the map chat. It is our square, not a billboard.",
    guilty: 5,
    sanction: "warn",
    reasonsGuilty: [
      "Advertising in the map chat, repeated after neighbors asked him to stop.",
      "A first time, so a warning is enough; a second one should cost him the chat.",
      "Nobody here asked for an investment tip.",
    ],
    reasonsInnocent: ["Annoying, but one could have muted it."],
  },
  {
    daysAgo: 48,
    rule: "behaviour",
    wrote: { to: "reporter", text: "You stood me up. I will make sure everybody in that bar hears what you are like." },
    complaint: "We had agreed to cancel. He has written like this to two of my friends as well.",
    guilty: 4,
    sanction: "suspend_3",
    reasonsGuilty: [
      "Being cancelled on hurts, but shaming a man in front of his friends is not an answer to it.",
      "Three days to cool down seem fair: no threat of harm, but real pressure.",
      "The messages go on after he was asked to stop.",
    ],
    reasonsInnocent: ["He was hurt and said so. I would leave it at that.", "Heat of the moment."],
  },
  {
    daysAgo: 40,
    rule: "bot",
    complaint: "His profile reads like a form letter and he answered me in ten seconds.",
    guilty: 1,
    sanction: "warn",
    reasonsGuilty: ["Reads generated to me, start to end.", "Too smooth by half."],
    reasonsInnocent: [
      "Stiff prose is not a bot: the text names a bakery that exists and a dog that limps.",
      "Some people write their profile in a second language and have it corrected.",
      "Answering fast breaks no rule.",
    ],
  },
  {
    daysAgo: 32,
    rule: "harassment",
    wrote: { to: "reporter", text: "You can ignore me all you want, I know which gym you go to. See you there." },
    complaint: "I told him no, twice and kindly. Then this. I changed my gym hours because of it.",
    guilty: 6,
    sanction: "suspend_3",
    reasonsGuilty: [
      "A no is an answer. Writing where one could wait for him turns it into pressure.",
      "He changed his day because of this message; that is what the rule is for.",
      "Two clear refusals stand above it in the conversation.",
    ],
    reasonsInnocent: [],
  },
  {
    daysAgo: 24,
    rule: "hate",
    wrote: { to: "area", text: "Some of you should learn the language before you crowd our chat." },
    complaint: "Said right after two neighbors had a chat in Spanish about the market.",
    guilty: 5,
    sanction: "warn",
    reasonsGuilty: [
      "It tells neighbors that they do not belong because of the language they speak.",
      "A warning with a reason teaches more than silence here.",
      "The map chat belongs to everyone on the map.",
    ],
    reasonsInnocent: ["Grumpy, not hateful."],
  },
  {
    daysAgo: 16,
    rule: "impersonation",
    complaint: "I am fairly sure that he uses the stage name of a friend of mine, who is not on this site.",
    guilty: 3,
    sanction: "warn",
    reasonsGuilty: ["The name and the hat are hardly a coincidence.", "He should at least say that he is a fan."],
    reasonsInnocent: [
      "A common name and a common hat.",
      "Nobody asked the friend. I cannot find a violation in a guess.",
    ],
  },
  {
    daysAgo: 8,
    rule: "scam",
    wrote: {
      to: "reporter",
      text: "I am stuck at the airport without my wallet. Could you send 200 until Friday? I feel awful asking.",
    },
    complaint: "We had never met. A friend got the same message, word for word, with another airport.",
    guilty: 5,
    sanction: "suspend_30",
    reasonsGuilty: [
      "The same story with two airports is a trade, not bad luck.",
      "He asks for money before he asks for a name.",
      "A month away, and staff should look whether there are more.",
    ],
    reasonsInnocent: ["People do get stuck. I would want to hear him first."],
  },
];

/** The case that awaits the demo member's vote; four others have voted. */
export const OPEN_STORY = {
  rule: "harassment",
  wrote: {
    to: "reporter",
    text: "Third time I ask: why do you not answer? I saw you were online. That is plain rude, and I will tell people so.",
  },
  complaint:
    "I answered once that I am not looking for dates at the moment. There have been messages every evening since.",
  votes: [
    { verdict: "violation", reason: "Every evening after a clear answer is too often." },
    { verdict: "violation", reason: "Pushy, and the last line is meant to frighten." },
    { verdict: "no_violation", reason: "Clumsy, but he stops short of a rule for me." },
    { verdict: "violation", reason: "I would warn him; he does not insult anybody." },
  ],
} as const;

/** Cases that go to staff: two are open, and one was dismissed. */
export const STAFF_STORIES = {
  threat: {
    text: "You blocked my friend. I know your van and where you park it. Be careful this week.",
    complaint: "He names my van. I do not feel safe parking at the shop tonight.",
  },
  privatePictures: {
    complaint: "A picture from my private album was shown around at a party. He is the only one I had opened it to.",
  },
  dismissed: {
    complaint: "He posts pictures with other men's faces in the background.",
    answer: "Looked at both pictures: nobody in the background can be recognised.",
  },
} as const;

export const STAFF_ACTIONS = {
  ban: "Sold invented concert tickets to four members; the same account was named each time.",
  suspend: "Threatened a neighbor with a visit after being blocked. Two weeks, and the last chance.",
  warn: "The jury was divided. A stage name needs its owner's consent, or a word that it is meant as a tribute.",
} as const;

export const APPEALS = {
  /** Against the suspension; awaits staff. */
  waiting:
    "I was furious and I am ashamed of it, but I would never have gone there. I have apologised to him through a friend. Please look again at the length.",
  /** Against the warning, which staff reversed. */
  reversed: "I asked him: he laughed and sent you his consent through the contact form. The name is ours to share.",
} as const;

export const LETTERS = [
  {
    path: "/api/contactus-messages",
    body: {
      name: "Gus",
      message: "Could the choir have a notice in the map chat on rehearsal nights? We would keep it short and in tune.",
    },
  },
  {
    path: "/api/problem-reports",
    body: { message: "On my old tablet the crop handles are too small for my thumbs.", page: "/games/photocrop" },
  },
] as const;
