import { defineCopyHook } from "../../../format/i18n.ts";

export const useAboutCopy = defineCopyHook({
  en: {
    title: "Who we are",
    lead: (brand: string, legalName: string) =>
      `${brand} is made and run by the volunteers of the ${legalName}: gay men who wanted a place to find each other that asks for nothing in return.`,
    sections: [
      {
        title: "Community",
        paragraphs: [
          "We're members first. The men who use this place decide what it should be, what's all right and what isn't: in games that sort out pictures and bots, and on juries that judge reports.",
        ],
      },
      {
        title: "Safety",
        paragraphs: [
          "For some of us, being found by the wrong man is dangerous. So the site never keeps where you really are, blocks work both ways and at once, and nothing on these pages is loaded from anyone else.",
        ],
      },
      {
        title: "Enjoyment",
        paragraphs: ["Bodies, jokes and desire are welcome. Nudity is hidden until you choose to see it."],
      },
      {
        title: "Responsibility",
        paragraphs: [
          "For what you write, for the man in front of you, and for your health and his. That's why there's a health panel in your profile, and a way to tell past partners that a test may be wise without saying who you are.",
        ],
      },
      {
        title: "Evolution",
        paragraphs: [
          "The site is under active development. Tell us what's missing; anyone who can write, draw, translate or program is welcome to help.",
        ],
      },
    ],
    sisters: "Our sister sites",
    sistersText: "One community under three roofs. You choose on which of them you're seen.",
    attributions: "Attributions",
    mapData: "Map data",
    mapLibrary: "Map library",
    images: "Stock images",
    imagesText: "where an announcement of ours shows one; the drawings on this site are our own.",
    fonts: "Typefaces",
    more: "Read on",
    terms: "Terms of service",
    privacy: "Privacy policy",
    support: "Support",
    removeImage: "Remove an intimate picture of you",
    notice: "Report illegal content",
    contact: "Contact us",
    dues: "Membership Dues",
    transparency: "Transparency",
    legalNotice: "Contact and legal notice",
    safety: "Safety policy",
  },
  es: {
    title: "Quiénes somos",
    lead: (brand: string, legalName: string) =>
      `${brand} lo hacen y lo llevan los voluntarios de ${legalName}: hombres gay que querían un lugar donde encontrarse que no pida nada a cambio.`,
    sections: [
      {
        title: "Comunidad",
        paragraphs: [
          "Primero somos miembros. Los que usan este lugar deciden qué debe ser, qué está bien y qué no: en juegos que clasifican fotos y bots, y en jurados que juzgan denuncias.",
        ],
      },
      {
        title: "Seguridad",
        paragraphs: [
          "Para algunos de nosotros, que nos encuentre el hombre equivocado es peligroso. Por eso el sitio nunca guarda dónde estás de verdad. Los bloqueos valen para los dos y al momento, y nada de estas páginas se carga de otra parte.",
        ],
      },
      {
        title: "Disfrute",
        paragraphs: [
          "Los cuerpos, las bromas y el deseo son bienvenidos. Los desnudos quedan ocultos hasta que decidas verlos.",
        ],
      },
      {
        title: "Responsabilidad",
        paragraphs: [
          "Con lo que escribes, con el hombre que tienes enfrente, y con tu salud y la suya. Por eso hay un panel de salud en tu perfil, y una forma de avisarles a tus parejas que conviene una prueba sin decir quién eres.",
        ],
      },
      {
        title: "Evolución",
        paragraphs: [
          "El sitio está en pleno desarrollo. Dinos qué falta; quien sepa escribir, dibujar, traducir o programar es bienvenido.",
        ],
      },
    ],
    sisters: "Nuestros sitios hermanos",
    sistersText: "Una comunidad bajo tres techos. Tú eliges en cuáles te ven.",
    attributions: "Atribuciones",
    mapData: "Datos del mapa",
    mapLibrary: "Biblioteca del mapa",
    images: "Imágenes de archivo",
    imagesText: "cuando un anuncio nuestro muestra alguna; los dibujos del sitio son nuestros.",
    fonts: "Tipografías",
    more: "Seguir leyendo",
    terms: "Condiciones del servicio",
    privacy: "Política de privacidad",
    support: "Ayuda",
    removeImage: "Retirar una imagen íntima tuya",
    notice: "Avisar de contenido ilegal",
    contact: "Contacto",
    dues: "Cuotas",
    transparency: "Transparencia",
    legalNotice: "Contacto y aviso legal",
    safety: "Política de seguridad",
  },
});
