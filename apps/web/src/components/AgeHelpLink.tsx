import { defineCopy } from "@lambda/contract/copy";
import { Link } from "@lambda/ui/link";
import { useCopy } from "../format/i18n.ts";
import { useSession } from "../session/session.ts";

const ageHelpCopy = defineCopy({
  en: { why: "Pixelated? Find out why" },
  es: { why: "¿Pixelada? Descubre por qué" },
});

/** A link to the proof of age, for pictures that may or may not be pixelated. */
export default function AgeHelpLink() {
  const { why } = useCopy(ageHelpCopy);
  if ((useSession().context?.explicitPictures ?? "open") === "open") return null;
  return <Link href="/age">{why}</Link>;
}
