import { defineCopyHook } from "../../../format/i18n.ts";

/** Appeals as both sides see them: the reporter and the reported member. */
export const useAppealCopy = defineCopyHook({
  en: {
    appeal: "Appeal",
    appealHelp: "Once. It goes to people who had no part in the first decision. Say what they should know.",
    appealSend: "Send the appeal",
    appealPending: "Your appeal is being looked at.",
    upheld: "The appeal confirmed it.",
    reversed: "The appeal reversed it.",
    verify: "Check my case in the audit log",
  },
  es: {
    appeal: "Apelar",
    appealHelp: "Una vez. La ven personas que no participaron en la primera decisión. Di lo que deban saber.",
    appealSend: "Enviar la apelación",
    appealPending: "Están viendo tu apelación.",
    upheld: "La apelación la confirmó.",
    reversed: "La apelación la revocó.",
    verify: "Comprobar mi caso en el registro",
  },
});
