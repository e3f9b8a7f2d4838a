import { defineCopy } from "@lambda/contract/copy";

export const personCheckCopy = defineCopy({
  en: {
    him: "You're checked: your badge shows this month. The stills are deleted.",
    not_him: "The guys who compared didn't think it's you. The stills are deleted. You can try again tomorrow.",
    unclear:
      "The guys who compared couldn't tell. The stills are deleted. You can try again tomorrow, in better light.",
    refusedByStaff: "Our staff didn't think it's you. The stills are deleted.",
    staff: "Our staff will compare your stills themselves. They're deleted once they have.",
    expired: "Nobody compared your stills in time. They're deleted, and you can try again.",
    changed: "It's you, but your pictures changed meanwhile, so there's no badge yet. Get checked again.",
  },
  es: {
    him: "Estás verificado: tu distintivo muestra este mes. Las capturas se borraron.",
    not_him: "Los que compararon no creen que seas tú. Las capturas se borraron. Puedes intentarlo otra vez mañana.",
    unclear:
      "Los que compararon no lo tenían claro. Las capturas se borraron. Puedes intentarlo otra vez mañana, con más luz.",
    refusedByStaff: "Nuestro equipo no cree que seas tú. Las capturas se borraron.",
    staff: "Nuestro equipo comparará tus capturas. Después se borran.",
    expired: "Nadie comparó tus capturas a tiempo. Se borraron, y puedes intentarlo otra vez.",
    changed: "Eres tú, pero tus fotos cambiaron mientras tanto, así que aún no hay distintivo. Verifícate otra vez.",
  },
});
