import { defineCopy } from "@lambda/contract/copy";

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
