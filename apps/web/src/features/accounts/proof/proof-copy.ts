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
    text: "Esto solo puedes hacerlo tú, aunque otra persona tenga tu teléfono. La confirmación vale diez minutos.",
    passkey: "Usar una llave de acceso",
    password: "Contraseña actual",
    confirm: "Confirmar",
    mail: "Mandarme un código",
    working:
      "Ahora mismo mucha gente pide correos. Tu dispositivo resuelve antes un acertijo, lo que puede tardar un minuto.",
    sent: (email) =>
      `Hemos mandado un correo a ${email}. Escribe aquí sus seis cifras o abre su enlace en este dispositivo.`,
    digits: "Código de seis cifras",
    wrongPassword: "Esta no es tu contraseña actual.",
    wrongDigits: "Este código no es correcto o ya no sirve. Puede que el enlace del correo todavía sí.",
    noPasskey: "No se ha usado ninguna llave. Inténtalo otra vez o elige otra forma.",
  },
});
