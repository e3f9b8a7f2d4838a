/** Invented conversations of the demo member with six others, and today's map chat. */
import type { BrandId } from "@lambda/brands";
import { Reaction } from "@lambda/contract/messages";
import type { TonightWish } from "@lambda/contract/tonight";

export interface Line {
  readonly by: "member" | "other";
  /** Minutes ago. */
  readonly ago: number;
  readonly text: string;
  /** An attached picture or the sender's location. */
  readonly with: "picture" | "place" | undefined;
  /** Index of the line that this one answers. */
  readonly answers: number | undefined;
  /** Of its recipient. */
  readonly reaction: Reaction | undefined;
}

export interface Conversation {
  /** A name of the cast in lower case, or "other" for the second login. */
  readonly other: string;
  /** Oldest first. */
  readonly lines: readonly Line[];
  /** When the last line was read, in minutes ago; undefined: it was only delivered. */
  readonly read: number | undefined;
}

/**
 * Under each name, and when the last line was read, one line a message: `>` by the demo member or `<` by the other, days and minutes ago,
 * the text, and in brackets what goes with it.
 */
const TRANSCRIPTS = `
  rafael, read 24
  < 2d 190 Hey neighbor! Was that you with a whole ladder on Sanchez on Saturday?
  > 2d 184 Guilty. Two bookshelves, one ladder and a very patient friend.
  < 2d 180 I bake on 24th, so my whole day smells of cardamom. If you ever need to bribe a patient friend, come by.
  > 2d 171 Careful, I live four blocks away. What is best before nine?
  < 2d 169 Me, with flour up to the elbows 😄 The buns are gone by half past eight. [picture, heart]
  > 2d 160 That is unfair to a man on his lunch break.
  < 1d 95 I am off at two tomorrow. Walk up to Corona Heights? The fog should stay out until five.
  > 1d 88 Yes. I bring the thermos, you bring the unfair ones.
  > 1d 87 I start from about here. [place]
  < 1d 80 Perfect. The bench under the red rocks, quarter past two.
  > 34 Still on? I have a saw to return and then I am all yours.
  < 27 On! I saved you two. Extra cardamom on one, you will know which. [answers 7]
  > 25 Now I am walking faster. [laugh]

  sam, not read
  > 1d 240 Your profile says unbeatable at pub quizzes. That sounds like a challenge.
  < 1d 228 It is a warning. My team is called Quizteama Aguilera and we are one short.
  > 1d 225 I know wood, hills and the first three seasons of everything.
  < 1d 215 Wood! We lost a point on plywood last month. You are hired.
  > 1d 210 When and where do I report?
  < 12 Thursday, eight, the back table by the jukebox. First round is on the new one 😉

  theo, read 62
  < 1d 600 Four in the morning, quiet ward, and your profile made me laugh. The borrowed dog: whose?
  > 1d 320 My upstairs neighbor's. He is called Biscuit and he has opinions about hills.
  < 1d 312 Then he should come to Glen Canyon. I climb there on Sundays, he can judge my footwork.
  > 1d 305 He judges everyone. I have not climbed since school, fair warning. [laugh]
  < 1d 300 I hold ropes for a living, more or less. You will not fall far.
  > 75 Sunday at ten, then. Biscuit says yes.

  javier, not read
  < 3d 55 ¡Hola, vecino! ¿Tú eres el carpintero de la calle Harriet?
  > 3d 40 El mismo. ¿Nos conocemos?
  < 3d 33 Todavía no. Tengo una guitarra con la tapa rajada y me dijeron que tienes buenas manos.
  > 3d 20 Las guitarras me dan respeto, pero tráela y la miramos juntos.
  < 140 ¿El miércoles por la tarde? Yo llevo el café de olla.
  > 131 El miércoles a las cinco. Con ese café, hasta aprendo a tocarla.

  other, read 200
  > 1d 30 The roses by the tennis courts look ridiculous this week. Your doing?
  < 1d 22 Ours: mine and a lot of coffee grounds. Thank you for noticing.
  < 1d 21 I am looking for someone to build me a potting bench. Paid in tomatoes and real money.
  > 1d 12 Redwood or cedar? And how tall are you when you are happy?
  < 1d 8 Cedar. 5'9" on normal days, 5'10" when the figs are ripe.
  > 1d 3 I will draw something. Come by the shop and complain about it.
  < 205 Monday, after work? I bring figs.

  marcus, read 84
  < 4d 70 That light in your second picture: is that your shop?
  > 4d 52 It is. North windows, and dust, which helps.
  < 4d 49 Dust is the best filter there is. Would you let me bring a camera one morning?
  > 4d 41 If I may keep the apron on. This is how it looks around ten. [picture]
  < 4d 33 Oh, that is lovely. Apron stays, I promise.
  < 98 I opened my album for you. The last one is from a roof you will recognise.
  > 90 Is that Dolores, from the north? I will look properly tonight.
  < 86 Good eye. Take your time with the others.`;

function parseLine(line: string): Line {
  const [, by, days = "0", minutes, text = "", more = ""] =
    /^([<>]) (?:(\d+)d )?(\d+) (.*?)(?: \[(.*)\])?$/.exec(line) ?? [];
  const extras = more.split(", ");
  const answers = /answers (\d+)/.exec(more)?.[1];
  return {
    by: by === ">" ? "member" : "other",
    ago: Number(days) * 24 * 60 + Number(minutes),
    text,
    with: (["picture", "place"] as const).find((kind) => extras.includes(kind)),
    answers: answers === undefined ? undefined : Number(answers),
    reaction: Reaction.options.find((reaction) => extras.includes(reaction)),
  };
}

export const CONVERSATIONS: readonly Conversation[] = TRANSCRIPTS.trim()
  .split(/\n\n\s*/)
  .map((transcript) => {
    const [heading = "", ...lines] = transcript.split(/\n\s*/);
    const [, other = "", read] = /^(\w+), (?:not )?read ?(\d*)$/.exec(heading) ?? [];
    return { other, lines: lines.map(parseLine), read: read ? Number(read) : undefined };
  });

/** Who is out tonight, and for what. */
export const TONIGHT: readonly (readonly [name: string, wishes: readonly TonightWish[]])[] = [
  ["theo", ["coffee", "walk"]],
  ["omar", ["drink"]],
  ["noah", ["dance", "drink"]],
  ["elliot", ["walk"]],
];

/** The map chat of the last hours. `by` is one of the cast or of the logins. */
export const MAP_CHAT: readonly (Pick<Line, "ago" | "text"> & { readonly by: string })[] = [
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
