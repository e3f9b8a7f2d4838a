/** Invented conversations of the demo member with six others, and today's map chat. */
import type { BrandId } from "@lambda/brands";
import type { Reaction } from "@lambda/contract/messages";
import type { TonightWish } from "@lambda/contract/tonight";
import type { CastName } from "./cast.ts";

export interface Line {
  readonly by: "member" | "other";
  /** Minutes ago. */
  readonly ago: number;
  readonly text: string;
  /** An attached picture or the sender's location. */
  readonly with?: "picture" | "place";
  /** Index of the line that this one answers. */
  readonly answers?: number;
  /** Of its recipient. */
  readonly reaction?: Reaction;
}

export interface Conversation {
  readonly other: CastName | "other";
  /** Oldest first. */
  readonly lines: readonly Line[];
  /** When the last line was read, in minutes ago; absent: it was only delivered. */
  readonly read?: number;
}

const DAY = 24 * 60;

export const CONVERSATIONS: readonly Conversation[] = [
  {
    other: "rafael",
    lines: [
      {
        by: "other",
        ago: 2 * DAY + 190,
        text: "Hey neighbor! Was that you with a whole ladder on Sanchez on Saturday?",
      },
      { by: "member", ago: 2 * DAY + 184, text: "Guilty. Two bookshelves, one ladder and a very patient friend." },
      {
        by: "other",
        ago: 2 * DAY + 180,
        text: "I bake on 24th, so my whole day smells of cardamom. If you ever need to bribe a patient friend, come by.",
      },
      { by: "member", ago: 2 * DAY + 171, text: "Careful, I live four blocks away. What is best before nine?" },
      {
        by: "other",
        ago: 2 * DAY + 169,
        text: "Me, with flour up to the elbows 😄 The buns are gone by half past eight.",
        with: "picture",
        reaction: "heart",
      },
      { by: "member", ago: 2 * DAY + 160, text: "That is unfair to a man on his lunch break." },
      {
        by: "other",
        ago: DAY + 95,
        text: "I am off at two tomorrow. Walk up to Corona Heights? The fog should stay out until five.",
      },
      { by: "member", ago: DAY + 88, text: "Yes. I bring the thermos, you bring the unfair ones." },
      { by: "member", ago: DAY + 87, text: "I start from about here.", with: "place" },
      { by: "other", ago: DAY + 80, text: "Perfect. The bench under the red rocks, quarter past two." },
      { by: "member", ago: 34, text: "Still on? I have a saw to return and then I am all yours." },
      {
        by: "other",
        ago: 27,
        text: "On! I saved you two. Extra cardamom on one, you will know which.",
        answers: 7,
      },
      { by: "member", ago: 25, text: "Now I am walking faster.", reaction: "laugh" },
    ],
    read: 24,
  },
  {
    other: "sam",
    lines: [
      {
        by: "member",
        ago: DAY + 240,
        text: "Your profile says unbeatable at pub quizzes. That sounds like a challenge.",
      },
      {
        by: "other",
        ago: DAY + 228,
        text: "It is a warning. My team is called Quizteama Aguilera and we are one short.",
      },
      { by: "member", ago: DAY + 225, text: "I know wood, hills and the first three seasons of everything." },
      { by: "other", ago: DAY + 215, text: "Wood! We lost a point on plywood last month. You are hired." },
      { by: "member", ago: DAY + 210, text: "When and where do I report?" },
      {
        by: "other",
        ago: 12,
        text: "Thursday, eight, the back table by the jukebox. First round is on the new one 😉",
      },
    ],
  },
  {
    other: "theo",
    lines: [
      {
        by: "other",
        ago: DAY + 600,
        text: "Four in the morning, quiet ward, and your profile made me laugh. The borrowed dog: whose?",
      },
      {
        by: "member",
        ago: DAY + 320,
        text: "My upstairs neighbor's. He is called Biscuit and he has opinions about hills.",
      },
      {
        by: "other",
        ago: DAY + 312,
        text: "Then he should come to Glen Canyon. I climb there on Sundays, he can judge my footwork.",
      },
      {
        by: "member",
        ago: DAY + 305,
        text: "He judges everyone. I have not climbed since school, fair warning.",
        reaction: "laugh",
      },
      { by: "other", ago: DAY + 300, text: "I hold ropes for a living, more or less. You will not fall far." },
      { by: "member", ago: 75, text: "Sunday at ten, then. Biscuit says yes." },
    ],
    read: 62,
  },
  {
    other: "javier",
    lines: [
      { by: "other", ago: 3 * DAY + 55, text: "¡Hola, vecino! ¿Tú eres el carpintero de la calle Harriet?" },
      { by: "member", ago: 3 * DAY + 40, text: "El mismo. ¿Nos conocemos?" },
      {
        by: "other",
        ago: 3 * DAY + 33,
        text: "Todavía no. Tengo una guitarra con la tapa rajada y me dijeron que tienes buenas manos.",
      },
      { by: "member", ago: 3 * DAY + 20, text: "Las guitarras me dan respeto, pero tráela y la miramos juntos." },
      { by: "other", ago: 140, text: "¿El miércoles por la tarde? Yo llevo el café de olla." },
      { by: "member", ago: 131, text: "El miércoles a las cinco. Con ese café, hasta aprendo a tocarla." },
    ],
  },
  {
    other: "other",
    lines: [
      { by: "member", ago: DAY + 30, text: "The roses by the tennis courts look ridiculous this week. Your doing?" },
      { by: "other", ago: DAY + 22, text: "Ours: mine and a lot of coffee grounds. Thank you for noticing." },
      {
        by: "other",
        ago: DAY + 21,
        text: "I am looking for someone to build me a potting bench. Paid in tomatoes and real money.",
      },
      { by: "member", ago: DAY + 12, text: "Redwood or cedar? And how tall are you when you are happy?" },
      { by: "other", ago: DAY + 8, text: "Cedar. 5'9\" on normal days, 5'10\" when the figs are ripe." },
      { by: "member", ago: DAY + 3, text: "I will draw something. Come by the shop and complain about it." },
      { by: "other", ago: 205, text: "Monday, after work? I bring figs." },
    ],
    read: 200,
  },
  {
    other: "marcus",
    lines: [
      { by: "other", ago: 4 * DAY + 70, text: "That light in your second picture: is that your shop?" },
      { by: "member", ago: 4 * DAY + 52, text: "It is. North windows, and dust, which helps." },
      {
        by: "other",
        ago: 4 * DAY + 49,
        text: "Dust is the best filter there is. Would you let me bring a camera one morning?",
      },
      {
        by: "member",
        ago: 4 * DAY + 41,
        text: "If I may keep the apron on. This is how it looks around ten.",
        with: "picture",
      },
      { by: "other", ago: 4 * DAY + 33, text: "Oh, that is lovely. Apron stays, I promise." },
      { by: "other", ago: 98, text: "I opened my album for you. The last one is from a roof you will recognise." },
      { by: "member", ago: 90, text: "Is that Dolores, from the north? I will look properly tonight." },
      { by: "other", ago: 86, text: "Good eye. Take your time with the others." },
    ],
    read: 84,
  },
];

