import { defineCopyHook } from "../../../format/i18n.ts";

export const useStayCopy = defineCopyHook({
  en: {
    title: (country: string) => `You seem to be in or near ${country}`,
    nowhere: "As far as we can tell, you are in none of the countries below.",
    calm: "We tell nobody. Until you choose, others do not see you, your explicit pictures are hidden, and no push notifications are sent to your devices.",
    chosen:
      "This is what you chose for as long as you are here. When your device is somewhere else, everything is as it was before.",
    law: "What the law says there",
    acts: (law: string, maximum: string) => `Sex between men is punished: ${law}. Maximum penalty: ${maximum}.`,
    practice: (law: string, maximum: string) =>
      `No law mentions sex between men, but men are sentenced under another one: ${law}. Maximum penalty: ${maximum}.`,
    regional: (law: string, maximum: string) =>
      `In this part of the country sex between men is punished: ${law}. Maximum penalty: ${maximum}.`,
    belonging: (law: string, maximum: string) =>
      `Sex between men is not a crime, but belonging to what the state calls the LGBT movement is: ${law}. Maximum penalty: ${maximum}. A profile here can be held against you.`,
    maximum: {
      death: "death",
      life: "life in prison",
      flogging: "flogging",
      unset: "the law sets no limit, or we do not know it",
    },
    years: (years: number) => (years === 1 ? "one year in prison" : `${years} years in prison`),
    codes: {
      penal: "Penal Code",
      criminal: "Criminal Code",
      family: "Persons and Family Code",
      sharia: "Sharia law",
      common: "Common law",
    },
    also: {
      sharia: "Religious courts can punish more severely.",
      "sharia-north": "The heaviest punishment is in the religious law of the northern states.",
      flogging: "Flogging can be added.",
      "outside-marriage": "Throughout the country sex outside of marriage is a crime if the family complains.",
    },
    unverified:
      "This is general knowledge from 2025, which nobody has checked against the law for us yet. Laws change, and so do those who enforce them.",
    lookUp: "Look it up at ILGA World",
    choose: "Your choice here",
    shown: "Who sees you",
    options: {
      hidden: { label: "Nobody", help: "You see others as usual, and you can read what was written to you before." },
      city: { label: "Others, to within about 5 km", help: "Never closer, however long somebody watches." },
      usual: { label: "Others, as usual", help: "With the precision you chose for your position." },
    },
    withdrawn: "Hide my explicit pictures from everybody",
    withdrawnHelp: "Including those in your private album and in conversations. They come back when you leave.",
    muted: "Send no push notifications to my devices",
    mutedHelp: "Your notifications wait for you on the site.",
    save: "Keep this while I am here",
    saved: "Kept until you leave.",
    notThere: "Are you somewhere else? Choose “Others, as usual”. Near a border we err on the safe side.",
    device: "Your device",
    disguise: "Give this app another name and icon, and lock it",
    deviceText:
      "Anyone who holds your unlocked phone sees this site, and the network it is on can tell that you visit it. Log out before a checkpoint; the browser's history names this site.",
    help: "Who can help",
    helpText: "We have not talked to any of them and do not know how fast they answer.",
    lines: {
      railroad: "helps people who are in danger because of who they love to reach safety",
      ilga: "keeps track of the laws of all countries, and knows local groups",
      defenders: "helps human rights defenders, around the clock",
      embassy:
        "Your own embassy or consulate: save its number before you need it. Some cannot help you in a country whose passport you hold too.",
    },
    unchecked: "not verified",
    table: "Countries in our table",
    tableText:
      "Written from general knowledge, reviewed each year by the brand's safety officer. A country that is not listed may punish all the same.",
    failed: "That did not work. Please try again.",
    reviewed: (day: string) => `Reviewed on ${day}.`,
    notReviewed: "Nobody has reviewed the table yet.",
  },
  es: {
    title: (country: string) => `Parece que estás en ${country} o muy cerca`,
    nowhere: "Hasta donde sabemos, no estás en ninguno de los países de abajo.",
    calm: "No se lo decimos a nadie. Hasta que elijas, los demás no te ven, tus fotos explícitas no se muestran y no enviamos avisos push a tus dispositivos.",
    chosen:
      "Esto es lo que elegiste mientras estés aquí. Cuando tu dispositivo esté en otro lugar, todo será como antes.",
    law: "Qué dice allí la ley",
    acts: (law: string, maximum: string) => `El sexo entre hombres se castiga: ${law}. Pena máxima: ${maximum}.`,
    practice: (law: string, maximum: string) =>
      `Ninguna ley menciona el sexo entre hombres, pero se condena por otra: ${law}. Pena máxima: ${maximum}.`,
    regional: (law: string, maximum: string) =>
      `En esta parte del país se castiga el sexo entre hombres: ${law}. Pena máxima: ${maximum}.`,
    belonging: (law: string, maximum: string) =>
      `El sexo entre hombres no es delito, pero sí pertenecer a lo que el Estado llama movimiento LGBT: ${law}. Pena máxima: ${maximum}. Un perfil aquí puede usarse en tu contra.`,
    maximum: {
      death: "pena de muerte",
      life: "cadena perpetua",
      flogging: "azotes",
      unset: "la ley no fija un límite, o no lo conocemos",
    },
    years: (years: number) => (years === 1 ? "un año de prisión" : `${years} años de prisión`),
    codes: {
      penal: "Código Penal",
      criminal: "Código Penal",
      family: "Código de las Personas y la Familia",
      sharia: "Ley islámica",
      common: "Derecho común (common law)",
    },
    also: {
      sharia: "Los tribunales religiosos pueden castigar con más dureza.",
      "sharia-north": "La pena más dura está en la ley religiosa de los estados del norte.",
      flogging: "Pueden agregarse azotes.",
      "outside-marriage": "En todo el país el sexo fuera del matrimonio es delito si la familia denuncia.",
    },
    unverified:
      "Es conocimiento general de 2025, que nadie comparó todavía con la ley. Las leyes cambian, y quienes las aplican también.",
    lookUp: "Búscalo en ILGA World",
    choose: "Tu elección aquí",
    shown: "Quién te ve",
    options: {
      hidden: { label: "Nadie", help: "Tú ves a los demás como siempre. Puedes leer lo que te escribieron antes." },
      city: { label: "Los demás, con unos 5 km de margen", help: "Nunca más cerca, por mucho que alguien observe." },
      usual: { label: "Los demás, como siempre", help: "Con la precisión que elegiste para tu posición." },
    },
    withdrawn: "No mostrar a nadie mis fotos explícitas",
    withdrawnHelp: "Tampoco las del álbum privado ni las de las conversaciones. Vuelven cuando te vayas.",
    muted: "No enviar avisos push a mis dispositivos",
    mutedHelp: "Los avisos te esperan en el sitio.",
    save: "Mantener esto mientras esté aquí",
    saved: "Se mantiene hasta que te vayas.",
    notThere: "¿Estás en otro lugar? Elige «Los demás, como siempre». Cerca de una frontera preferimos protegerte.",
    device: "Tu dispositivo",
    disguise: "Darle a la app otro nombre e icono, y bloquearla",
    deviceText:
      "Quien tenga tu teléfono desbloqueado ve este sitio, y la red a la que está conectado puede saber que lo visitas. Cierra la sesión antes de un control; el historial del navegador nombra este sitio.",
    help: "Quién puede ayudar",
    helpText: "No hemos hablado con ninguno y no sabemos con qué rapidez responden.",
    lines: {
      railroad: "ayuda a llegar a un lugar seguro a quien corre peligro por a quién ama",
      ilga: "reúne las leyes de todos los países y conoce grupos locales",
      defenders: "ayuda a quien defiende derechos, a cualquier hora",
      embassy:
        "Tu embajada o consulado: guarda su número antes de necesitarlo. Algunos no pueden ayudarte si también tienes el pasaporte de ese país.",
    },
    unchecked: "sin verificar",
    table: "Países de nuestra tabla",
    tableText:
      "Escrita con conocimiento general; el responsable de seguridad de la marca la revisa cada año. Un país que no aparece puede castigar igualmente.",
    failed: "No funcionó. Inténtalo de nuevo.",
    reviewed: (day: string) => `Revisada el ${day}.`,
    notReviewed: "Nadie ha revisado la tabla todavía.",
  },
});
