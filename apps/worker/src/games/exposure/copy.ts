import { defineCopy } from "@lambda/contract/copy";

export const exposureCopy = defineCopy({
  en: {
    notice: "Someone you've been in touch with suggests that you get tested for STIs. This was sent anonymously.",
  },
  es: { notice: "Alguien con quien tuviste contacto te sugiere que te hagas pruebas de ITS. El aviso es anónimo." },
});
