import { defineCopy } from "@lambda/contract/copy";
import { Link } from "@lambda/ui/link";
import { useCopy } from "../format/i18n.ts";

const copyOfText = defineCopy({
  en: { why: "Pixelated? Why, and what helps" },
  es: { why: "¿Pixelada? Por qué y qué ayuda" },
});

export default function AgeText() {
  return <Link href="/age">{useCopy(copyOfText).why}</Link>;
}
