import type { AgeRule } from "@lambda/contract/age";
import { defineCopy } from "@lambda/contract/copy";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useCopy } from "../format/i18n.ts";

const ageCardCopy = defineCopy({
  en: {
    proof: "Where you are, explicit pictures stay pixelated until you prove your age.",
    closed: "Where you are, explicit pictures stay pixelated.",
    prove: "Prove your age",
  },
  es: {
    proof: "Donde estás, las fotos explícitas siguen pixeladas hasta que demuestres tu edad.",
    closed: "Donde estás, las fotos explícitas siguen pixeladas.",
    prove: "Demostrar tu edad",
  },
});

export default function AgeCard({ rule }: { rule: Exclude<AgeRule, "open"> }) {
  const copy = useCopy(ageCardCopy);
  return <Banner action={rule === "proof" && <Button href="/age" label={copy.prove} />}>{copy[rule]}</Banner>;
}
