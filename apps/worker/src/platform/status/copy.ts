import { defineCopy } from "@lambda/contract/copy";

export const statusCopy = defineCopy({
  en: {
    title: (name: string) => `${name}: status`,
    up: "Everything works.",
    degraded: "Something does not work as it should. We know of it.",
    unknown: "We cannot tell at the moment how the site does.",
    works: "works",
    disturbed: "disturbed",
    components: { site: "The site", mail: "Mail", notifications: "Push notifications", pictures: "New pictures" },
    past: "The last fourteen days",
    none: "No disturbance.",
    since: (time: string) => `since ${time}`,
    between: (from: string, until: string) => `${from} to ${until}`,
    how: "Told by the site's own figures, which count calls and never people. Times are UTC.",
    home: "To the site",
  },
  es: {
    title: (name: string) => `${name}: estado`,
    up: "Todo funciona.",
    degraded: "Algo no funciona como debería. Lo sabemos.",
    unknown: "Ahora mismo no podemos decir cómo está el sitio.",
    works: "funciona",
    disturbed: "con problemas",
    components: { site: "El sitio", mail: "Correo", notifications: "Avisos push", pictures: "Fotos nuevas" },
    past: "Los últimos catorce días",
    none: "Ningún problema.",
    since: (time: string) => `desde ${time}`,
    between: (from: string, until: string) => `de ${from} a ${until}`,
    how: "Lo dicen las cifras del propio sitio, que cuentan llamadas y nunca personas. Horas en UTC.",
    home: "Ir al sitio",
  },
});
