import type { ActionKind } from "@lambda/contract/moderation";

/** Texts that moderation sends to members. Calm, plain, naming nobody. */
const ACTION = {
  warn: { en: "You have been warned.", es: "Has recibido una advertencia." },
  hide_picture: { en: "One of your pictures was hidden.", es: "Una de tus fotos se ha ocultado." },
  ban: {
    en: "Your account was closed for breaking the rules.",
    es: "Tu cuenta se ha cerrado por incumplir las normas.",
  },
} as const;

const SEE = {
  en: "See why, and how to appeal, in the Bad Boy Dungeon.",
  es: "Mira el motivo y cómo apelar en la Mazmorra.",
};

export const NOTICES = {
  action: (kind: ActionKind, days: number | null) => {
    const first =
      kind === "suspend"
        ? { en: `Your account is suspended for ${days} days.`, es: `Tu cuenta está suspendida ${days} días.` }
        : ACTION[kind];
    return { en: `${first.en} ${SEE.en}`, es: `${first.es} ${SEE.es}` };
  },
  lifted: (kind: ActionKind, by: "time" | "appeal" | "staff") =>
    by === "time"
      ? { en: "Your suspension is over. Welcome back.", es: "Tu suspensión ha terminado. Bienvenido de nuevo." }
      : kind === "hide_picture"
        ? { en: "Your picture is visible again.", es: "Tu foto vuelve a verse." }
        : { en: "The action against you was lifted.", es: "La medida contra ti se ha retirado." },
  reportDecided: (acted: boolean) =>
    acted
      ? {
          en: "Your report was decided: the rules were broken and we acted.",
          es: "Tu denuncia se ha resuelto: se incumplieron las normas y hemos actuado.",
        }
      : {
          en: "Your report was decided: no rule was broken. You may appeal once.",
          es: "Tu denuncia se ha resuelto: no se incumplió ninguna norma. Puedes apelar una vez.",
        },
  cleared: {
    en: "A report about you was decided: you broke no rule.",
    es: "Se ha resuelto una denuncia sobre ti: no incumpliste ninguna norma.",
  },
  appealed: {
    en: "The other side appealed a decision. Others than before will look at it.",
    es: "La otra parte ha apelado una decisión. La verán otras personas que antes.",
  },
  appealDecided: (reversed: boolean) =>
    reversed
      ? { en: "The appeal changed the decision.", es: "La apelación ha cambiado la decisión." }
      : { en: "The appeal confirmed the decision.", es: "La apelación ha confirmado la decisión." },
  summons: {
    en: "You were drawn as a juror. Your judgement is needed within a day.",
    es: "Te ha tocado ser jurado. Se necesita tu juicio en un día.",
  },
};
