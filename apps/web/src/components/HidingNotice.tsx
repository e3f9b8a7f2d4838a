import { defineCopy } from "@lambda/contract/copy";
import { Banner } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { useCopy } from "../format/i18n.ts";
import { useSession } from "../session/session.ts";

const hidingCopy = defineCopy({
  en: { hiding: "You are hiding: nobody sees you.", toMap: "Show yourself on the map" },
  es: { hiding: "Estás oculto: nadie te ve.", toMap: "Mostrarte en el mapa" },
});

/** Reminds hidden members on search screens that nobody can see them. */
export function HidingNotice() {
  const copy = useCopy(hidingCopy);
  const { context } = useSession();
  if (!context?.hidden) return null;
  return <Banner action={<Link href="/search/map">{copy.toMap}</Link>}>{copy.hiding}</Banner>;
}
