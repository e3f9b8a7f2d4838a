import { defineCopyHook } from "../../../format/i18n.ts";

export const useSafetyCopy = defineCopyHook({
  en: {
    title: "Safety policy",
    sections: [
      {
        title: "What is not allowed",
        paragraphs: [
          "Violence and threats of it; rape and any sexual act without consent; assault; kidnapping; stalking; harassment; making somebody drunk or drugged against their will; robbery and theft; blackmail and outing; anything sexual with minors; pictures of people who did not agree; hate; fraud; false identities; programs that pose as people; selling sex, drugs or anything else. This applies on the site and when members meet.",
          "Sexual conduct without the other person's consent breaks this policy and criminal law. It can lead to prosecution and to claims for damages.",
        ],
      },
      {
        title: "We do not check who members are",
        paragraphs: [
          "WE DO NOT CONDUCT CRIMINAL BACKGROUND SCREENINGS OF OUR MEMBERS. We do not ask for a name or a document, so we cannot exclude people with convictions. Age is what a member states; where the law asks for it, it is proved before explicit pictures are shown. Anybody who can steal an identity can also write a false profile.",
        ],
      },
      {
        title: "How to report",
        paragraphs: [
          "On a profile: the three dots, then Report Violation. On a message or a picture: its menu. Say which rule, and what happened; add messages. What happened when you met counts as well. You do not have to be the one who was harmed. Without an account there are two forms, below.",
          "If you are in danger, call the emergency number of your country first.",
        ],
      },
      {
        title: "What we do",
        paragraphs: [
          "Reports about minors, threats and intimate pictures go to our staff at once; most others to a jury of nine members who know neither side. The answer can be a warning, a hidden picture, a suspension for up to a year, or a ban. Staff confirm suspensions of more than three days and all bans. A ban lasts twelve months: no new account with that address; a new account on the same device or with the same pictures is looked at by our staff. You are told the result.",
          "The reported member learns of it when it is decided: rule, reason, length, and how to appeal. The member who reported is not named. Each side can appeal once, within 30 days, to people other than those who decided.",
          "We keep what was reported until the time to appeal is over. Where a minor is concerned or the law asks for it, we keep an encrypted copy for a year. We answer orders from courts and the police.",
        ],
      },
      {
        title: "Do we tell others who had contact with a reported member?",
        paragraphs: [
          "No. We tell nobody because of a report alone: it can be false, and being reported on a gay site can out a person.",
        ],
      },
      {
        title: "For your safety",
        items: [
          "Stay on the site until you trust somebody. No family name, workplace, address or bank details in a profile or a first message.",
          "Nobody here needs your money. A story with an emergency, an investment, a gift card or a package is a fraud. So is a threat to show your pictures to your family: do not pay, save what was written, report it.",
          "A picture that you send can be kept. Leave out your face, a tattoo or a room if that would harm you.",
          "See each other on a live video call first. Meet in public. Tell a friend where you are and when you will be back. Arrange your own way there and back. Do not let him pick you up at home.",
          "Watch your drink and what you take. You may stop at any moment, whatever was agreed.",
          "Choose district or city as precision if your street is lonely. Exact is for the bar, not for home. Hide with one tap on the map.",
          "In a country where being gay is punished: no face, no name, and log out before a checkpoint. If the app is open when you arrive, we hide you until you choose. The device's browser history names this site.",
          "To the other member, blocking looks like hiding. It works both ways, at once.",
        ],
      },
    ],
    notice: "Report illegal content, without an account",
    removeImage: "Remove an intimate picture of you",
    terms: "Terms of service",
  },
  es: {
    title: "Política de seguridad",
    sections: [
      {
        title: "Qué no se permite",
        paragraphs: [
          "La violencia y amenazar con ella; la violación y todo acto sexual sin consentimiento; la agresión; el secuestro; el acecho; el acoso; emborrachar o drogar a alguien contra su voluntad; el robo; el chantaje y revelar que alguien es gay; cualquier cosa sexual con menores; fotos de personas que no aceptaron; el odio; el fraude; las identidades falsas; los programas que se hacen pasar por personas; vender sexo, drogas u otra cosa. Vale en el sitio y cuando los miembros se ven.",
          "La conducta sexual sin el consentimiento de la otra persona incumple esta política y la ley penal. Puede llevar a un proceso y a indemnizaciones.",
        ],
      },
      {
        title: "No comprobamos quiénes son los miembros",
        paragraphs: [
          "NO REVISAMOS LOS ANTECEDENTES PENALES DE NUESTROS MIEMBROS. No pedimos nombre ni documento, así que no podemos excluir a personas con condenas. La edad es la que cada uno declara; donde la ley lo pide, se demuestra antes de mostrar fotos explícitas. Quien puede robar una identidad también puede escribir un perfil falso.",
        ],
      },
      {
        title: "Cómo denunciar",
        paragraphs: [
          "En un perfil: los tres puntos y luego Denunciar una infracción. En un mensaje o una foto: su menú. Di qué regla y qué pasó; agrega mensajes. También cuenta lo que pasó cuando se vieron. No hace falta que el daño te lo hicieran a ti. Sin cuenta hay dos formularios, abajo.",
          "Si estás en peligro, llama primero al número de emergencias de tu país.",
        ],
      },
      {
        title: "Qué hacemos",
        paragraphs: [
          "Las denuncias sobre menores, amenazas y fotos íntimas van enseguida a nuestro equipo; casi todas las demás, a un jurado de nueve miembros que no conocen a ninguna de las partes. La respuesta puede ser una advertencia, una foto oculta, una suspensión de hasta un año o una expulsión. El equipo confirma las suspensiones de más de tres días y todas las expulsiones. Una expulsión dura doce meses: ninguna cuenta nueva con esa dirección; una cuenta nueva en el mismo dispositivo o con las mismas fotos la mira nuestro equipo. Se te dice el resultado.",
          "El denunciado lo sabe cuando está decidido: regla, motivo, duración y cómo recurrir. No se nombra a quien denunció. Cada parte puede recurrir una vez, en 30 días, ante personas distintas de las que decidieron.",
          "Guardamos lo denunciado hasta que acabe el plazo para recurrir. Si hay un menor o la ley lo pide, guardamos una copia cifrada un año. Respondemos a órdenes de tribunales y policía.",
        ],
      },
      {
        title: "¿Avisamos a quienes tuvieron contacto con un denunciado?",
        paragraphs: [
          "No. Una denuncia sola no avisa a nadie: puede ser falsa, y ser denunciado en un sitio gay puede delatar a una persona.",
        ],
      },
      {
        title: "Por tu seguridad",
        items: [
          "Quédate en el sitio hasta que confíes en alguien. Ni apellido, ni trabajo, ni dirección, ni datos del banco en el perfil o en un primer mensaje.",
          "Aquí nadie necesita tu dinero. Una historia con una emergencia, una inversión, una tarjeta regalo o un paquete es un fraude. También la amenaza de mostrar tus fotos a tu familia: no pagues, guarda lo escrito, denúncialo.",
          "Una foto que envías puede guardarse. Deja fuera tu cara, un tatuaje o una habitación si eso puede hacerte daño.",
          "Véanse primero en una videollamada. Encuéntrense en un lugar público. Dile a un amigo dónde estás y cuándo vuelves. Ve y vuelve por tu cuenta. Que no te recoja en tu casa.",
          "Cuida tu bebida y lo que tomas. Puedes parar en cualquier momento, sin importar lo acordado.",
          "Elige barrio o ciudad como precisión si tu calle es solitaria. Exacta es para el bar, no para tu casa. Ocúltate con un toque en el mapa.",
          "En un país donde se castiga ser gay: ni cara ni nombre, y cierra la sesión antes de un control. Si la app está abierta cuando llegas, te ocultamos hasta que elijas. El historial del navegador nombra este sitio.",
          "Para el otro, un bloqueo es como si te hubieras ocultado. Vale en los dos sentidos y enseguida.",
        ],
      },
    ],
    notice: "Denunciar contenido ilegal, sin cuenta",
    removeImage: "Retirar una foto íntima tuya",
    terms: "Condiciones del servicio",
  },
});
