import { HOUR_MS } from "@lambda/contract/limits";
import { defineCopyHook } from "../../../format/i18n.ts";

export const useNoticeFiguresCopy = defineCopyHook({
  en: {
    title: "Notices from anyone",
    text: "Requests to remove intimate pictures, and notices of illegal content, by the quarter in which they came in. Each counts once it is decided.",
    none: "None has been decided yet.",
    period: "Quarter",
    received: "Notices",
    intimate: "Intimate pictures",
    hiddenAtOnce: "Hidden at once",
    removed: "Removed",
    rejected: "Rejected",
    forwarded: "Turned into cases",
    countersUpheld: "Objections upheld",
    median: "Median time",
    withinDue: "Within 48 hours",
    hours: (ms: number) => `${Math.max(1, Math.round(ms / HOUR_MS))} h`,
  },
  es: {
    title: "Avisos de cualquiera",
    text: "Peticiones de retirar imágenes íntimas y avisos de contenido ilegal, por el trimestre en que llegaron. Cada uno cuenta una vez resuelto.",
    none: "Aún no se resolvió ninguno.",
    period: "Trimestre",
    received: "Avisos",
    intimate: "Imágenes íntimas",
    hiddenAtOnce: "Ocultadas al momento",
    removed: "Retirados",
    rejected: "Rechazados",
    forwarded: "Convertidos en casos",
    countersUpheld: "Objeciones aceptadas",
    median: "Tiempo mediano",
    withinDue: "En 48 horas",
    hours: (ms) => `${Math.max(1, Math.round(ms / HOUR_MS))} h`,
  },
});
