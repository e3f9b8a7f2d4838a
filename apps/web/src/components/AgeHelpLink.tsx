import { Link } from "@lambda/ui/link";
import { defineCopyHook } from "../format/i18n.ts";
import { useSession } from "../session/session.ts";

const useAgeHelpCopy = defineCopyHook({
  en: { why: "Pixelated? Find out why" },
  es: { why: "¿Pixelada? Mira por qué" },
});

/** A link to the proof of age, for pictures that may or may not be pixelated. */
export default function AgeHelpLink() {
  const { why } = useAgeHelpCopy();
  if ((useSession().context?.explicitPictures ?? "open") === "open") return null;
  return <Link href="/age">{why}</Link>;
}