/** Who is out tonight, and for what. */
export const TONIGHT: readonly (readonly [CastName, readonly TonightWish[]])[] = [
  ["theo", ["coffee", "walk"]],
  ["omar", ["drink"]],
  ["noah", ["dance", "drink"]],
  ["elliot", ["walk"]],
];

/** The map chat of the last hours. `by` is one of the cast or of the logins. */
export const MAP_CHAT: readonly {
  readonly by: CastName | "member" | "other";
  readonly ago: number;
  readonly text: string;
}[] = [
  { by: "ken", ago: 171, text: "Book swap on the library steps until four. Bring one, take one, no questions asked." },
  { by: "gus", ago: 158, text: "Is the choir rehearsal still on tonight? My bicycle has a flat and an opinion." },
  { by: "elliot", ago: 149, text: "Flat tyre people: I have a pump and a patch kit at 18th and Eureka, just ring." },
  { by: "wes", ago: 118, text: "Fog is rolling over Twin Peaks right now. Worth looking up from your phone for once." },
  { by: "javier", ago: 96, text: "¿Alguien sabe si el mercado de la calle Noe abre hoy? Busco chiles secos." },
  { by: "other", ago: 91, text: "Sí, hasta las siete. El puesto de la esquina tiene guajillo y pasilla." },
  { by: "noah", ago: 52, text: "New here! Where does one skate without being run over by a cable car?" },
  { by: "theo", ago: 47, text: "The park, Sundays, when the road is closed. Wrist guards, says your nurse." },
  { by: "member", ago: 31, text: "And a helmet, says your carpenter. I have spare pads if you want to borrow some." },
  { by: "omar", ago: 9, text: "Kitchen closes late tonight. First three who say hello at the back door get falafel." },
];

/** The map chat of the sister brands, whose members have no sessions here: minutes ago and text, oldest first. */
export const SISTER_MAP_CHAT: Readonly<Partial<Record<BrandId, readonly (readonly [ago: number, text: string])[]>>> = {
  harbor: [
    [164, "Anybody rowing on Saturday? We are one short and the tide is kind."],
    [121, "The ferry is late again. I have half a sandwich and time to talk."],
    [58, "Quiet bar on Second Street, corner seats free. Blue cap, that is me."],
    [14, "Sunset from the pier in ten minutes, for whoever is near."],
  ],
  bramble: [
    [172, "Repair café tonight: bring the lamp, the toaster, the heart."],
    [133, "Who took my thermos at the park cleanup? It has a dent and a name."],
    [66, "Bread came out of the oven too big for one. First come."],
    [21, "Bears with dogs: Buena Vista at seven, north gate."],
  ],
};
