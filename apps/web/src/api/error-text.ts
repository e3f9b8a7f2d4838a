import type { QuotaName } from "@lambda/contract/quotas";
import { currentLocale } from "../format/i18n.ts";
import { codeText } from "./code-text.ts";
import { errorBodyOf } from "./error-body.ts";

/** Spanish messages for exhausted quotas; packages/contract/src/quotas.ts has the English ones. */
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
  imageWork: "Hoy has subido todas las fotos que caben en un día. Mañana caben más.",
  work: "Hoy has hecho aquí todo lo que cabe en un día. Mañana sigue. Bloquear, ocultarte y denunciar funciona siempre.",
  pictureBytesTotal: "Tus fotos ocupan todo el sitio que hay. Borra algunas antes.",
  relations: "Hoy ya has bloqueado o abierto tu álbum todas las veces que caben en un día.",
  letters: "Hoy ya nos has escrito todas las veces que caben en un día.",
  reportBytes: "Tus denuncias de hoy ya ocupan todo lo que cabe en un día.",
  meets: "Hoy ya has hecho todos los planes que caben en un día.",
  sessions: "Hoy se ha entrado muchas veces en esta cuenta.",
  changes: "Hoy ya has hecho todos los cambios que caben en un día.",
  calls: "Tu dispositivo pregunta muy deprisa. Espera un momento.",
  profilesOpened: "Hoy has abierto todos los perfiles que caben en un día.",
  membersShown: "Hoy ya has visto a tantos como caben en un día.",
};

/** The message for a failed call, including quota errors. */
export function errorText(error: unknown): string {
  const quota = errorBodyOf(error)?.quota;
  return quota && currentLocale() === "es" ? SPANISH_QUOTAS[quota] : codeText(error);
}
