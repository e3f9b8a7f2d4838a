import { PROFILE_NAME_SHOWN_CHARS } from "@lambda/contract/limits";
import { defineCopy, type Locale } from "../../lib/i18n.ts";

export const chatCopy = defineCopy({
  en: {
    places: "Chat rooms",
    conversations: "Conversations",
    personalChat: "Personal Chat",
    mapChat: "Map Chat",
    loading: "Loading conversations",
    noConversations: "No conversations found",
    noConversationsHint: "Say hello to somebody near you. He may be waiting for it.",
    findMen: "See who is near",
    pick: "Pick a conversation",
    pickHint: "Or find somebody new to talk to.",
    search: "Search your messages",
    searchNothing: "Nothing found in your messages.",
    searchMore: "Look further back",
    unread: (count: number) => `${count} unread`,
    you: "You: ",
    picture: "Picture",
    position: "A place",
    album: "Private album",
    away: "Not visible now",
    awayHint: "He is hiding or away. What you wrote to each other stays with you; you can write again when he is back.",
    online: "Online",
    back: "Back to conversations",
    profile: "View profile",
    sayHello: "Say hello",
    sayHelloHint: "This is the beginning of your conversation.",
    typing: "is typing …",
    newMessages: "New",
    jump: "Jump to newest",
    older: "Loading earlier messages",
    message: "Message",
    messages: "Messages",
    conversation: "Conversation",
    send: "Send",
    attach: "Add to message",
    addPicture: "Picture",
    sendPlace: "Where the map shows me",
    sendExact: "Exactly where I am",
    sendAlbum: "Open my private album to him",
    phrases: "Saved phrases",
    savePhrase: "Save this text as a phrase",
    noPhrases: "Nothing saved yet. Write something, then save it here.",
    removePhrase: "Remove phrase",
    exactTitle: "Send your exact position?",
    exactText: "He will know where you are to about 10 metres. It cannot be unseen, even if you take the message back.",
    exactYes: "Send it",
    albumTitle: "Open your private album?",
    albumText:
      "He will see all of your private pictures until you close the album to him again, on his profile or in Settings.",
    albumYes: "Open it",
    cancel: "Cancel",
    close: "Close",
    removePicture: "Remove picture",
    uploading: "Uploading …",
    states: { sending: "Sending", sent: "Sent", delivered: "Delivered", seen: "Seen", failed: "Failed" },
    sentAt: (time: string) => `Sent ${time}`,
    seenAt: (time: string) => `Seen ${time}`,
    deliveredAt: (time: string) => `Delivered ${time}`,
    notSeen: "Not seen yet",
    showTimes: "Show sent and seen times",
    retry: "Retry",
    discard: "Discard",
    takeBack: "Take back",
    deleteForMe: "Delete for me",
    report: "Report",
    block: "Block",
    blocked: "Blocked and Redirecting...",
    blockTitle: "Block this man?",
    blockText: "Neither of you will see the other anywhere on this site. You can undo it in your account settings.",
    reported: "Thank you. Your report was filed.",
    reportTitle: "Report Violation",
    reportSend: "Send report",
    reportWhat: "What happened?",
    reportMore: "Tell us more (optional)",
    rules: {
      harassment: "Harassment",
      hate: "Hate or discrimination",
      spam: "Spam",
      scam: "Scam",
      impersonation: "Pretends to be somebody else",
      bot: "Not a person",
      explicit: "Explicit where it must not be",
      behaviour: "Behaviour in real life",
      other: "Something else",
      minor: "Concerns a minor",
      threat: "Threat or danger",
      intimate: "Intimate picture shared without consent",
    },
    sentToMany: "The same opening went to many men",
    openMap: "Show on the map",
    sharedAlbum: "opened his private album",
    youSharedAlbum: "You opened your private album",
    today: "Today",
    yesterday: "Yesterday",
    areaPlaceholder: "Talk to the men around",
    noArea: "No messages found in your area.",
    noAreaHint: "Be the first. Everybody within about a degree of you hears it.",
    loadMore: "Load More",
    end: "That's all folks...",
    hiding: "You are hiding...",
    hidingHint: "Who hides neither hears the map chat nor writes in it. Show yourself on the map to join in.",
    toMap: "To the map",
    more: "More",
    offline: "Offline. Your messages wait on this device.",
    failedToLoad: "The messages could not be loaded.",
    gone: "This conversation is not there.",
    tryAgain: "Try again",
  },
  es: {
    places: "Salas de chat",
    conversations: "Conversaciones",
    personalChat: "Chat personal",
    mapChat: "Chat del mapa",
    loading: "Cargando conversaciones",
    noConversations: "No hay conversaciones",
    noConversationsHint: "Saluda a alguien que esté cerca. Quizá lo está esperando.",
    findMen: "Ver quién está cerca",
    pick: "Elige una conversación",
    pickHint: "O busca a alguien nuevo con quien hablar.",
    search: "Buscar en tus mensajes",
    searchNothing: "No hay nada en tus mensajes.",
    searchMore: "Buscar más atrás",
    unread: (count: number) => `${count} sin leer`,
    you: "Tú: ",
    picture: "Foto",
    position: "Un lugar",
    album: "Álbum privado",
    away: "Ahora no visible",
    awayHint: "Se esconde o no está. Lo que os escribisteis se queda contigo; podrás escribirle cuando vuelva.",
    online: "En línea",
    back: "Volver a las conversaciones",
    profile: "Ver el perfil",
    sayHello: "Saluda",
    sayHelloHint: "Aquí empieza vuestra conversación.",
    typing: "está escribiendo …",
    newMessages: "Nuevos",
    jump: "Ir al último",
    older: "Cargando mensajes anteriores",
    message: "Mensaje",
    messages: "Mensajes",
    conversation: "Conversación",
    send: "Enviar",
    attach: "Añadir al mensaje",
    addPicture: "Foto",
    sendPlace: "Donde me muestra el mapa",
    sendExact: "Exactamente donde estoy",
    sendAlbum: "Abrirle mi álbum privado",
    phrases: "Frases guardadas",
    savePhrase: "Guardar este texto como frase",
    noPhrases: "Aún no hay nada. Escribe algo y guárdalo aquí.",
    removePhrase: "Quitar la frase",
    exactTitle: "¿Enviar tu posición exacta?",
    exactText: "Sabrá dónde estás con unos 10 metros de error. No se puede deshacer, aunque retires el mensaje.",
    exactYes: "Enviarla",
    albumTitle: "¿Abrir tu álbum privado?",
    albumText: "Verá todas tus fotos privadas hasta que se lo cierres, en su perfil o en Cuenta.",
    albumYes: "Abrirlo",
    cancel: "Cancelar",
    close: "Cerrar",
    removePicture: "Quitar la foto",
    uploading: "Subiendo …",
    states: { sending: "Enviando", sent: "Enviado", delivered: "Entregado", seen: "Visto", failed: "Falló" },
    sentAt: (time: string) => `Enviado ${time}`,
    seenAt: (time: string) => `Visto ${time}`,
    deliveredAt: (time: string) => `Entregado ${time}`,
    notSeen: "Aún no visto",
    showTimes: "Ver las horas de envío y lectura",
    retry: "Reintentar",
    discard: "Descartar",
    takeBack: "Retirar",
    deleteForMe: "Borrar para mí",
    report: "Denunciar",
    block: "Bloquear",
    blocked: "Bloqueado; te llevamos al inicio...",
    blockTitle: "¿Bloquear a este hombre?",
    blockText: "Ninguno de los dos verá al otro en este sitio. Puedes deshacerlo en los ajustes de tu cuenta.",
    reported: "Gracias. Tu denuncia se ha registrado.",
    reportTitle: "Denunciar una infracción",
    reportSend: "Enviar denuncia",
    reportWhat: "¿Qué ha pasado?",
    reportMore: "Cuéntanos más (opcional)",
    rules: {
      harassment: "Acoso",
      hate: "Odio o discriminación",
      spam: "Spam",
      scam: "Estafa",
      impersonation: "Se hace pasar por otro",
      bot: "No es una persona",
      explicit: "Explícito donde no debe",
      behaviour: "Conducta en la vida real",
      other: "Otra cosa",
      minor: "Afecta a un menor",
      threat: "Amenaza o peligro",
      intimate: "Imagen íntima compartida sin permiso",
    },
    sentToMany: "El mismo saludo fue a muchos hombres",
    openMap: "Ver en el mapa",
    sharedAlbum: "abrió su álbum privado",
    youSharedAlbum: "Abriste tu álbum privado",
    today: "Hoy",
    yesterday: "Ayer",
    areaPlaceholder: "Habla con los de tu zona",
    noArea: "No hay mensajes en tu zona.",
    noAreaHint: "Sé el primero. Te oirán todos a un grado de ti, más o menos.",
    loadMore: "Cargar más",
    end: "Eso es todo, amigos...",
    hiding: "Estás oculto...",
    hidingHint: "Quien se esconde ni oye el chat del mapa ni escribe en él. Muéstrate en el mapa para participar.",
    toMap: "Al mapa",
    more: "Más",
    offline: "Sin conexión. Tus mensajes esperan en este dispositivo.",
    failedToLoad: "No se han podido cargar los mensajes.",
    gone: "Esta conversación no está.",
    tryAgain: "Reintentar",
  },
});

