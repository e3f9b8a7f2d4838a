import type { ErrorBody, ErrorCode } from "@lambda/contract/errors";
import type { QuotaName } from "@lambda/contract/quotas";
import { currentLocale, defineCopy } from "../format/i18n.ts";

const copy = defineCopy({
  en: {
    offline: "You seem to be offline. Check your connection and try again.",
    trouble: "Something went wrong on our side.",
  },
  es: {
    offline: "Parece que no hay conexión. Compruébala y vuelve a intentarlo.",
    trouble: "Algo ha fallado por nuestra parte.",
  },
});

/** The catalogue's texts in Spanish; English comes with the answer. */
const SPANISH: Partial<Record<ErrorCode, string>> = {
  BAD_INPUT: "La solicitud no es válida.",
  NOT_LOGGED_IN: "Inicia sesión, por favor.",
  LOGIN_FAILED: "La contraseña o la dirección de correo no son correctas",
  LINK_EXPIRED: "Este enlace ha caducado o ya se usó. Pide uno nuevo.",
  LINK_OF_OTHER_SITE: "Este enlace es de otro de nuestros sitios. Ábrelo allí, tal como está en el correo.",
  LINK_UNCONFIRMED: "Este dispositivo no pidió este enlace. Confirma de quién es la cuenta que quieres abrir.",
  NOT_ALLOWED: "No puedes hacer esto.",
  CONFIRMATION_NEEDED: "Escribe tu contraseña actual o entra de nuevo con un enlace.",
  SUSPENDED: "Tu cuenta está suspendida.",
  HIDING: "Estás oculto. Muéstrate primero.",
  NOT_FOUND: "No se ha encontrado.",
  CONFLICT: "Entretanto esto ha cambiado.",
  OTHER_ACCOUNT: "Aquí ha entrado ahora otra persona.",
  TOO_LARGE: "El archivo es demasiado grande.",
  WRONG_TYPE: "Este tipo de archivo no se admite.",
  TOO_MANY_REQUESTS: "Demasiados intentos. Espera un poco.",
  INTERNAL: "Algo ha fallado por nuestra parte.",
};

/** What a quota says, in Spanish (packages/contract/src/quotas.ts has the English). */
const SPANISH_QUOTAS: Record<QuotaName, string> = {
  messagesPerMinute: "Escribes muy deprisa. Tu próximo mensaje tiene que esperar un momento.",
  messageBytes: "Hoy has escrito todo lo que cabe en un día.",
  broadcasts: "El chat del mapa va despacio: un mensaje cada diez segundos.",
  noteSavesPerMinute: "Guardas notas muy deprisa. Espera un momento.",
  noteSaves: "Hoy has guardado todas las notas que caben en un día.",
  noteBytes: "Tus notas están llenas. Acorta o borra alguna para hacer sitio.",
  likesPerMinute: "Vas muy deprisa con los me gusta. Espera un momento.",
  likes: "Hoy ya has valorado a tantos como caben en un día.",
  pictureLikes: "Hoy ya has valorado tantas fotos como caben en un día.",
  positionsPerMinute: "Te mueves muy deprisa. Espera un momento.",
  positions: "Hoy tu posición ya ha cambiado todas las veces que puede.",
  uploadsPerHour: "Has subido todas las fotos que caben en una hora.",
  uploads: "Hoy has subido todas las fotos que caben en un día.",
  pictureBytes: "Las fotos de hoy ya ocupan todo lo que cabe en un día.",
  pictureBytesTotal: "Tus fotos ocupan todo el sitio que hay. Borra algunas antes.",
  relations: "Hoy ya has bloqueado o abierto tu álbum todas las veces que caben en un día.",
  letters: "Hoy ya nos has escrito todas las veces que caben en un día.",
  reportBytes: "Tus denuncias de hoy ya ocupan todo lo que cabe en un día.",
  sessions: "Hoy se ha entrado muchas veces en esta cuenta.",
  changes: "Hoy ya has hecho todos los cambios que caben en un día.",
  calls: "Tu dispositivo pregunta muy deprisa. Espera un momento.",
  profilesOpened: "Hoy has abierto todos los perfiles que caben en un día.",
  membersShown: "Hoy ya has visto a tantos como caben en un día.",
};

/** What the server said about a failed call; undefined when it was never reached or answered no error body. */
export function errorBodyOf(error: unknown): ErrorBody["error"] | undefined {
  const data = (error as { data?: { error?: ErrorBody["error"] } } | null)?.data;
  return data?.error;
}

export function errorCodeOf(error: unknown): ErrorCode | undefined {
  return errorBodyOf(error)?.code;
}

/** HTTP status of a failed tRPC or REST call. */
export function errorStatusOf(error: unknown): number | undefined {
  const { data } = (error ?? {}) as { data?: { httpStatus?: number } };
  return data?.httpStatus ?? foreignAnswerOf(error)?.status;
}

/** An answer that is not ours, as of a proxy whose page says that it cannot reach us. */
export class ForeignAnswer extends Error {
  readonly status: number;
  readonly statusText: string;

  constructor({ status, statusText }: Pick<Response, "status" | "statusText">) {
    super(`HTTP ${status}`);
    this.name = "ForeignAnswer";
    this.status = status;
    this.statusText = statusText;
  }
}

/** tRPC wraps what its fetch throws. */
export function foreignAnswerOf(error: unknown): ForeignAnswer | undefined {
  const cause = (error as Error | null)?.cause;
  return cause instanceof ForeignAnswer ? cause : undefined;
}

/** A failed call in words for the member. Bad input keeps the server's words, as they name the field. */
export function errorText(error: unknown): string {
  const body = errorBodyOf(error);
  if (!body) return copy[currentLocale()][isUnreached(error) ? "offline" : "trouble"];
  if (currentLocale() === "es" && body.quota) return SPANISH_QUOTAS[body.quota];
  if (currentLocale() === "es" && !body.field) return SPANISH[body.code] ?? body.message;
  return body.message;
}

/** fetch throws a TypeError when no answer came at all. */
function isUnreached(error: unknown): boolean {
  return error instanceof TypeError || (error as Error | null)?.cause instanceof TypeError;
}
