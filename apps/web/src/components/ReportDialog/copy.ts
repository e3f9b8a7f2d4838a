import { defineCopy } from "@lambda/contract/copy";

export const reportCopy = defineCopy({
  en: {
    tooLong: (most: number) => `Too long: ${most} characters at most.`,
    title: "Report Violation",
    intro: "We never reveal your name. Staff or a jury of members will look at what you send.",
    category: "What is wrong?",
    text: "What happened?",
    help: "What, when, where. The more detail, the better we can judge it.",
    evidence: "Pictures that show it",
    pictureNumber: (index: number) => `Picture ${index}`,
    send: "Report",
    sending: "Sending...",
    sent: "Thank you. Your report is on its way.",
    close: "Close",
    urgent: "Is someone in danger? Call your local emergency number first.",
  },
  es: {
    tooLong: (most: number) => `Demasiado largo: ${most} caracteres como máximo.`,
    title: "Denunciar una infracción",
    intro: "Nunca revelamos tu nombre. El equipo o un jurado de miembros mirará lo que envías.",
    category: "¿Qué pasa?",
    text: "¿Qué ha pasado?",
    help: "Qué, cuándo, dónde. Cuantos más detalles, mejor se puede juzgar.",
    evidence: "Fotos que lo muestran",
    pictureNumber: (index: number) => `Foto ${index}`,
    send: "Denunciar",
    sending: "Enviando...",
    sent: "Gracias. Tu denuncia está en camino.",
    close: "Cerrar",
    urgent: "¿Alguien está en peligro? Llama primero a emergencias.",
  },
});
