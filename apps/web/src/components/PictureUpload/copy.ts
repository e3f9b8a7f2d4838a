import { defineCopy } from "@lambda/contract/copy";
import { PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import type { PictureRefusal } from "@lambda/contract/picture-refusals";

/** Spanish messages for refused pictures; the English ones are in the contract. */
export const REFUSALS_ES: Record<PictureRefusal, string> = {
  MISSING: "no se envió ningún archivo",
  EMPTY: "el archivo está vacío",
  TYPE: "solo se aceptan fotos png, jpg/jpeg y webp",
  BYTES: "el archivo pasa de 8.192.000 bytes",
  SIDE: "la foto pasa de 12.000 píxeles de ancho o de alto",
  PIXELS: "la foto tiene más de 50 megapíxeles",
  TRUNCATED: "el archivo está incompleto",
  ANIMATED: "no se aceptan fotos animadas",
  BROKEN: "la foto está dañada y no se puede leer",
  BUSY: "ahora mismo no se pueden recibir fotos; vuelve a intentarlo más tarde",
  REVIEW: "nuestro equipo tiene que mirar antes esta foto; te avisaremos en cuanto lo haya hecho",
  FULL: `un perfil admite hasta ${PICTURES_PER_PROFILE_MAX} fotos; borra alguna antes`,
};

export const uploadCopy = defineCopy({
  en: {
    error: (reasons: string) => `Error: ${reasons}`,
    offline: "the connection was lost",
  },
  es: {
    error: (reasons: string) => `Error: ${reasons}`,
    offline: "se perdió la conexión",
  },
});
