/** Moderation messages to members. The tone is calm and plain, and no text names another member. */
import { defineCopy } from "@lambda/contract/copy";
import type { ActionKind } from "@lambda/contract/moderation";

export type LiftedBy = "time" | "appeal" | "staff";

const SEE_EN = "See why, and how to appeal, in the Bad Boy Dungeon.";
const SEE_ES = "Mira el motivo y cómo apelar en El calabozo de los malos.";

export const moderationCopy = defineCopy({
  en: {
    action: (kind: ActionKind, days: number | null) =>
      `${
        {
          warn: "You have received a warning.",
          hide_picture: "One of your pictures was hidden.",
          suspend: `Your account is suspended for ${days === 1 ? "1 day" : `${days} days`}.`,
          ban: "Your account was closed for breaking the rules.",
        }[kind]
      } ${SEE_EN}`,
    lifted: (kind: ActionKind, by: LiftedBy) => {
      if (by === "time") return "Your suspension is over. Welcome back.";
      return kind === "hide_picture" ? "Your picture is visible again." : "The action against you was lifted.";
    },
    reportDecided: (acted: boolean) =>
      acted
        ? "Your report was decided: the rules were broken, and we acted."
        : "Your report was decided: no rule was broken. You may appeal once.",
    cleared: "A report about you was decided: you broke no rule.",
    appealed: "The other side has appealed a decision. Different people will review it.",
    appealDecided: (reversed: boolean) =>
      reversed ? "The appeal changed the decision." : "The appeal confirmed the decision.",
    refusedUpload: (accepted: boolean) =>
      accepted
        ? "Our staff looked at the picture you wanted to add. You can add it now."
        : "Our staff looked at the picture you wanted to add. It can't be added.",
    statementSubject: (brand: string) => `A decision about your ${brand} account`,
    summons: "You have been called as a juror. Please vote within a day.",
  },
  es: {
    action: (kind, days) =>
      `${
        {
          warn: "Recibiste una advertencia.",
          hide_picture: "Ocultamos una de tus fotos.",
          suspend: `Tu cuenta está suspendida durante ${days === 1 ? "1 día" : `${days} días`}.`,
          ban: "Cerramos tu cuenta por incumplir las normas.",
        }[kind]
      } ${SEE_ES}`,
    lifted: (kind, by) => {
      if (by === "time") return "Tu suspensión terminó. Bienvenido de nuevo.";
      return kind === "hide_picture" ? "Tu foto vuelve a ser visible." : "Se retiró la medida contra ti.";
    },
    reportDecided: (acted) =>
      acted
        ? "Se decidió tu denuncia: se incumplieron las normas, y actuamos."
        : "Se decidió tu denuncia: no se incumplió ninguna norma. Puedes apelar una vez.",
    cleared: "Se decidió una denuncia sobre ti: no incumpliste ninguna norma.",
    appealed: "La otra parte apeló una decisión. La revisarán otras personas.",
    appealDecided: (reversed) => (reversed ? "La apelación cambió la decisión." : "La apelación confirmó la decisión."),
    refusedUpload: (accepted) =>
      accepted
        ? "Nuestro equipo miró la foto que querías agregar. Ya puedes agregarla."
        : "Nuestro equipo miró la foto que querías agregar. No se puede agregar.",
    statementSubject: (brand) => `Una decisión sobre tu cuenta de ${brand}`,
    summons: "Te tocó ser jurado. Vota en menos de un día.",
  },
});
