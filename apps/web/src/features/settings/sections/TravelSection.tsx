import { defineCopy } from "@lambda/contract/copy";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useCopy } from "../../../format/i18n.ts";
import css from "./settings.module.css";

const travelCopy = defineCopy({
  en: {
    title: "Travel",
    text: "Your trips, which you can show to members there, and what protects you in countries where being gay is punished.",
    trips: "Your trips",
    here: "Where being gay is punished",
  },
  es: {
    title: "Viajes",
    text: "Tus viajes, que puedes mostrar a los miembros de allí, y lo que te protege en países donde se castiga ser gay.",
    trips: "Tus viajes",
    here: "Donde se castiga ser gay",
  },
});

/** Account page section: links to the travel pages. */
export function TravelSection() {
  const copy = useCopy(travelCopy);
  return (
    <FormSection title={copy.title} text={copy.text}>
      <div className={css.actions}>
        <Button href="/travel">{copy.trips}</Button>
        <Button href="/travel/here">{copy.here}</Button>
      </div>
    </FormSection>
  );
}
