/**
 * The statement of reasons for a decision, with the parts that Art. 17 of the Digital Services Act requires. The site and the mail use
 * the same texts.
 */
import type { Locale } from "./accounts.ts";
import { defineCopy } from "./copy.ts";
import type { ActionKind, Rule } from "./moderation.ts";

/** How a case was opened. notice: a report; automatic: a comparison by the site; own: by staff. */
export type Detection = "notice" | "game" | "automatic" | "own";

export interface StatementFacts {
  readonly kind: ActionKind;
  readonly rule: Rule;
  /** End of a suspension, already formatted. */
  readonly until: string | null;
  readonly reason: string;
  readonly detection: Detection;
  readonly byJury: boolean;
  /** Deadline for an appeal on the site, already formatted; null: no longer possible. */
  readonly appealUntil: string | null;
}

export interface StatementPart {
  readonly heading: string;
  readonly text: string;
}

/** Rules whose violation is also illegal almost everywhere. */
const ILLEGAL_RULES: readonly Rule[] = ["minor", "threat", "intimate"];

const copy = defineCopy({
  en: {
    decision: "Decision",
    warn: "A warning. Your account and all you wrote stay visible.",
    hide_picture: "One of your pictures is no longer visible to others. The rest of your account is not touched.",
    suspend: (until: string) => `Your account is suspended until ${until}: you are not visible and cannot write.`,
    ban: "Your account is closed: you are not visible and cannot write.",
    territory: "It holds in every country and on all of our sister sites.",
    facts: "Facts",
    notice: "Somebody reported it.",
    game: "Members' votes in a game pointed to it.",
    automatic: "Our own checks found it.",
    own: "Our staff found it.",
    automation: "Automated means",
    counted: "Votes were counted by the site, which opened the case. People decided it.",
    compared: "An automatic comparison pointed to it. People decided it.",
    people: "None were used to decide: people did.",
    jury: "A jury of members decided.",
    staff: "Our staff decided.",
    ground: "Ground",
    terms: (rule: string) => `Our terms of service, rule “${rule}”.`,
    law: "Such content is also against the law in many countries.",
    redress: "What you can do",
    appeal: (until: string) => `Appeal once, free of charge, until ${until}: somebody else decides then.`,
    noAppeal: "The time to appeal here is over, or the appeal was used.",
    outside:
      "Beyond that you can go to court. In the EU you can also turn to a certified out-of-court dispute settlement body.",
    acted: "The rules were broken, and we acted.",
    notActed: "We found no broken rule and took no action.",
  },
  es: {
    decision: "Decisión",
    warn: "Una advertencia. Tu cuenta y todo lo que escribiste siguen visibles.",
    hide_picture: "Una de tus fotos ya no es visible para los demás. El resto de tu cuenta no cambia.",
    suspend: (until) => `Tu cuenta está suspendida hasta el ${until}: no eres visible ni puedes escribir.`,
    ban: "Tu cuenta está cerrada: no eres visible ni puedes escribir.",
    territory: "Vale en todos los países y en todos nuestros sitios hermanos.",
    facts: "Hechos",
    notice: "Alguien lo denunció.",
    game: "Lo señalaron los votos de miembros en un juego.",
    automatic: "Lo encontraron nuestras propias comprobaciones.",
    own: "Lo encontró nuestro equipo.",
    automation: "Medios automatizados",
    counted: "El sitio contó los votos y abrió el caso. Lo decidieron personas.",
    compared: "Lo señaló una comparación automática. Lo decidieron personas.",
    people: "No se usaron para decidir: decidieron personas.",
    jury: "Decidió un jurado de miembros.",
    staff: "Decidió nuestro equipo.",
    ground: "Fundamento",
    terms: (rule) => `Nuestras condiciones del servicio, norma «${rule}».`,
    law: "Además, ese contenido es ilegal en muchos países.",
    redress: "Qué puedes hacer",
    appeal: (until) => `Apelar una vez, gratis, hasta el ${until}: entonces decide otra persona.`,
    noAppeal: "El plazo para apelar aquí terminó, o ya se usó la apelación.",
    outside:
      "Además puedes acudir a los tribunales. En la UE también puedes dirigirte a un órgano certificado de resolución extrajudicial de litigios.",
    acted: "Se incumplieron las normas y actuamos.",
    notActed: "No encontramos ningún incumplimiento ni tomamos medidas.",
  },
});

/** For the subject of an action. `ruleName` is the rule's translated name. */
export function statementParts(facts: StatementFacts, ruleName: string, locale: Locale): StatementPart[] {
  const text = copy[locale];
  const { kind, until, reason, detection, byJury, appealUntil, rule } = facts;
  const decision = kind === "suspend" ? text.suspend(until ?? "") : text[kind];
  const means = detection === "game" ? text.counted : detection === "automatic" ? text.compared : text.people;
  const law = ILLEGAL_RULES.includes(rule) ? [text.law] : [];
  return [
    { heading: text.decision, text: sentences(decision, text.territory, byJury ? text.jury : text.staff) },
    { heading: text.facts, text: sentences(text[detection], reason) },
    { heading: text.automation, text: means },
    { heading: text.ground, text: sentences(text.terms(ruleName), ...law) },
    {
      heading: text.redress,
      text: sentences(appealUntil === null ? text.noAppeal : text.appeal(appealUntil), text.outside),
    },
  ];
}

/** For the reporter, once the case is decided (Art. 16(5)). */
export function reporterStatementParts(
  { acted, appealUntil }: { readonly acted: boolean; readonly appealUntil: string | null },
  locale: Locale,
): StatementPart[] {
  const text = copy[locale];
  const appeal = appealUntil === null ? [] : [text.appeal(appealUntil)];
  return [
    { heading: text.decision, text: acted ? text.acted : text.notActed },
    { heading: text.automation, text: text.people },
    { heading: text.redress, text: sentences(...appeal, text.outside) },
  ];
}

const sentences = (...texts: string[]): string => texts.filter((text) => text !== "").join(" ");
