import { defineCopyHook } from "../../format/i18n.ts";

export const useMemberActionsCopy = defineCopyHook({
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
