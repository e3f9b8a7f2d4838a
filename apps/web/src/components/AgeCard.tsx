import type { AgeRule } from "@lambda/contract/age";
import { defineCopy } from "@lambda/contract/copy";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useCopy } from "../format/i18n.ts";

const copyOfCard = defineCopy({
  en: {
    proof: "Where you are, explicit pictures stay pixelated until your age is proved.",
    closed: "Where you are, explicit pictures stay pixelated.",
    prove: "Prove your age",
  },
  es: {
    proof: "Donde estás, las fotos explícitas siguen pixeladas hasta que pruebes tu edad.",
    closed: "Donde estás, las fotos explícitas siguen pixeladas.",
    prove: "Probar tu edad",
  },
});

/** Why pictures are pixelated here, and the way to see them. */
export default function AgeCard({ rule }: { rule: Exclude<AgeRule, "open"> }) {
  const copy = useCopy(copyOfCard);
  return <Banner action={rule === "proof" && <Button href="/age">{copy.prove}</Button>}>{copy[rule]}</Banner>;
}
