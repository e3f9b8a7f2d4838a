import type { AgeRule } from "@lambda/contract/age";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { defineCopyHook } from "../format/i18n.ts";

const useAgeCardCopy = defineCopyHook({
  en: {
    proof: "Where you are, explicit pictures stay pixelated until you prove your age.",
    closed: "Where you are, explicit pictures stay pixelated.",
    prove: "Prove your age",
  },
  es: {
    proof: "Donde estás, las fotos explícitas salen pixeladas hasta que demuestres tu edad.",
    closed: "Donde estás, las fotos explícitas salen pixeladas.",
    prove: "Demuestra tu edad",
  },
});

export default function AgeCard({ rule }: { rule: Exclude<AgeRule, "open"> }) {
  const copy = useAgeCardCopy();
  return <Banner action={rule === "proof" && <Button href="/age" label={copy.prove} />}>{copy[rule]}</Banner>;
}
