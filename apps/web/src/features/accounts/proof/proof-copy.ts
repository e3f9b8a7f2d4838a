import { defineCopyHook } from "../../../format/i18n.ts";

export const useProofCopy = defineCopyHook({
  en: {
    title: "Confirm that it's you",
    text: "Only you may do this, even if someone else holds your phone. It's good for ten minutes.",
    passkey: "Use a passkey",
    password: "Current password",
    confirm: "Confirm",
    mail: "Mail me a code",
    working: "We're swamped. Hang on a minute.",
    sent: (email: string) => `We sent an email to ${email}. Type its six digits here, or open its link on this device.`,
    digits: "Six-digit code",
    wrongPassword: "This isn't your current password.",
    wrongDigits: "That code's wrong or expired. The link in the mail may still work.",
    noPasskey: "No passkey was used. Try again, or choose another way.",
  },
  es: {
    title: "Confirma que eres tú",
    text: "Solo tú puedes hacer esto, aunque otro tenga tu teléfono. Sirve por diez minutos.",
    passkey: "Usar una llave de acceso",
    password: "Contraseña actual",
    confirm: "Confirmar",
    mail: "Mandarme un código",
    working: "Estamos saturados. Espera un minuto.",
    sent: (email) =>
      `Te mandamos un correo a ${email}. Escribe aquí sus seis números, o abre el enlace en este dispositivo.`,
    digits: "Código de seis números",
    wrongPassword: "Esa no es tu contraseña actual.",
    wrongDigits: "Ese código está mal o ya venció. Quizá el enlace del correo todavía sirve.",
    noPasskey: "No se usó ninguna llave. Inténtalo otra vez, o elige otra forma.",
  },
});
