import { Banner } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { defineCopyHook } from "../format/i18n.ts";
import { useSession } from "../session/session.ts";

const useHidingCopy = defineCopyHook({
  en: {
    hiding: "You're hiding: nobody sees you.",
    toMap: "Show yourself on the map",
    discreet: "You're discreet: only guys you like, write to or open your album to see you.",
    toSettings: "Who sees you",
  },
  es: {
    hiding: "Estás oculto: nadie te ve.",
    toMap: "Muéstrate en el mapa",
    discreet: "Modo discreto: solo te ven los hombres que te gustan, a quienes escribes o abres tu álbum.",
    toSettings: "Quién te ve",
  },
});

export function HidingNotice() {
  const copy = useHidingCopy();
  const { context } = useSession();
  if (context?.hidden) return <Banner action={<Link href="/search/map">{copy.toMap}</Link>}>{copy.hiding}</Banner>;
  if (!context?.discreet) return null;
  return <Banner action={<Link href="/settings#visibility">{copy.toSettings}</Link>}>{copy.discreet}</Banner>;
}
