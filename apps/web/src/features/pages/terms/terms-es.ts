import { textNames } from "@lambda/contract/profile-texts";
import type { LegalText } from "./legal-text.ts";

export const termsEs: LegalText = ({ name, legalName, operatorAddress, sisters }) => ({
  terms: {
    title: "Condiciones del servicio",
    lead: `${name} es una comunidad de hombres gay que llevan los voluntarios de ${legalName}. Estas condiciones son el acuerdo entre tú y nosotros. Al abrir una cuenta las aceptas.`,
    sections: [
      {
        title: "1. Hay que tener 18 años",
        paragraphs: [
          "Debes tener al menos 18 años y ser mayor de edad donde vives. Los miembros pueden mostrar desnudos. Cerramos la cuenta de quien sea menor y comunicamos a las autoridades lo que la ley nos manda.",
          "Donde la ley lo exige, demuestras tu edad antes de ver fotos explícitas o antes de registrarte. Hasta entonces esas fotos, y las que nadie ha valorado aún, siguen pixeladas para ti. Desde algunos lugares nadie puede registrarse.",
        ],
      },
      {
        title: "2. Tu cuenta",
        paragraphs: ["Una cuenta es para una persona. Respondes de lo que se haga con ella. En particular:"],
        items: [
          "Regístrate con una dirección que sea tuya y mantenla en orden: es tu camino de vuelta.",
          "Guarda para ti la contraseña y los enlaces, y cierra la sesión en dispositivos que usen otros. En Cuenta ves cada dispositivo con la sesión abierta y puedes cerrar cualquiera.",
          "La edad que dices en el perfil debe ser verdadera. Lo demás es cosa tuya.",
          "Avísanos enseguida si crees que otra persona usa tu cuenta.",
        ],
      },
      {
        title: "3. Lo que no se permite",
        paragraphs: ["No puedes:"],
        items: [
          "publicar, pedir ni insinuar nada sexual en que intervengan menores;",
          "amenazar, perseguir, acosar, chantajear ni sacar a nadie del armario;",
          "atacar a nadie por su origen, color, fe, cuerpo, género, salud o estado serológico;",
          "mostrar fotos de personas que no lo aceptaron, ni pasar fotos que eran solo para ti;",
          "hacerte pasar por otro, ni dejar que un programa escriba por ti sin decirlo;",
          "vender sexo, drogas ni otra cosa, hacer publicidad, pedir dinero ni mandar el mismo mensaje a muchos;",
          "intentar averiguar dónde está un miembro más allá de lo que muestra el sitio, recopilar perfiles ni usar programas que esquiven los límites;",
          "perturbar el servicio, buscar cómo saltarse su protección sin un aviso responsable, ni usarlo para algo ilegal.",
        ],
      },
      {
        title: "4. Cómo se cumplen las normas",
        paragraphs: [
          "Los miembros denuncian lo que incumple estas normas. La mayoría de las denuncias las decide un jurado de miembros que no conocen a ninguna de las partes; algunas, como todo lo referente a menores, amenazas, imágenes íntimas o fotos que no eran públicas, solo el equipo. El equipo confirma toda suspensión de más de tres días y toda expulsión. La decisión puede ser una advertencia, una foto oculta, una suspensión temporal o la expulsión; nombra su norma y su motivo. Puedes recurrir una vez. Tu situación, con cada decisión sobre ti, está en el calabozo de los malos.",
          "Qué hacen las máquinas: ningún programa juzga tus mensajes privados por lo que dicen, y ninguno advierte, suspende ni expulsa a nadie. Los programas cuentan, y frenan a quien hace demasiado. Rechazan el mismo primer mensaje para un segundo miembro, apartan un primer mensaje de quien puso en su lista una palabra suya, y rechazan copias de fotos retiradas y cuentas nuevas con la dirección de una cuenta expulsada. Retienen lo que se parece a una foto de una lista de imágenes ilegales y comparan las cuentas nuevas con lo que dejó un expulsado, para que mire nuestro equipo. Ocultan por el momento una foto cuando alguien dice, en un aviso completo y con la dirección confirmada, que le muestra sin su consentimiento. Y cuentan los votos de quienes juegan, que juzgan si una foto es explícita o un texto lo escribió un programa; lo que no pueden decidir pasa al equipo.",
          "Qué hacen las personas: cada advertencia, foto oculta, suspensión y expulsión la decide un jurado o el equipo. Recibes una exposición de motivos: qué se decidió, por cuánto tiempo, por qué hechos, según qué norma, si intervino un programa y qué puedes hacer. Tienes 30 días para recurrir, y también quien te denunció; lo miran personas distintas de las que decidieron, o el único administrador si solo hay uno. También puedes acudir a los tribunales y, en la Unión Europea, a un órgano certificado de resolución de litigios.",
          "Sin cuenta, cualquiera puede avisar de contenido ilegal (/notice) o de una imagen íntima suya (/remove-image). Un aviso completo sobre una imagen íntima oculta en el acto lo que coincide con la copia adjunta, tres fotos como máximo de un mismo miembro; una dirección sola no oculta nada. El equipo decide sobre todo en 48 horas. Su dueño lo sabe, nunca por quién, y puede oponerse una vez en los 30 días siguientes a la decisión.",
          "Abuso: las denuncias que resultan falsas una y otra vez cuentan menos y no llegan a un jurado. A quien presenta un aviso falso no se le ocultan fotos en el acto durante un año. Nadie puede tener ocultas más de 20 fotos sin juzgar. Una expulsión vale doce meses contra la misma dirección; una cuenta nueva en el mismo dispositivo o con las mismas fotos la mira el equipo.",
          "Cada cuenta puede escribir, guardar y leer hasta cierto límite al día; si algo se rechaza, el sitio lo dice. Las listas y el mapa van por distancia, y nadie puede pagar por salir antes.",
        ],
      },
      {
        title: "5. Lo que publicas",
        paragraphs: [
          "Sigue siendo tuyo. Nos das la licencia que hace falta para llevar el sitio y nada más: guardarlo, hacer versiones pequeñas de las fotos y mostrarlo a quienes permiten tus ajustes. La licencia es gratuita y no exclusiva, no la cedemos salvo a los proveedores de nuestras máquinas, y termina cuando borras el contenido o la cuenta. Los mensajes que enviaste quedan en manos de quien los recibió hasta que los retiras o se borra tu cuenta.",
          "Prometes que puedes publicar lo que publicas. Podemos retirar lo que incumpla estas condiciones.",
        ],
      },
      {
        title: "6. Verse con gente",
        paragraphs: [
          "No comprobamos quiénes son los miembros. Queda primero en público, díselo a un amigo y haz caso a tu intuición. Lo que ocurra entre miembros, aquí o fuera, es cosa de ellos.",
        ],
      },
      {
        title: "7. Cuotas y créditos",
        paragraphs: [
          "La membresía es gratuita. Lo que cuestan la membresía contribuyente y la Pro está en la página Cuotas. Los créditos de voluntario son un agradecimiento y no valen dinero.",
        ],
      },
      {
        title: "8. Responsabilidad",
        paragraphs: [
          "El sitio lo llevan voluntarios y se ofrece tal cual, sin garantía de ningún tipo. Hasta donde permite la ley, no respondemos de daños indirectos, de datos perdidos, de lo que digan o hagan los miembros ni de los ratos en que el sitio no esté disponible; y nuestra responsabilidad total se limita a lo que nos pagaste en los doce meses anteriores. Nada de esto limita la responsabilidad que la ley no deja limitar, como la de dolo o culpa grave.",
        ],
      },
      {
        title: "9. El final",
        paragraphs: [
          "Puedes borrar tu cuenta cuando quieras en Cuenta. Eres invisible en el acto; durante 28 días un enlace lo devuelve todo; después se borra. Podemos suspender o cerrar cuentas que incumplan estas condiciones, y decimos por qué. Si tuviéramos que cerrar el sitio, te avisaremos con 30 días para que te lleves tus datos.",
        ],
      },
      {
        title: "10. Conflictos y ley aplicable",
        paragraphs: [
          "Escríbenos primero: casi todo se arregla hablando. Lo que no, lo decide en arbitraje vinculante un solo árbitro según las Consumer Arbitration Rules de la American Arbitration Association, en Arizona o por vídeo, en lugar de un tribunal o un jurado. Los tribunales de reclamaciones menores quedan abiertos a ambos, y cada cual reclama por sí mismo y no como clase. Se aplica la ley del estado de Arizona, sin sus normas de conflicto. Si eres consumidor en un país cuya ley te da otros tribunales o derechos irrenunciables, los conservas.",
        ],
      },
      {
        title: "11. Cambios",
        paragraphs: [
          "Si estas condiciones cambian en algo más que la redacción, te avisamos con una notificación o un correo al menos 14 días antes. Si no estás de acuerdo puedes borrar tu cuenta hasta entonces; seguir usando el sitio después significa que aceptas.",
        ],
      },
      {
        title: "12. Contacto",
        paragraphs: [`${legalName}, ${operatorAddress}. La página de contacto también nos llega.`],
      },
    ],
  },
  privacy: {
    title: "Política de privacidad",
    lead: "Que estés aquí no le importa a nadie más. Esto es lo que recogemos, para qué, y cómo te deshaces de ello.",
    sections: [
      {
        title: "Qué recogemos",
        items: [
          "Tu cuenta: correo electrónico, el nombre para nuestros correos, una forma cifrada de tu contraseña si la pusiste, tu idioma y el texto de lo que aceptaste al registrarte.",
          `Tu perfil, en lo que lo rellenes: nombre, fecha de nacimiento (los demás solo ven la edad), ${Object.values(textNames("es")).join(", ")}, características, fotos y datos de salud con el público que elijas para cada uno.`,
          "Si pides verificarte: tres capturas tuyas en una pose, que hasta 150 miembros de otros lugares, o nuestro equipo, comparan con tus fotos públicas. Ningún programa mide tu cara. Se borran con el veredicto, a los 37 días como muy tarde, salvo que una denuncia guarde copias con su caso; el mes de tu distintivo queda un año. Que sales esta noche, hasta cuándo y para qué, si lo dices; se borra cuando acaba. De quién dijiste que es el hombre de sus fotos, durante un año; solo tú lo lees, los demás ven cuántos lo dijeron mutuamente, redondeado y a partir de tres. Lo que haces aquí: me gusta, notas y etiquetas (solo tú las lees), bloqueos, mensajes, votos y denuncias.",
          "Dispositivos: el tipo de navegador y sistema («Chrome on Android») y cuándo se usó cada sesión. Ni huella digital ni identificador publicitario.",
          "Las cartas que nos escribes, que se borran 180 días después de darlas por resueltas, o con tu cuenta.",
          "Los avisos que presentas sobre una foto o sobre contenido ilegal, con cuenta o sin ella: tu nombre, tu dirección y tus palabras, que se borran 180 días después de la decisión. La foto que envías con el aviso se compara y nunca se guarda.",
        ],
        paragraphs: [
          "Las fotos se descodifican y se dibujan de nuevo al subirlas: el lugar, la cámara y la hora que iban ocultos en el archivo desaparecen antes de guardarlo.",
        ],
      },
      {
        title: "Tu posición",
        paragraphs: [
          "Tú eliges qué comunicas: un punto al azar alrededor de la ciudad (por defecto), un punto que arrastras en el mapa o la ubicación de tu dispositivo.",
          "Antes de enviar una posición, tu dispositivo toma el centro de la celda en la que estás. Las celdas son tuyas: dónde empiezan y acaban cambia de un miembro a otro, y ningún otro miembro puede saberlo. Una celda mide unos 550 metros, si no eliges 1,1 o 5,6 kilómetros. Nuestro servidor vuelve a hallar la celda. Nunca guardamos, registramos, ponemos en cola ni comunicamos las coordenadas en sí. Solo si eliges exacta, y lo confirmas, la celda mide unos 11 metros.",
          "Lo que ven los demás es un punto fijo en cada una de tus celdas, el mismo para todos y cada vez. Las distancias, el orden, el mapa, los mensajes de zona y los filtros usan esos puntos por ambas partes. Un cambio de celda se muestra cuando llevas 15 minutos en ella; un punto que arrastras, otra precisión o aparecer lejos puede mostrarse en el acto. Una posición se olvida 26 horas después de tu último aviso. Cuando te ocultas, ningún miembro te ve ni te cuenta desde la siguiente petición. Quien visita sin cuenta ve cuántos hombres hay en distritos enteros, a partir de diez y menos una parte al azar; se calcula una vez al día.",
          "Para que un lugar no salte entre dos celdas, recordamos qué celdas tuyas usó la ubicación de tu dispositivo, como mucho 16, cifradas, hasta medio año después del último día. Tu dispositivo recuerda los puntos donde se quedó quieto y nunca los envía. Un botón en Cuenta olvida ambas cosas.",
          "Lo que queda: quien ve tu marcador sabe que estás como mucho a una celda de él. En una zona con pocas casas una celda puede contener solo la tuya, y quien observe mucho tiempo puede ver en qué celdas te quedas. Elige allí celdas más grandes u ocúltate.",
        ],
      },
      {
        title: "Para qué lo usamos",
        paragraphs: [
          "Para aquello a lo que viniste: mostrarte a quienes pueden verte, entregar mensajes, cuidar la comunidad y responderte. No tenemos publicidad, no vendemos nada sobre ti y no hacemos perfiles tuyos para nadie. La base es el contrato entre nosotros, tu consentimiento para la ubicación y para lo que cuentas de salud y sexualidad, y nuestro interés legítimo en que el sitio sea seguro.",
        ],
      },
      {
        title: "Quién más lo recibe",
        items: [
          `Nuestras marcas hermanas ${sisters} comparten una sola comunidad con nosotros. Apareces allí solo si lo dijiste, en cada una, y puedes retirarlo cuando quieras.`,
          "Cloudflare lleva para nosotros las máquinas, la base de datos y el almacenamiento y entrega nuestro correo, con un contrato que prohíbe usar los datos de otro modo.",
          "Si activas los avisos push, los entrega el fabricante de tu navegador. Van cifrados y sin contenido: «Tienes un mensaje nuevo», nada más.",
          "Donde la ley exige una prueba de edad, tu propia cartera nos la muestra y nadie más se entera. Vemos que tienes más de 18 años y guardamos el día, el método y un número que impide que una prueba abra dos cuentas, mientras tengas tu cuenta. Miramos de qué país viene una petición y no lo guardamos.",
          "Las autoridades, cuando la ley nos obliga. Damos lo menos posible y te avisamos salvo que esté prohibido.",
        ],
        paragraphs: ["Las páginas no cargan nada de terceros: el mapa, las tipografías y las fotos salen de nosotros."],
      },
      {
        title: "Cookies y memoria de tu dispositivo",
        paragraphs: [
          "Ocho cookies, todas necesarias: una guarda tu sesión; otra solo dice que has entrado; otra nos permite reconocer este dispositivo, para que quien intente adivinar tu contraseña no te deje fuera; otra dice durante diez minutos que este dispositivo pidió un enlace; otra, donde hace falta una prueba de edad para registrarse, nombra esa prueba durante una hora; otra dice durante dieciséis segundos en qué parte del mundo escribiste por última vez y, cifrado, cuándo, para que leas lo que escribiste; y otra, llamada __Host-used, contiene resúmenes con clave de las últimas cuatro cuentas usadas en este dispositivo, para que quien fue expulsado no vuelva sin más. Una más, si pones un bloqueo, dice que este dispositivo está desbloqueado. Los scripts solo pueden leer la segunda y esta. Al salir se borran todas; en __Host-used solo se queda, como mucho 180 días, el resumen de una cuenta suspendida o expulsada. No nombra a nadie y nuestro servidor no guarda copia. Puedes borrarla en los ajustes del navegador. En la memoria del navegador guardamos tus preferencias (tema, idioma, NSFW, vista del mapa, el punto que arrastraste), tu propio perfil para empezar antes y los mensajes que esperan salir. Al salir de la cuenta se borra.",
        ],
      },
      {
        title: "Cuánto tiempo",
        items: [
          "Una línea anónima en el registro de moderación, que no nombra a nadie.",
          "Lo que se denunció, hasta que el caso esté resuelto y pasen los 30 días para recurrir. Una ficha sin nombre ni dirección ocupa tu lugar en él.",
          "Si un caso trata de un menor, o si lo piden la ley o nuestro equipo: una copia cifrada del caso y de lo que era la cuenta, durante un año. Solo se abre entre dos del equipo, y puede que no podamos decírtelo.",
          "Tras una expulsión, durante doce meses: resúmenes con clave de tu buzón y de tu cuenta, y resúmenes cifrados de tus fotos públicas. Se borran si se levanta la expulsión.",
          "Resúmenes de fotos que se retiraron a petición de alguien, sin dueño. El resumen de cualquier otra foto se borra con ella.",
          "Las copias de seguridad de la base de datos y de las fotos, que llegan 30 días atrás como mucho y solo sirven para reparar.",
        ],
        paragraphs: [
          "Mientras tengas la cuenta. Las posiciones vencidas se van en minutos, los enlaces a los diez minutos, las sesiones tras 180 días sin uso. Los esbozos con clave de tus primeros mensajes, de los que nadie puede leer el texto, se van a los 30 días. Cuando borras la cuenta es invisible en el acto, y a los 28 días se borran sus filas y sus fotos, salvo lo que se enumera aquí.",
        ],
      },
      {
        title: "Tus derechos",
        paragraphs: [
          "En Cuenta puedes ver y corregir tus datos, descargarlos todos en un ZIP que abren otros sitios de este software, retirar consentimientos (ubicación, marcas hermanas, avisos) y borrarlo todo. También puedes oponerte, pedir que limitemos lo que hacemos con tus datos y reclamar ante una autoridad de protección de datos. Escríbenos para lo que no hagan los botones: respondemos en 30 días.",
        ],
      },
      {
        title: "Seguridad",
        paragraphs: [
          "Todo viaja cifrado. Las contraseñas se guardan como resúmenes scrypt; los testigos de sesión y los enlaces, solo como resúmenes. En cada petición se comprueba qué puede ver quien la hace, fotos privadas incluidas. Los registros no contienen nombres, direcciones ni posiciones. Ningún sistema es perfecto: si alguna vez salieran datos tuyos, te lo diremos sin demora.",
        ],
      },
      {
        title: "Transferencia a Estados Unidos",
        paragraphs: [
          "El proyecto tiene su sede en Estados Unidos, y tus datos pueden tratarse allí y en los demás lugares donde nuestro proveedor tiene máquinas. Donde la ley de tu país lo pide, se apoya en las cláusulas contractuales tipo de la Comisión Europea y en el Marco de Privacidad de Datos.",
        ],
      },
      {
        title: "Solo adultos, y cambios",
        paragraphs: [
          "No guardamos a sabiendas datos de nadie menor de 18 años. Si esta política cambia en algo más que la redacción, te avisamos antes.",
          `Responsable: ${legalName}, ${operatorAddress}.`,
        ],
      },
    ],
  },
});
