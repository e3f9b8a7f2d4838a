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
