import { defineCopyHook } from "../../../format/i18n.ts";

export const usePrecisionCopy = defineCopyHook({
  en: {
    options: {
      street: { label: "Street", help: "About 1,800 ft (550 m). Right for most guys." },
      district: { label: "District", help: "About 0.7 mile (1.1 km)." },
      city: { label: "City", help: "About 3.5 miles (5.5 km). In the countryside a wide square hides you better." },
      exact: { label: "Exact", help: "About 36 ft (11 m), in walk mode only." },
    },
  },
  es: {
    options: {
      street: { label: "Calle", help: "Unos 550 m. Bien para la mayoría." },
      district: { label: "Barrio", help: "Unos 1,1 km." },
      city: { label: "Ciudad", help: "Unos 5,5 km. En el campo, un cuadrado grande te esconde mejor." },
      exact: { label: "Exacto", help: "Unos 11 m, solo a pie." },
    },
  },
});