interface Content {
  readonly bodyText: string;
  readonly profilePicIds: readonly number[];
  readonly attachment?: { readonly type: "album" | "position" } | null | undefined;
}

/** What a message says, in words: its text, or what it carries. */
export function contentOf(
  { bodyText, profilePicIds, attachment }: Content,
  words: { album: string; position: string; picture: string },
): string {
  if (bodyText) return bodyText;
  if (attachment) return attachment.type === "album" ? words.album : words.position;
  return profilePicIds.length > 0 ? words.picture : "";
}

/** Names are cut where they are shown (SPEC section 9). */
export function shownName(name: string): string {
  const letters = [...name];
  return letters.length > PROFILE_NAME_SHOWN_CHARS ? `${letters.slice(0, PROFILE_NAME_SHOWN_CHARS).join("")}…` : name;
}

/** "14:05" today, "Tue" within a week, else a short date. */
export function listTime(iso: string, locale: Locale): string {
  const date = new Date(iso);
  const age = Date.now() - date.getTime();
  if (date.toDateString() === new Date().toDateString()) return clockTime(iso, locale);
  if (age < 6 * 86_400_000) return date.toLocaleDateString(locale, { weekday: "short" });
  return date.toLocaleDateString(locale, { day: "numeric", month: "short" });
}

export function clockTime(iso: string, locale: Locale): string {
  return new Date(iso).toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });
}

export function dayName(iso: string, locale: Locale, words: { today: string; yesterday: string }): string {
  const date = new Date(iso);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return words.today;
  now.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return words.yesterday;
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return date.toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long", ...year });
}
