import { defineCopyHook } from "../../format/i18n.ts";

/** The three acknowledgements at registration. The account stores the text as accepted. */
export const useAcknowledgementsCopy = defineCopyHook({
  en: {
    cookies:
      "Cookies, geolocation and logging: I agree that this site sets one cookie for my session, one that only says that I am logged in, one that recognizes this device when I log in again, for ten minutes one that says that I asked for a login link, for seconds one that says in which part of the world I wrote last, and one that marks the accounts used on this device. Logging out deletes them; the mark of an account stays only while that account is suspended or banned. I also agree that it keeps my choices, and for those ten minutes a ticket, on this device. My location is used only while I allow it; before it leaves my device it is rounded to a cell of a grid, about 550 meters unless I choose otherwise, and no finer position is stored, logged or passed on. Logs hold the kind of page, its outcome and its time, never my name, my address or my position.",
    adult:
      "Adult site and community guidelines: I am at least 18 years old and an adult where I live. I know that members may show nudity, which stays hidden until I choose to see it. I meet others at my own risk, and as far as the law allows, the volunteers who run this site are not liable for what members say or do. I will ask for consent and respect a no; I will not post anything about minors, threats, hate, scams, paid services, or pictures of people who did not agree; I will not pretend to be someone else.",
    geolocation:
      "A geolocation social application: I understand that other members see a point near me, and how far away it is. That point is drawn at random inside my cell and is never where I stand. Still, whoever watches for long may learn which area I live in. I can choose larger cells, put my position somewhere else, or hide, at any time.",
  },
  es: {
    cookies:
      "Cookies, geolocalización y registros: acepto que este sitio ponga una cookie para mi sesión, otra que solo dice que entré, otra con la que reconoce este dispositivo cuando vuelvo a entrar y, durante diez minutos, otra que dice que pedí un enlace, durante unos segundos otra que dice en qué parte del mundo escribí por última vez, y otra que marca las cuentas usadas en este dispositivo. Al salir se borran; la marca de una cuenta solo se queda mientras esa cuenta está suspendida o expulsada. Acepto también que guarde en este dispositivo mis preferencias y, durante esos diez minutos, un resguardo. Mi ubicación se usa solo mientras lo permito; antes de salir de mi dispositivo se redondea a una celda de una cuadrícula, de unos 550 metros si no elijo otra cosa, y ninguna posición más fina se guarda, se registra ni se comunica. Los registros contienen el tipo de página, su resultado y la hora, nunca mi nombre, mi dirección ni mi posición.",
    adult:
      "Sitio para adultos y normas de la comunidad: tengo al menos 18 años y soy mayor de edad donde vivo. Sé que los miembros pueden mostrar desnudos, que quedan ocultos hasta que yo decida verlos. Me encuentro con otros bajo mi responsabilidad y, hasta donde permite la ley, los voluntarios que llevan el sitio no responden de lo que digan o hagan los miembros. Pediré consentimiento y respetaré un no; no publicaré nada sobre menores, amenazas, odio, estafas, servicios de pago ni fotos de personas que no estén de acuerdo; no me haré pasar por otro.",
    geolocation:
      "Una aplicación social con geolocalización: entiendo que los demás miembros ven un punto cerca de mí y a qué distancia está. Ese punto se sortea dentro de mi celda y nunca es donde estoy. Aun así, quien observe mucho tiempo puede llegar a saber en qué zona vivo. Puedo elegir celdas más grandes, poner mi posición en otro sitio u ocultarme en cualquier momento.",
  },
});
