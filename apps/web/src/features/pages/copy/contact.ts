import { defineCopyHook } from "../../../format/i18n.ts";

export const useContactCopy = defineCopyHook({
  en: {
    title: "Write to us",
    lead: "Volunteers read this, in the evenings. We answer what needs an answer.",
    name: "Full name",
    nameRequired: "Tell us your name.",
    nameHelp: "Only the volunteers see it.",
    message: "Message",
    submit: "Submit",
    sending: "Sending...",
    sent: "Message Sent, you may receive a reply to the email address asscoiated with your account.",
    failed: "Message sending failed, please try again another time.",
  },
  es: {
    title: "Escríbenos",
    lead: "Lo leen voluntarios, por las noches. Contestamos lo que necesita respuesta.",
    name: "Nombre completo",
    nameRequired: "Dinos cómo te llamas.",
    nameHelp: "Solo lo ven los voluntarios.",
    message: "Mensaje",
    submit: "Enviar",
    sending: "Enviando...",
    sent: "Mensaje enviado; puede que recibas respuesta en el correo asociado a tu cuenta.",
    failed: "No pudimos enviar el mensaje, inténtalo en otro momento.",
  },
});
