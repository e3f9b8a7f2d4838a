import { isolate } from "@lambda/contract/isolate";
import { defineCopyHook } from "../../../../format/i18n.ts";

export const useOpeningCopy = defineCopyHook({
  en: {
    title: (brand: string) => `Before ${brand} opens`,
    lead: "Visitors see only that this site isn't open yet. Tick each point once it's done; the audit log keeps who did and when. COMPLIANCE.md says which law asks for it.",
    by: (name: string, day: string) => `Ticked by ${isolate(name)}, ${day}`,
    ticked: (day: string) => `Ticked ${day}`,
    see: "Look at it",
    left: (count: number) => (count === 1 ? "1 point is left." : `${count} points are left.`),
    open: (brand: string) => `Open ${brand}`,
    sure: "From then on anyone can see the site and register. It can't be closed again this way.",
    unreachable: "It can't open yet: the legal notice lacks the contacts named above.",
    opened: (brand: string) => `${brand} is open.`,
    team: "Who may register before",
    teamText: "A second admin and those who will judge reports need accounts first. Other addresses get no mail.",
    email: "Email",
    invite: "Let in",
    remove: (mailbox: string) => `No longer let in ${mailbox}`,
    steps: {
      mail: {
        title: "Mail arrives",
        text: "You logged in by a mailed link, at two large providers it was no spam, and a larger daily quota is requested (OPERATIONS.md, Mail).",
      },
      keys: {
        title: "The keys are stored away",
        text: "deployment/ is in two places outside the account, its passphrase elsewhere, and a second person knows where. Nightly backups run (OPERATIONS.md, First day, Backup).",
      },
      contact: {
        title: "Contact points and representative",
        text: "Authorities and members can write to someone, and the representative in the EU is named if you need one (law/contact-points.md).",
      },
      imprint: {
        title: "Legal notice",
        text: "It names who runs the site, with a postal address and whatever your country asks for besides.",
      },
      terms: {
        title: "Terms and privacy policy",
        text: "You read both, adapted them, and a lawyer read them too (law/terms.md).",
      },
      processing: {
        title: "Record of processing and impact assessment",
        text: "Both are filled in and dated, and processor contracts are signed (law/record-of-processing.md, law/data-protection-impact-assessment.md).",
      },
      ages: {
        title: "Age checks",
        text: "You decided where a proof of age is needed and where the site stays closed, and tried it (OPERATIONS.md, Ages).",
      },
      risks: {
        title: "Risk and children's access assessments",
        text: "They're written where the law asks for them, and the safety policy is complete (law/README.md).",
      },
      duty: {
        title: "People on duty",
        text: "Two admins, and someone every day for notices with 48 hours; registered with NCMEC; hash lists decided on (law/README.md).",
      },
      countries: {
        title: "Countries that punish",
        text: "The safety officer read the list of countries and help lines (OPERATIONS.md, Each year).",
      },
    },
  },
  es: {
    title: (brand) => `Antes de abrir ${brand}`,
    lead: "Quien visita el sitio solo ve que todavía no está abierto. Marca cada punto cuando esté hecho; el registro guarda quién lo hizo y cuándo. COMPLIANCE.md dice qué ley lo exige.",
    by: (name, day) => `Marcado por ${isolate(name)}, ${day}`,
    ticked: (day) => `Marcado el ${day}`,
    see: "Verlo",
    left: (count) => (count === 1 ? "Falta 1 punto." : `Faltan ${count} puntos.`),
    open: (brand) => `Abrir ${brand}`,
    sure: "Desde entonces cualquiera puede ver el sitio y registrarse. No se puede volver a cerrar de esta manera.",
    unreachable: "Todavía no se puede abrir: al aviso legal le faltan los contactos nombrados arriba.",
    opened: (brand) => `${brand} está abierto.`,
    team: "Quién puede registrarse antes",
    teamText:
      "Un segundo administrador y quienes vayan a juzgar denuncias necesitan antes una cuenta. Otras direcciones no reciben correo.",
    email: "Correo electrónico",
    invite: "Dejar entrar",
    remove: (mailbox) => `Dejar de admitir ${mailbox}`,
    steps: {
      mail: {
        title: "El correo llega",
        text: "Entraste con un enlace, en dos proveedores grandes no cayó en el correo no deseado, y pediste una cuota diaria mayor (OPERATIONS.md, Mail).",
      },
      keys: {
        title: "Las claves están a salvo",
        text: "deployment/ está en dos lugares fuera de la cuenta, su contraseña en otro, y una segunda persona sabe dónde. Hay copias cada noche (OPERATIONS.md, First day, Backup).",
      },
      contact: {
        title: "Puntos de contacto y representante",
        text: "Las autoridades y los miembros pueden escribir a alguien, y consta el representante en la UE si hace falta (law/contact-points.md).",
      },
      imprint: {
        title: "Aviso legal",
        text: "Nombra a quien lleva el sitio, con dirección postal y lo demás que exija tu país.",
      },
      terms: {
        title: "Condiciones y privacidad",
        text: "Leíste y adaptaste ambos textos, y también los leyó un abogado (law/terms.md).",
      },
      processing: {
        title: "Registro de tratamientos y evaluación de impacto",
        text: "Ambos están completos y fechados, y los contratos de encargo firmados (law/record-of-processing.md, law/data-protection-impact-assessment.md).",
      },
      ages: {
        title: "Pruebas de edad",
        text: "Decidiste dónde hace falta una prueba de edad y dónde el sitio no abre, y lo probaste (OPERATIONS.md, Ages).",
      },
      risks: {
        title: "Evaluaciones de riesgos y de acceso de menores",
        text: "Están escritas donde la ley las exige, y la política de seguridad está completa (law/README.md).",
      },
      duty: {
        title: "Personas de guardia",
        text: "Dos administradores, y cada día alguien para los avisos con 48 horas; alta en NCMEC; decidido qué listas de fotos se usan (law/README.md).",
      },
      countries: {
        title: "Países que castigan",
        text: "La persona responsable de seguridad leyó la lista de países y de líneas de ayuda (OPERATIONS.md, Each year).",
      },
    },
  },
});
