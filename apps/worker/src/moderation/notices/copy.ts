import { defineCopy } from "@lambda/contract/copy";

/** Notifications to a picture's owner, and the mails to notifiers and admins. */
export const noticeCopy = defineCopy({
  en: {
    owner: {
      hidden:
        "One of your pictures is hidden: somebody says that it shows a person who does not consent to it. See what you can do in the Bad Boy Dungeon.",
      removed: "One of your pictures was removed on a notice. See why, and how to object, in the Bad Boy Dungeon.",
      cleared: "The notice about your picture was not upheld. It is visible again.",
      refused: "We reviewed your objection and uphold the removal. See why in the Bad Boy Dungeon.",
      viewed:
        "Our staff looked at one of your pictures that was not public, because somebody sent us a copy of it with a notice. See why in the Bad Boy Dungeon.",
    },
    mail: {
      receipt: {
        subject: (brand: string, ref: string) => `${brand}: we have your notice ${ref}`,
        lead: (ref: string) => `We have received your notice. Its number is ${ref}.`,
        confirm:
          "Open this link to confirm that this address is yours. With it you can also follow your notice and answer us:",
        action: "Confirm and follow the notice",
        due: "A notice about an intimate picture is decided within 48 hours. Until then only copies of a picture that you attached are hidden, three of one member at most.",
        ignore:
          "If you did not file it, you need do nothing: an unconfirmed notice hides nothing by itself. To get no more such mails, open this link instead and tell us so:",
        disown: "I did not file it",
      },
      asked: {
        subject: (brand: string, ref: string) => `${brand}: we need to know more about your notice ${ref}`,
        lead: "The people who look at your notice ask:",
        action: "Answer",
      },
      decided: {
        subject: (brand: string, ref: string) => `${brand}: your notice ${ref} is decided`,
        removed: "We removed what your notice is about, and copies of it are refused from now on.",
        rejected: "We did not remove what your notice is about.",
        forwarded: "Your notice led to a case against a member. You will hear how it ends.",
        caseActed: "The case that your notice led to is decided: the rules were broken, and we acted.",
        caseClosed: "The case that your notice led to is decided: no rule was broken.",
        appealActed:
          "An appeal changed the decision in the case that your notice led to: the rules were broken, and we acted.",
        appealClosed:
          "An appeal changed the decision in the case that your notice led to: no rule was broken, and we undid our action.",
        counterUpheld: "The other side objected, and we found that the picture may stay. It is visible again.",
        counterRefused: "The other side objected. We reviewed it again and uphold the removal.",
        reason: "Why:",
        redress:
          "If you think that this is wrong, file a notice again and say what we did not see; other people of our staff look at it where there are any. In the European Union you can also turn to a certified out-of-court dispute settlement body. The courts stay open to you.",
        automated: "People decided this. A program only looked for the picture.",
        action: "Open the notice",
      },
      alarm: {
        subject: (brand: string, count: number) =>
          `${brand}: ${count === 1 ? "a notice about intimate pictures has" : `${count} notices about intimate pictures have`} been waiting for more than 24 hours`,
        lead: "The law gives 48 hours from receipt. Please decide:",
        line: (ref: string, due: string) => `Notice ${ref}, due ${due}`,
        action: "Open the desk",
      },
    },
  },
  es: {
    owner: {
      hidden:
        "Una de tus fotos está oculta: alguien dice que muestra a una persona que no lo consiente. Mira qué puedes hacer en El calabozo de los malos.",
      removed: "Retiramos una de tus fotos por un aviso. Mira el motivo y cómo oponerte en El calabozo de los malos.",
      cleared: "El aviso sobre tu foto no prosperó. Vuelve a ser visible.",
      refused: "Revisamos tu objeción y mantenemos la retirada. Mira el motivo en El calabozo de los malos.",
      viewed:
        "Nuestro equipo ha mirado una foto tuya que no era pública, porque alguien nos envió una copia con un aviso. Mira el motivo en El calabozo de los malos.",
    },
    mail: {
      receipt: {
        subject: (brand, ref) => `${brand}: recibimos tu aviso ${ref}`,
        lead: (ref) => `Recibimos tu aviso. Su número es ${ref}.`,
        confirm:
          "Abre este enlace para confirmar que esta dirección es tuya. Con él también puedes seguir tu aviso y respondernos:",
        action: "Confirmar y seguir el aviso",
        due: "Un aviso sobre una imagen íntima se decide en un plazo de 48 horas. Hasta entonces solo se ocultan las copias de una imagen que hayas adjuntado, tres como máximo de un mismo miembro.",
        ignore:
          "Si no lo presentaste tú, no tienes que hacer nada: un aviso sin confirmar no oculta nada por sí solo. Para no recibir más correos así, abre este otro enlace y dínoslo:",
        disown: "No lo presenté yo",
      },
      asked: {
        subject: (brand, ref) => `${brand}: necesitamos saber más sobre tu aviso ${ref}`,
        lead: "Quienes revisan tu aviso preguntan:",
        action: "Responder",
      },
      decided: {
        subject: (brand, ref) => `${brand}: tu aviso ${ref} está resuelto`,
        removed: "Retiramos aquello a lo que se refiere tu aviso y desde ahora rechazamos sus copias.",
        rejected: "No retiramos aquello a lo que se refiere tu aviso.",
        forwarded: "Tu aviso dio lugar a un caso contra un miembro. Te diremos cómo termina.",
        caseActed: "El caso que abrió tu aviso está resuelto: se incumplieron las normas y actuamos.",
        caseClosed: "El caso que abrió tu aviso está resuelto: no se incumplió ninguna norma.",
        appealActed:
          "Una apelación cambió la decisión del caso que abrió tu aviso: se incumplieron las normas y actuamos.",
        appealClosed:
          "Una apelación cambió la decisión del caso que abrió tu aviso: no se incumplió ninguna norma y anulamos la medida.",
        counterUpheld: "La otra parte se opuso y vimos que la foto puede quedarse. Vuelve a ser visible.",
        counterRefused: "La otra parte se opuso. La revisamos otra vez y mantenemos la retirada.",
        reason: "Motivo:",
        redress:
          "Si crees que nos equivocamos, presenta otro aviso y dinos qué no vimos; lo mirarán otras personas del equipo, si las hay. En la Unión Europea también puedes acudir a un órgano certificado de resolución extrajudicial de litigios. Los tribunales siguen a tu disposición.",
        automated: "Lo decidieron personas. Un programa solo buscó la foto.",
        action: "Abrir el aviso",
      },
      alarm: {
        subject: (brand, count) =>
          `${brand}: ${count === 1 ? "un aviso sobre imágenes íntimas espera" : `${count} avisos sobre imágenes íntimas esperan`} desde hace más de 24 horas`,
        lead: "La ley da 48 horas desde la recepción. Decide, por favor:",
        line: (ref, due) => `Aviso ${ref}, vence el ${due}`,
        action: "Abrir el panel",
      },
    },
  },
});
