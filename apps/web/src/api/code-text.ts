import { defineCopy } from "@lambda/contract/copy";
import type { ErrorCode } from "@lambda/contract/errors";
import { findInputProblem, inputProblemText } from "@lambda/contract/input-problems";
import { waitText } from "@lambda/contract/wait-text";
import { serverNow } from "../device/server-clock.ts";
import { currentLocale } from "../format/i18n.ts";
import { errorBodyOf, isUnanswered } from "./error-body.ts";

const copy = defineCopy({
  en: {
    offline: "You seem to be offline. Check your connection and try again.",
    unanswered: "No answer came. Check your connection and try again.",
    trouble: "Something went wrong on our side.",
    /** Forms show it next to the field, whose name in the API would tell a member nothing. */
    input: (problem: string) => `Something here ${problem}.`,
    askFirst: {
      MAP_CHAT: (day: string) =>
        `Several guys declined your pictures in the map chat. Until ${day}, post only words there.`,
      PERSONAL: (day: string) =>
        `Several guys declined your pictures. Until ${day}, ask in words first and wait for an answer.`,
    },
  },
  es: {
    offline: "Parece que no tienes conexión. Revísala e inténtalo otra vez.",
    unanswered: "No llegó respuesta. Revisa la conexión e inténtalo otra vez.",
    trouble: "Algo falló de nuestro lado.",
    input: (problem) => `Algo aquí ${problem}.`,
    askFirst: {
      MAP_CHAT: (day) =>
        `Varios hombres rechazaron tus fotos en el chat del mapa. Hasta el ${day}, allí solo palabras.`,
      PERSONAL: (day) =>
        `Varios hombres rechazaron tus fotos. Hasta el ${day}, pregunta primero con palabras y espera la respuesta.`,
    },
  },
});

/** Spanish error messages; the English ones come with the response. */
const SPANISH: Partial<Record<ErrorCode, string>> = {
  BAD_INPUT: "La solicitud no es válida.",
  NOT_LOGGED_IN: "Inicia sesión, por favor.",
  LOCKED: "Desbloquea antes este dispositivo.",
  LOGIN_FAILED: "La contraseña o la dirección de correo no son correctas",
  LOCKDOWN_ENDED: "El cierre de emergencia terminó. Entra ahora como siempre.",
  LINK_EXPIRED: "Este enlace venció o ya se usó. Pide uno nuevo.",
  LINK_OF_OTHER_SITE: "Este enlace es de otro de nuestros sitios. Ábrelo allí, tal como está en el correo.",
  LINK_UNCONFIRMED: "Este dispositivo no pidió este enlace. Confirma de quién es la cuenta que quieres abrir.",
  NOT_ALLOWED: "No puedes hacer esto.",
  CONFIRMATION_NEEDED: "Escribe tu contraseña actual o entra de nuevo con un enlace.",
  SUSPENDED: "Tu cuenta está suspendida.",
  DISCREET: "Modo discreto: esto te mostraría a alguien a quien no has elegido.",
  HIDING: "Estás oculto. Muéstrate primero.",
  UNANSWERED: "Todavía no te ha contestado. Podrás escribirle más cuando lo haga.",
  ASK_FIRST: "Pregunta primero con palabras y espera la respuesta.",
  NOT_FOUND: "No se encontró.",
  CONFLICT: "Entretanto esto cambió.",
  OTHER_ACCOUNT: "Aquí ha entrado ahora otra persona.",
  TOO_LARGE: "El archivo es demasiado grande.",
  WRONG_TYPE: "Este tipo de archivo no se admite.",
  NOT_OPEN: "Este sitio todavía no está abierto. Quien es de su equipo recibe un enlace por correo.",
  WORK_NEEDED: "Llegan muchísimas peticiones de tu red o a este sitio. Inténtalo de nuevo dentro de un rato.",
  TOO_MANY_REQUESTS: "Demasiados intentos. Espera un poco.",
  MAINTENANCE: "Estamos recuperando el sitio desde una copia. Lo que escribiste espera en tu dispositivo.",
  INTERNAL: "Algo falló de nuestro lado.",
};

/** The message for a failed call by its error code, which covers every error a visitor can get. */
export function codeText(error: unknown): string {
  const body = errorBodyOf(error);
  const locale = currentLocale();
  if (!body) return copy[locale][failureOf(error)];
  const problem = findInputProblem(body.reason);
  if (problem) return copy[locale].input(inputProblemText(problem, body.limit, locale));
  if (body.code === "ASK_FIRST" && body.retryAfterSeconds !== undefined) {
    const kind = body.reason === "MAP_CHAT" ? "MAP_CHAT" : "PERSONAL";
    return copy[locale].askFirst[kind](dayAfter(body.retryAfterSeconds, locale));
  }
  if (locale === "es" && body.code === "TOO_MANY_REQUESTS" && body.quota === undefined && body.retryAfterSeconds)
    return `Demasiados intentos. Espera ${waitText(body.retryAfterSeconds, "es")}.`;
  if (locale === "es") return SPANISH[body.code] ?? body.message;
  return body.message;
}

const dayAfter = (seconds: number, locale: string) =>
  new Date(serverNow() + seconds * 1000).toLocaleDateString(locale, { day: "numeric", month: "long" });

/** What is wrong with a typed text, if the response names more than a wrong form. */
export function wrongInputText(error: unknown): string | undefined {
  const reason = errorBodyOf(error)?.reason;
  return reason === "WRONG_CHARACTER" || reason === "QUOTED_EMAIL" ? codeText(error) : undefined;
}

/** fetch throws a TypeError when there is no connection; tRPC wraps it. */
function failureOf(error: unknown): "offline" | "unanswered" | "trouble" {
  if (isUnanswered(error)) return "unanswered";
  return error instanceof TypeError || (error as Error | null)?.cause instanceof TypeError ? "offline" : "trouble";
}
