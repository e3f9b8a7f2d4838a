import { defineCopyHook } from "../../../format/i18n.ts";

export const useSupportCopy = defineCopyHook({
  en: {
    title: "How can we help?",
    removeImage: "Remove an intimate picture of you",
    notice: "Report illegal content",
    lead: "Most questions are here. The rest goes to a volunteer.",
    faq: [
      [
        "What does the lambda mean?",
        "The Greek letter λ has stood for gay liberation since 1970, when the Gay Activists Alliance in New York chose it; in 1974 the International Gay Rights Congress in Edinburgh adopted it. Graphic artist Tom Doerr picked it because in physics and chemistry it can stand for energy that changes things. It was also a way to know each other without having to explain. We like that.",
      ],
      [
        "Can anyone see where I am?",
        "No. Your phone rounds your position before it sends it, and others see a random point in that area. We measure distances between such points too. You can choose larger areas, drag your marker somewhere else, or hide with one tap on the map.",
      ],
      [
        "I can't see anyone, or nobody can see me.",
        "Your profile needs a name, and you can't be hiding: the map tells you if you are. Your position expires 26 hours after your last report. Filters stay set until you clear them.",
      ],
      [
        "The login link doesn't arrive, or doesn't work.",
        "Check your spam folder. A link works once and for ten minutes, and only on the site where you asked for it. After five requests in an hour we send no more to the same address.",
      ],
      [
        "I forgot my password.",
        "Ask for a login link on the register page. Once the link has logged you in, you can choose a new one in Account.",
      ],
      [
        "What's NSFW, and why do I see blurred squares?",
        "Pictures that show nudity. They're pixelated until you switch to 'Showing NSFW' on the home page; the switch is for one device only.",
      ],
      [
        "Someone is bothering me.",
        "On his profile press Action: 'Block / Ignore' makes you invisible to each other at once, 'Report Violation' lets a jury or our staff look at it. If you're in danger, call your local emergency number.",
      ],
      [
        "Can I get notifications without installing an app?",
        "Yes. Add this site to your home screen, open it from there, and press Subscribe in Account. What we send says that there's something new, never what.",
      ],
      [
        "How do I get my data, or leave?",
        "Both are at the end of Account. A deleted account is invisible at once and comes back by a login link for 28 days; after that it's gone.",
      ],
    ],
    problemTitle: "Report a problem",
    problemLead: "Something is broken, wrong or impossible to use. It goes to the admins and to our mailbox.",
    problem: "What happened, and what did you expect?",
    problemRequired: "Describe the problem.",
    submit: "Report the problem",
    sending: "Sending...",
    sent: "Thank you. A volunteer will look at it.",
    failed: "That didn't get through. Please try again another time.",
  },
  es: {
    title: "¿En qué te ayudamos?",
    removeImage: "Retirar una imagen íntima tuya",
    notice: "Avisar de contenido ilegal",
    lead: "Casi todas las respuestas están aquí. Lo demás va a un voluntario.",
    faq: [
      [
        "¿Qué significa la lambda?",
        "La letra griega λ representa la liberación gay desde 1970, cuando la eligió la Gay Activists Alliance de Nueva York; en 1974 la adoptó el Congreso Internacional de Derechos Gay de Edimburgo. El artista gráfico Tom Doerr la escogió porque en física y química puede representar la energía que cambia las cosas. También era una forma de reconocerse sin tener que dar explicaciones. Eso nos gusta.",
      ],
      [
        "¿Puede alguien ver dónde estoy?",
        "No. Tu teléfono redondea tu posición antes de enviarla, y los demás ven un punto al azar en esa zona. Las distancias también se miden entre esos puntos. Puedes elegir zonas más grandes, arrastrar tu marcador a otro lado u ocultarte con un toque en el mapa.",
      ],
      [
        "No veo a nadie, o nadie me ve.",
        "Tu perfil necesita un nombre, y no puedes estar oculto: el mapa te lo dice. Tu posición vence 26 horas después de tu último envío. Los filtros se quedan puestos hasta que los quitas.",
      ],
      [
        "El enlace para entrar no llega, o no funciona.",
        "Mira en el correo no deseado. Un enlace sirve una vez y por diez minutos, y solo en el sitio donde lo pediste. Después de cinco pedidos en una hora no mandamos más a la misma dirección.",
      ],
      [
        "Olvidé mi contraseña.",
        "Pide un enlace en la página de registro. Cuando entres con él, puedes elegir otra en Cuenta.",
      ],
      [
        "¿Qué es NSFW, y por qué veo cuadros borrosos?",
        "Fotos con desnudos. Salen pixeladas hasta que pones 'Mostrando NSFW' en la página de inicio; el interruptor vale para un solo dispositivo.",
      ],
      [
        "Alguien me molesta.",
        "En su perfil toca Acción: 'Bloquear / Ignorar' los hace invisibles el uno para el otro al momento, 'Denunciar una infracción' hace que lo mire un jurado o nuestro equipo. Si estás en peligro, llama al número de emergencias.",
      ],
      [
        "¿Puedo recibir avisos sin instalar una app?",
        "Sí. Agrega el sitio a tu pantalla de inicio, ábrelo desde ahí y toca Suscribirme en Cuenta. Lo que mandamos dice que hay algo nuevo, nunca qué.",
      ],
      [
        "¿Cómo me llevo mis datos, o me voy?",
        "Las dos cosas están al final de Cuenta. Una cuenta borrada es invisible al momento y vuelve con un enlace durante 28 días; después desaparece.",
      ],
    ],
    problemTitle: "Reportar un problema",
    problemLead: "Algo está roto, mal o no se puede usar. Les llega a los administradores y a nuestro correo.",
    problem: "¿Qué pasó, y qué esperabas?",
    problemRequired: "Describe el problema.",
    submit: "Reportar el problema",
    sending: "Enviando...",
    sent: "Gracias. Un voluntario lo va a mirar.",
    failed: "No llegó. Inténtalo en otro momento.",
  },
});
