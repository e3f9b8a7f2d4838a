import { defineCopyHook } from "../../../format/i18n.ts";

export const useOwnNoticeCopy = defineCopyHook({
  en: {
    heading: "Notices about your pictures",
    state: {
      hidden: "A picture of yours is hidden until people have looked at it",
      removed: "A picture of yours was removed",
      cleared: "The notice was not upheld: your picture is visible",
      deleted: "A picture of yours was removed and deleted",
      viewed: "Our staff looked at a picture of yours",
    },
    scope: "Nobody sees it, on any of our sites; you see it pixelated, to know which one is meant.",
    ground: {
      intimate:
        "Somebody says that it shows a person in an intimate situation who does not consent to its publication.",
      other: "Somebody says that it breaks the law.",
    },
    viewed: (day: string) =>
      `Our staff looked at it on ${day}. It was not public, but somebody sent us a copy of it with a notice.`,
    due: "The law gives us 48 hours to decide.",
    automated: "A program found the picture. People decide.",
    reason: "Why",
    pictures: (ids: string) => `Picture ${ids}`,
    redress:
      "You can object once, here. Other people than before look at it, if there are any. Certified out-of-court dispute settlement in the European Union and the courts remain open to you.",
    object: "Object",
    text: "Why should it stay?",
    help: "Say who is in it and why they agree. Whoever filed the notice never learns who you are, nor you who they are.",
    send: "Send the objection",
    waiting: "We have received your objection.",
    upheld: "Your objection was upheld.",
    refused: "We looked again and uphold the decision.",
  },
  es: {
    heading: "Avisos sobre tus fotos",
    state: {
      hidden: "Una foto tuya está oculta hasta que la revisen unas personas",
      removed: "Retiramos una foto tuya",
      cleared: "El aviso no prosperó: tu foto es visible",
      deleted: "Retiramos y borramos una foto tuya",
      viewed: "Nuestro equipo ha mirado una foto tuya",
    },
    scope: "No la ve nadie, en ninguno de nuestros sitios; tú la ves pixelada, para saber cuál es.",
    ground: {
      intimate: "Alguien dice que muestra a una persona en una situación íntima que no consiente su publicación.",
      other: "Alguien dice que infringe la ley.",
    },
    viewed: (day) => `Nuestro equipo la miró el ${day}. No era pública, pero alguien nos envió una copia con un aviso.`,
    due: "La ley nos da 48 horas para decidir.",
    automated: "Un programa encontró la foto. Deciden personas.",
    reason: "Motivo",
    pictures: (ids) => `Foto ${ids}`,
    redress:
      "Puedes oponerte una vez, aquí. Lo miran otras personas, si las hay. En la Unión Europea quedan además los órganos certificados de resolución extrajudicial y los tribunales.",
    object: "Oponerme",
    text: "¿Por qué debe quedarse?",
    help: "Di quién aparece y por qué está de acuerdo. Quien presentó el aviso nunca sabrá quién eres, ni tú quién es.",
    send: "Enviar la objeción",
    waiting: "Recibimos tu objeción.",
    upheld: "Aceptamos tu objeción.",
    refused: "La revisamos otra vez y mantenemos la decisión.",
  },
});
