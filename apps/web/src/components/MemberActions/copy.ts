import { defineCopy } from "@lambda/contract/copy";

export const memberActionsCopy = defineCopy({
  en: {
    action: "Action",
    block: "Block / Ignore",
    blocked: "Blocked and Redirecting...",
    undo: "Undo",
    report: "Report Violation",
  },
  es: {
    action: "Acción",
    block: "Bloquear / Ignorar",
    blocked: "Bloqueado, redirigiendo...",
    undo: "Deshacer",
    report: "Denunciar una infracción",
  },
});
