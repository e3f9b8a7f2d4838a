import { defineCopyHook } from "../../../format/i18n.ts";

export const useBillingCopy = defineCopyHook({
  en: {
    title: "What it costs",
    lead: "Community membership is free, and it's the whole site. If you can, carry someone else along.",
    plans: [
      {
        name: "Community",
        price: "$0",
        text: "Everything that makes the place: map, profiles, chat with its full history, games.",
      },
      {
        name: "Contributing",
        price: "$10/mo",
        text: "You plus 2 friends: three memberships that keep the machines running.",
      },
      {
        name: "Contributing",
        price: "$15/mo",
        text: "You plus 4 friends, for the same machines and a calmer treasurer.",
      },
      {
        name: "Pro",
        price: "$10 per month or $100 per year",
        text: "Unlimited versions of all features, for those who are here for work or who use the place a lot.",
      },
    ],
    how: "How to pay",
    howText:
      "By a peer payment service or by credit card. There's no checkout on this site: write to us, and a volunteer sends you what you need. Nothing renews by itself.",
    contact: "Ask for the details",
    credits: "Volunteer credits",
    creditsText:
      "Helping counts as well: rating pictures, spotting bots, serving on a jury. A standard member has 0 volunteer credits to begin with and earns them by playing fairly; the Community page shows yours.",
  },
  es: {
    title: "Lo que cuesta",
    lead: "La membresía de la comunidad es gratis, y es el sitio entero. Si puedes, lleva a alguien contigo.",
    plans: [
      {
        name: "Comunidad",
        price: "0 $",
        text: "Todo lo que hace este lugar: mapa, perfiles, chat con su historial completo, juegos.",
      },
      {
        name: "Contribuyente",
        price: "10 $ al mes",
        text: "Tú y 2 amigos: tres membresías que mantienen las máquinas en marcha.",
      },
      {
        name: "Contribuyente",
        price: "15 $ al mes",
        text: "Tú y 4 amigos, para las mismas máquinas y un tesorero más tranquilo.",
      },
      {
        name: "Pro",
        price: "10 $ al mes o 100 $ al año",
        text: "Versiones ilimitadas de todas las funciones, para los que están aquí por trabajo o lo usan mucho.",
      },
    ],
    how: "Cómo se paga",
    howText:
      "Con un servicio de pago entre particulares o con tarjeta de crédito. En este sitio no hay caja: escríbenos, y un voluntario te manda lo que necesitas. Nada se renueva solo.",
    contact: "Pedir los detalles",
    credits: "Créditos de voluntario",
    creditsText:
      "Ayudar también cuenta: clasificar fotos, descubrir bots, servir en un jurado. Un miembro normal tiene 0 créditos de voluntario al principio y los gana jugando limpio; la página Comunidad muestra los tuyos.",
  },
});
