import { defineCopyHook } from "../../format/i18n.ts";

export const useVoiceCopy = defineCopyHook({
  en: {
    record: "Record",
    stop: "Stop",
    again: "Record again",
    recording: (left: number) => `Recording, ${left} seconds left`,
    refused: "We can't use your microphone. Allow it in your browser's settings, then try again.",
    missing: "This device has no microphone we can find.",
    busy: "Your microphone isn't answering: a call or another app may be using it. End that, then try again.",
    unable: "This browser can't record sound. Try a newer one.",
    silent: "Nothing was recorded. Try again.",
    play: "Play",
    pause: "Pause",
    place: "Position in the recording",
    speed: (rate: number) => `Speed ${rate}×`,
    seconds: (at: string, all: string) => `${at} of ${all}`,
    failed: "This recording won't play. Try again, or on another device.",
  },
  es: {
    record: "Grabar",
    stop: "Parar",
    again: "Grabar otra vez",
    recording: (left) => `Grabando, quedan ${left} segundos`,
    refused:
      "Este sitio no tiene permiso para usar el micrófono. Permítelo en los ajustes del navegador e inténtalo otra vez.",
    missing: "No hay micrófono en este dispositivo.",
    busy: "El micrófono no responde: quizá lo usa una llamada u otra aplicación. Termínala e inténtalo otra vez.",
    unable: "Este navegador no puede grabar sonido. Prueba con uno más reciente.",
    silent: "No se grabó nada. Inténtalo otra vez.",
    play: "Reproducir",
    pause: "Pausa",
    place: "Punto de la grabación",
    speed: (rate) => `Velocidad ${rate}×`,
    seconds: (at, all) => `${at} de ${all}`,
    failed: "No se puede reproducir. Inténtalo otra vez o en otro dispositivo.",
  },
});
