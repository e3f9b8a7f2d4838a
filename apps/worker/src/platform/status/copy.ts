import { defineCopy } from "@lambda/contract/copy";

export const statusCopy = defineCopy({
  en: {
    title: (brand: string) => `${brand}: status`,
    up: "Everything works.",
    degraded: "Something is not working as it should. We are aware of it.",
    unknown: "We cannot tell at the moment whether the site is working.",
    works: "working",
    problems: "having problems",
    components: { site: "The site", mail: "Mail", notifications: "Push notifications", pictures: "New pictures" },
    past: "The last fourteen days",
    none: "No problems.",
    since: (time: string) => `since ${time}`,
    between: (from: string, until: string) => `${from} to ${until}`,
    how: "From the site's own metrics, which count requests, never people. Times are UTC.",
    home: "To the site",
  },
  es: {
    title: (brand: string) => `${brand}: estado`,
    up: "Todo funciona.",
    degraded: "Algo no funciona como debería. Lo sabemos.",
    unknown: "Ahora mismo no podemos decir cómo está el sitio.",
    works: "funciona",
    problems: "con problemas",
    components: { site: "El sitio", mail: "Correo", notifications: "Avisos push", pictures: "Fotos nuevas" },
    past: "Los últimos catorce días",
    none: "Ningún problema.",
    since: (time: string) => `desde ${time}`,
    between: (from: string, until: string) => `de ${from} a ${until}`,
    how: "Lo dicen las cifras del propio sitio, que cuentan llamadas y nunca personas. Horas en UTC.",
    home: "Ir al sitio",
  },
});
