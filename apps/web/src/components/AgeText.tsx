import { defineCopy } from "@lambda/contract/copy";
import { Link } from "@lambda/ui/link";
import { useCopy } from "../format/i18n.ts";
import { useSession } from "../session/session.ts";

const copyOfText = defineCopy({
  en: { why: "Pixelated? Why, and what helps" },
  es: { why: "¿Pixelada? Por qué y qué ayuda" },
});

/** The card in a line, below pictures of which nobody here knows whether they are pixelated. */
export default function AgeText() {
  const { why } = useCopy(copyOfText);
  if ((useSession().context?.explicitPictures ?? "open") === "open") return null;
  return <Link href="/age">{why}</Link>;
}
