import { defineCopy } from "@lambda/contract/copy";
import { hourEs } from "../../../format/hour-es.ts";

export const meetsCopy = defineCopy({
  en: {
    title: "A friend who knows",
    intro:
      "Leave a plan with a friend. If you do not say that you are fine in time, your friend's page opens and shows what you write here. Until then nobody can read it, neither we nor your friend.",
    who: "Who you are meeting",
    where: "Where",
    whereHelp: "An address, a bar, a corner.",
    country: "In which country",
    countryNone: "I would rather not say",
    countryHelp: "Your friend is shown the emergency numbers there.",
    pointHere: "Add where I am now",
    me: "Your name, as your friend knows you",
    note: "What your friend should know",
    noteHelp: "Include a word that only the two of you know: your friend will ask for it on the phone.",
    until: "You will be back in",
    hours: (count: number) => (count === 1 ? "1 hour" : `${count} hours`),
    locale: "Your friend reads",
    english: "English",
    spanish: "Spanish",
    positions: "Add my position every five minutes",
    positionsHelp:
      "Only while this site is open on your screen; a phone in your pocket sends none. Encrypted like the rest.",
    pins: "Two PINs for this plan",
    pin: "PIN: I am fine",
    help: "Second PIN: help me",
    pinHelp: "4 to 8 digits. It ends the plan.",
    helpHelp: "Looks the same to anyone watching you, and opens your friend's page at once.",
    make: "Make the plan",
    making: "Making the plan",
    badPin: "4 to 8 digits, please.",
    samePin: "Choose two different PINs.",
    empty: "Please write where you will be, or who you are meeting.",
    limits:
      "If you have not answered ten minutes after the time, the alarm is raised, even if this phone is off or our server was restarted. We cannot help if your friend does not look, has no connection or has lost the link. Everything is erased 24 hours after an alarm, and at once when you say that you are fine.",
    made: "Now send the link",
    madeText: "Send it to one friend, by any messenger. Without it nobody will be alerted.",
    share: "Send the link",
    copy: "Copy the link",
    copied: "The link is copied.",
    byHand: "Select the link and copy it.",
    message: "If I do not answer in time, this page opens. Please keep the link until then.",
    siteShown: (host: string) =>
      `The page itself does not say which site it belongs to. Its address does: it begins with ${host}. Send it only to somebody who may know.`,
    neutral: (host: string) => `The page and its address (${host}) do not say which site they belong to.`,
    lost: "Phone lost? Open the link from your messenger on any device, and enter your PIN there.",
    done: "Done",
    running: "Your plan",
    due: (time: string) => `Say that you are fine by ${time}.`,
    alarmAt: (time: string) => `Your friend's page opens at ${time}.`,
    raised: "Your friend's page is open. Are you fine?",
    unsure: (time: string) =>
      `Are you fine? Without an answer your friend's page opens at ${time}. Without a connection this phone cannot check the plan.`,
    asked: (time: string) => `Are you fine? Please answer by ${time}.`,
    barDue: (time: string) => `Back by ${time}`,
    phones: (count: number) =>
      count === 0
        ? "No phone will ring yet: your friend has to open the link and tap the button there."
        : count === 1
          ? "1 phone will ring."
          : `${count} phones will ring.`,
    barUnsure: (time: string) =>
      `Back by ${time}. Without a connection this phone cannot check whether the plan still runs.`,
    answer: "Answer",
    yourPin: "Your PIN",
    fine: "I am fine",
    longer: "One more hour",
    wrong: (left: number) =>
      left === 0 ? "No more tries. Your friend will be told." : `That is not the PIN. Tries left: ${left}.`,
    noPlan: "This plan no longer exists.",
    ended: "Good. The plan has ended.",
    extended: (time: string) => `Good. You have time until ${time}.`,
    again: "Send the link again",
    sendsPosition: "Your position is included while this site is open on your screen.",
    locating: "Looking for where you are ...",
    sending: "One moment ...",
    noPosition: "Your position could not be found. The plan was made without it.",
  },
  es: {
    title: "Un amigo que lo sabe",
    intro:
      "Deja un plan a un amigo. Si no dices a tiempo que estás bien, su página se abre y muestra lo que escribas aquí. Hasta entonces nadie puede leerlo: ni nosotros ni tu amigo.",
    who: "Con quién te vas a ver",
    where: "Dónde",
    whereHelp: "Una dirección, un bar, una esquina.",
    country: "En qué país",
    countryNone: "Prefiero no decirlo",
    countryHelp: "Tu amigo verá los números de emergencia de allí.",
    pointHere: "Agregar dónde estoy ahora",
    me: "Tu nombre, como te conoce tu amigo",
    note: "Lo que tu amigo debe saber",
    noteHelp: "Incluye una palabra que solo sepan ustedes dos: tu amigo te la pedirá por teléfono.",
    until: "Estarás de vuelta en",
    hours: (count: number) => (count === 1 ? "1 hora" : `${count} horas`),
    locale: "Tu amigo lee en",
    english: "Inglés",
    spanish: "Español",
    positions: "Agregar mi posición cada cinco minutos",
    positionsHelp:
      "Solo mientras este sitio esté abierto en tu pantalla; un teléfono en el bolsillo no envía nada. Cifrada como lo demás.",
    pins: "Dos PIN para este plan",
    pin: "PIN: estoy bien",
    help: "Segundo PIN: ayúdame",
    pinHelp: "De 4 a 8 números. Termina el plan.",
    helpHelp: "Para quien te mire parece igual, y abre al momento la página de tu amigo.",
    make: "Hacer el plan",
    making: "Haciendo el plan",
    badPin: "De 4 a 8 números, por favor.",
    samePin: "Elige dos PIN distintos.",
    empty: "Escribe dónde vas a estar, o con quién te vas a ver.",
    limits:
      "Si no respondes diez minutos después de la hora, salta la alarma, aunque este teléfono esté apagado o nuestro servidor se haya reiniciado. No podemos ayudar si tu amigo no mira, no tiene conexión o perdió el enlace. Todo se borra 24 horas después de una alarma, y al momento cuando dices que estás bien.",
    made: "Ahora envía el enlace",
    madeText: "Envíalo a un amigo por cualquier mensajería. Sin él nadie recibirá el aviso.",
    share: "Enviar el enlace",
    copy: "Copiar el enlace",
    copied: "Enlace copiado.",
    byHand: "Selecciona el enlace y cópialo.",
    message: "Si no respondo a tiempo, esta página se abre. Guarda el enlace hasta entonces, por favor.",
    siteShown: (host: string) =>
      `La página no dice de qué sitio es. Su dirección sí: empieza por ${host}. Envíala solo a quien pueda saberlo.`,
    neutral: (host: string) => `Ni la página ni su dirección (${host}) dicen de qué sitio son.`,
    lost: "¿Perdiste el teléfono? Abre el enlace desde tu mensajería en cualquier dispositivo y escribe allí tu PIN.",
    done: "Listo",
    running: "Tu plan",
    due: (time: string) => `Di que estás bien antes de ${hourEs(time)}.`,
    alarmAt: (time: string) => `La página de tu amigo se abre a ${hourEs(time)}.`,
    raised: "La página de tu amigo está abierta. ¿Estás bien?",
    unsure: (time: string) =>
      `¿Estás bien? Sin respuesta, la página de tu amigo se abre a ${hourEs(time)}. Sin conexión, este teléfono no puede comprobar el plan.`,
    asked: (time: string) => `¿Estás bien? Responde antes de ${hourEs(time)}.`,
    barDue: (time: string) => `De vuelta a ${hourEs(time)}`,
    phones: (count: number) =>
      count === 0
        ? "Aún no sonará ningún teléfono: tu amigo tiene que abrir el enlace y tocar allí el botón."
        : count === 1
          ? "Sonará 1 teléfono."
          : `Sonarán ${count} teléfonos.`,
    barUnsure: (time: string) =>
      `De vuelta a ${hourEs(time)}. Sin conexión, este teléfono no puede comprobar si el plan sigue en marcha.`,
    answer: "Responder",
    yourPin: "Tu PIN",
    fine: "Estoy bien",
    longer: "Una hora más",
    wrong: (left: number) =>
      left === 0
        ? "No quedan intentos. Tu amigo recibirá el aviso."
        : `Ese no es el PIN. Intentos que quedan: ${left}.`,
    noPlan: "Este plan ya no existe.",
    ended: "Bien. El plan terminó.",
    extended: (time: string) => `Bien. Tienes tiempo hasta ${hourEs(time)}.`,
    again: "Enviar el enlace otra vez",
    sendsPosition: "Tu posición va incluida mientras este sitio esté abierto en la pantalla.",
    locating: "Buscando dónde estás ...",
    sending: "Un momento ...",
    noPosition: "No encontramos tu posición. El plan se hizo sin ella.",
  },
});
