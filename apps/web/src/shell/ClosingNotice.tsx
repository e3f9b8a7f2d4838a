import { Banner } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { currentLocale, defineCopyHook } from "../format/i18n.ts";

const useClosingCopy = defineCopyHook({
  en: {
    text: (day: string) => `This site closes on ${day}. Then everything is erased.`,
    download: "Download my data",
  },
  es: {
    text: (day) => `Este sitio cierra el ${day}. Entonces se borra todo.`,
    download: "Descargar mis datos",
  },
});

/** The end of the site, which cannot be put away. Loaded only by a site that closes. */
export default function ClosingNotice({ day, isMember }: { day: string; isMember: boolean }) {
  const copy = useClosingCopy();
  const shown = new Date(day).toLocaleDateString(currentLocale(), { dateStyle: "long", timeZone: "UTC" });
  return (
    <Banner tone="warn" action={isMember && <Link href="/settings#data">{copy.download}</Link>}>
      {copy.text(shown)}
    </Banner>
  );
}
