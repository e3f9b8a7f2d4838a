import { defineCopy } from "@lambda/contract/copy";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useCopy } from "../../../format/i18n.ts";
import css from "./settings.module.css";

const travelCopy = defineCopy({
  en: {
    title: "Travel",
    text: "Trips that members there may see, and what protects you in countries that punish.",
    trips: "Your trips",
    here: "Where the law punishes",
  },
  es: {
    title: "Viajes",
    text: "Viajes que pueden ver los de allí, y qué te protege en países que castigan.",
    trips: "Tus viajes",
    here: "Donde la ley castiga",
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
