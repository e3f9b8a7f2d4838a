import type { LegalText } from "./legal-text.ts";

/** One long text: a function, as it names the brand. */
export const termsEs: LegalText = ({ name, legalName, operatorAddress, sisters }) => ({
  terms: {
    title: "Condiciones del servicio",
    lead: `${name} es una comunidad de hombres gais que llevan los voluntarios de ${legalName}. Estas condiciones son el acuerdo entre tú y nosotros. Al abrir una cuenta las aceptas.`,
    sections: [
      {
        title: "1. Hay que tener 18 años",
        paragraphs: [
          "Debes tener al menos 18 años y ser mayor de edad donde vives. Los miembros pueden mostrar desnudos. Cerramos la cuenta de quien sea menor y comunicamos a las autoridades lo que la ley nos manda.",
        ],
      },
      {
        title: "2. Tu cuenta",
        paragraphs: ["Una cuenta es para una persona. Respondes de lo que se haga con ella. En particular:"],
        items: [
          "Regístrate con una dirección que sea tuya y mantenla en orden: es tu camino de vuelta.",
          "Guarda para ti la contraseña y los enlaces, y sal de la cuenta en dispositivos que usen otros. En Cuenta ves cada dispositivo con sesión y puedes cerrar cualquiera.",
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
        title: "6. Quedar con gente",
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
          "Tu cuenta: correo electrónico, el nombre para nuestras cartas, una forma cifrada de tu contraseña si la pusiste, tu idioma y el texto de lo que aceptaste al registrarte.",
          "Tu perfil, en lo que lo rellenes: nombre, fecha de nacimiento (los demás solo ven la edad), altura, peso, palabras, características, fotos y datos de salud con el público que elijas para cada uno.",
          "Lo que haces aquí: me gusta, notas y etiquetas (solo tú las lees), bloqueos, mensajes, votos y denuncias.",
          "Dispositivos: el tipo de navegador y sistema («Chrome on Android») y cuándo se usó cada sesión. Ni huella digital ni identificador publicitario.",
          "Las cartas que nos escribes.",
          "Los avisos que presentas sobre una foto o sobre contenido ilegal, con cuenta o sin ella: tu nombre, tu dirección y tus palabras, que se borran 180 días después de la decisión. La foto que envías con el aviso se compara y nunca se guarda.",
        ],
        paragraphs: [
          "Las fotos se descodifican y se dibujan de nuevo al subirlas: el lugar, la cámara y la hora que iban ocultos en el archivo desaparecen antes de guardarlo.",
        ],
      },
      {
        title: "Tu posición",
        paragraphs: [
          "Tú eliges qué comunicas: un punto repartido por la ciudad (lo normal), un punto que arrastras en el mapa o la ubicación de tu dispositivo.",
          "Antes de enviar una posición, tu dispositivo la redondea a una celda de una cuadrícula fija: unos 550 metros, si no eliges 1,1 o 5 kilómetros. Nuestro servidor la redondea otra vez. Nunca guardamos, registramos, ponemos en cola ni comunicamos las coordenadas en sí. Solo si eliges exacta, y lo confirmas, la celda mide unos pocos metros.",
          "Lo que ven los demás es un punto sorteado dentro de esa celda, el mismo para todos. Las distancias, el orden, el mapa, los mensajes de zona y los filtros usan esos puntos por ambas partes. Un movimiento se muestra cuando llevas como mucho 15 minutos en un sitio, y una posición se olvida 26 horas después de tu último aviso. Cuando te ocultas, nadie te ve ni te cuenta desde la siguiente petición.",
          "Lo que queda: en una zona con pocas casas una celda puede contener solo la tuya, y quien observe mucho tiempo puede ver por qué celdas te mueves. Elige allí celdas más grandes u ocúltate.",
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
          "Donde la ley exige una prueba de edad, tu propia cartera nos la muestra y nadie más se entera. Vemos que tienes más de 18 años y guardamos el día, el método y un número que impide que una prueba abra dos cuentas, mientras tengas tu cuenta. De qué país viene una petición se mira y no se guarda.",
          "Las autoridades, cuando la ley nos obliga. Damos lo menos posible y te avisamos salvo que esté prohibido.",
        ],
        paragraphs: ["Las páginas no cargan nada de terceros: el mapa, las letras y las fotos salen de nosotros."],
      },
      {
        title: "Cookies y memoria de tu dispositivo",
        paragraphs: [
          "Cinco cookies, todas necesarias: una guarda tu sesión; otra solo dice que has entrado; otra nos permite reconocer este dispositivo, para que quien intente adivinar tu contraseña no te deje fuera; otra dice durante diez minutos que este dispositivo pidió un enlace; y otra, donde hace falta una prueba de edad para registrarse, nombra esa prueba durante una hora. Los scripts solo pueden leer la segunda, y al salir se borran todas. En la memoria del navegador guardamos tus preferencias (tema, idioma, NSFW, vista del mapa, el punto que arrastraste), tu propio perfil para empezar antes y los mensajes que esperan salir. Al salir de la cuenta se borra.",
        ],
      },
      {
        title: "Cuánto tiempo",
        paragraphs: [
          "Mientras tengas la cuenta. Las posiciones caducadas se van en minutos, los enlaces a los diez minutos, las sesiones tras 180 días sin uso. Cuando borras la cuenta es invisible en el acto, y a los 28 días se borra cada fila, cada foto y cada versión suya. Lo que queda es una línea anónima en el registro de moderación, que no nombra a nadie.",
        ],
      },
      {
        title: "Tus derechos",
        paragraphs: [
          "En Cuenta puedes ver y corregir tus datos, descargarlos todos en un ZIP, retirar consentimientos (ubicación, marcas hermanas, avisos) y borrarlo todo. También puedes oponerte, pedir que limitemos lo que hacemos con tus datos y reclamar ante una autoridad de protección de datos. Escríbenos para lo que no hagan los botones: respondemos en 30 días.",
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
