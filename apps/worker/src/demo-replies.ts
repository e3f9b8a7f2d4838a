/** The replies of a demo member. Pure: the message's text and id determine the reply. */

/** The parts of a message that the reply depends on. */
export interface ReceivedMessage {
  readonly id: number;
  readonly bodyText: string;
  readonly profilePicIds: readonly number[];
  readonly attachment?: { readonly type: "position" | "album" | "once" | "voice" } | null | undefined;
}

type Kind = "picture" | "place" | "album" | "greeting" | "thanks" | "farewell" | "question" | "other";
type Replies = Readonly<Record<Kind, readonly [string, ...string[]]>>;

const ENGLISH: Replies = {
  picture: ["That is a great picture. Where did you take it?", "Well, now I am smiling at my phone on the bus."],
  place: ["Oh, that is ten minutes from me on foot.", "I know that corner! The bakery there is dangerous."],
  album: ["Thank you for trusting me with that. I will take my time.", "That is kind of you. You look happy in those."],
  greeting: [
    "Hey! Good to hear from you. How is your day going?",
    "Hello, neighbor. I was just putting the kettle on.",
  ],
  thanks: ["Any time.", "You are very welcome. That is what neighbors are for."],
  farewell: ["Sleep well. Talk tomorrow?", "See you around the block!"],
  question: [
    "Good question. Let me think about it over a coffee. What would you do?",
    "Yes, I think so. Evenings are best for me this week.",
    "Honestly? I would say yes to that.",
  ],
  other: [
    "Ha, I like how you put that.",
    "Same here, to be honest. Tell me more.",
    "That sounds like my kind of evening.",
    "I am glad you wrote. I was hoping you would.",
  ],
};

const SPANISH: Replies = {
  picture: ["Qué buena foto. ¿Dónde la hiciste?", "Me has sacado una sonrisa en pleno autobús."],
  place: ["¡Eso está a diez minutos de mi casa!", "Conozco esa esquina. La panadería es un peligro."],
  album: ["Gracias por la confianza. Lo miro con calma.", "Qué detalle. Sales muy bien."],
  greeting: ["¡Hola! Qué alegría leerte. ¿Qué tal el día?", "Hola, vecino. Justo estaba poniendo el café."],
  thanks: ["No hay de qué.", "Cuando quieras, para eso están los vecinos."],
  farewell: ["Que descanses. ¿Hablamos mañana?", "¡Nos vemos por el barrio!"],
  question: ["Buena pregunta. ¿Lo hablamos con un café?", "Yo creo que sí. Esta semana mejor por la tarde."],
  other: ["Me gusta cómo lo dices.", "A mí me pasa lo mismo. Cuéntame más.", "Suena a buen plan."],
};

const LOOKS_SPANISH = /[¿¡ñ]|\b(hola|buenas|gracias|qué|cómo|dónde|estás|tal|quieres|noches|días|también|vale)\b/i;
const GREETING = /^\W*(hey|hi|hello|howdy|yo|good (morning|afternoon|evening)|hola|buenas|buenos días)\b/i;
const THANKS = /\b(thanks|thank you|cheers|gracias)\b/i;
const FAREWELL = /\b(good ?night|bye|see you|sleep well|adiós|hasta|buenas noches)\b/i;

export function classifyMessage({ bodyText, profilePicIds, attachment }: ReceivedMessage): Kind {
  if (profilePicIds.length > 0) return "picture";
  if (attachment?.type === "once" || attachment?.type === "voice") return "picture";
  if (attachment) return attachment.type === "position" ? "place" : "album";
  if (/[?¿]/.test(bodyText)) return "question";
  if (FAREWELL.test(bodyText)) return "farewell";
  if (THANKS.test(bodyText)) return "thanks";
  return GREETING.test(bodyText) ? "greeting" : "other";
}

export function replyTo(message: ReceivedMessage): string {
  const replies = (LOOKS_SPANISH.test(message.bodyText) ? SPANISH : ENGLISH)[classifyMessage(message)];
  return replies[message.id % replies.length] ?? replies[0];
}
