/** Invented conversations of the demo member with six others, and today's map chat. */
import { readFileSync } from "node:fs";
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

/**
 * Under each name, and when the last line was read, one line a message: `>` by the demo member or `<` by the other, days and minutes ago,
 * the text, and in brackets what goes with it.
 */
export const CONVERSATIONS: readonly Conversation[] = readFileSync(
  new URL("conversations.txt", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n\n")
  .map((transcript) => {
    const [heading = "", ...lines] = transcript.split("\n");
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
    [14, "Walking out on the pier in ten minutes. The view is free."],
  ],
  bramble: [
    [172, "Repair café tonight: bring the lamp, the toaster, the heart."],
    [133, "Who took my thermos at the park cleanup? It has a dent and a name."],
    [66, "Bread came out of the oven too big for one. First come."],
    [21, "Bears with dogs: Buena Vista at seven, north gate."],
  ],
};
