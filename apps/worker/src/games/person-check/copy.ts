import { defineCopy } from "@lambda/contract/copy";

export const personCheckCopy = defineCopy({
  en: {
    him: "You are checked: your badge shows this month. The stills are deleted.",
    not_him: "The men who compared did not find that it is you. The stills are deleted. You can try again tomorrow.",
    unclear:
      "The men who compared could not tell. The stills are deleted. You can try again tomorrow, in better light.",
    refusedByStaff: "Our staff did not find that it is you. The stills are deleted.",
    staff: "Our staff will compare your stills themselves. They are deleted once they have.",
    expired: "Nobody compared your stills in time. They are deleted, and you can try again.",
    changed: "It is you, but your pictures changed meanwhile, so there is no badge yet. Please be checked again.",
  },
  es: {
    him: "Verificado: tu distintivo muestra este mes. Las capturas se han borrado.",
    not_him: "Quienes compararon no te reconocieron. Las capturas se han borrado. Puedes volver a intentarlo mañana.",
    unclear:
      "Quienes compararon no lo tenían claro. Las capturas se han borrado. Puedes volver a intentarlo mañana, con más luz.",
    refusedByStaff: "Nuestro equipo no te ha reconocido. Las capturas se han borrado.",
    staff: "Nuestro equipo comparará tus capturas y luego se borrarán.",
    expired: "Nadie comparó tus capturas a tiempo. Se han borrado y puedes volver a intentarlo.",
    changed: "Eres tú, pero tus fotos han cambiado entretanto y aún no hay distintivo. Vuelve a verificarte.",
  },
});
