import { defineCopy } from "../../format/i18n.ts";

export const memberActionsCopy = defineCopy({
  en: {
    action: "Action",
    block: "Block / Ignore",
    blocked: "Blocked and Redirecting...",
    report: "Report Violation",
  },
  es: {
    action: "Acción",
    block: "Bloquear / Ignorar",
    blocked: "Bloqueado, redirigiendo...",
    report: "Denunciar una infracción",
  },
});
