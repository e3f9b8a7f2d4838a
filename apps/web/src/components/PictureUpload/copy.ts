import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import { PICTURE_REFUSALS, type PictureRefusal } from "@lambda/contract/picture-refusals";

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
  BUSY: "ahora no podemos recibir fotos; inténtalo más tarde",
  TOMORROW: "hoy ya recibimos todas las fotos que caben en un día; sube la tuya mañana. Todo lo demás funciona",
  REVIEW: "nuestro equipo tiene que mirar antes esta foto; te avisamos en cuanto lo haga",
  FULL: `en un perfil caben ${PICTURES_PER_PROFILE_MAX} fotos; borra una antes`,
};

/** `TYPE`: nothing that this browser shows. `DAMAGED`: it starts like a picture, or is too large for this device. `CLOSED`: no byte can be read. `HIDDEN`: the browser hides what is drawn. */
export type UnreadableReason = "EMPTY" | "TYPE" | "HEIC" | "DAMAGED" | "CLOSED" | "HIDDEN";

/** What this browser cannot read, and what to do about it. */
export const UNREADABLE_TEXTS: Record<Locale, Record<UnreadableReason, string>> = {
  en: {
    EMPTY: `${PICTURE_REFUSALS.EMPTY.text}; open it once in your gallery so it loads, then choose it again`,
    TYPE: `${PICTURE_REFUSALS.TYPE.text}; open the file in another app and choose a screenshot of it`,
    HEIC: `${PICTURE_REFUSALS.TYPE.text}, and this browser can't convert HEIC; save it as JPEG, or choose a screenshot of it`,
    DAMAGED: "this device can't read the picture; choose another copy or a screenshot of it",
    CLOSED: "this won't open: if it's a folder, pick the pictures in it; if it's in a cloud, download it first",
    HIDDEN:
      "this browser won't let sites read drawn pictures, so we can't crop or convert this one here; allow it for this site (“canvas”), or use a png, jpg/jpeg or webp as it is",
  },
  es: {
    EMPTY: `${REFUSALS_ES.EMPTY}; ábrelo una vez en tu galería para que cargue y elígelo de nuevo`,
    TYPE: `${REFUSALS_ES.TYPE}; ábrelo en otra app y elige una captura de pantalla`,
    HEIC: `${REFUSALS_ES.TYPE}, y este navegador no convierte HEIC; guárdala como JPEG o elige una captura de pantalla`,
    DAMAGED: "este dispositivo no puede leer la foto; elige otra copia o una captura de pantalla",
    CLOSED: "esto no se abre: si es una carpeta, elige las fotos que contiene; si está en una nube, descárgalo antes",
    HIDDEN:
      "este navegador no deja que los sitios lean lo que dibujan, así que aquí no podemos recortar ni convertir esta foto; permíteselo a este sitio («canvas») o usa un png, jpg/jpeg o webp tal cual",
  },
};

export const uploadCopy = defineCopy({
  en: {
    error: (reasons: string) => `Error: ${reasons}`,
    offline: "the connection was lost",
    uploading: "Uploading",
    cancel: "Cancel upload",
  },
  es: {
    error: (reasons: string) => `Error: ${reasons}`,
    offline: "se perdió la conexión",
    uploading: "Subiendo",
    cancel: "Cancelar la subida",
  },
});
