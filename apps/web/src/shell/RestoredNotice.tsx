import { Banner } from "@lambda/ui/banner";
import { defineCopyHook } from "../format/i18n.ts";
import { dateAndTime } from "../format/time.ts";

const useRestoredCopy = defineCopyHook({
  en: {
    text: (time: string) =>
      `Something broke, and this site went back to ${time}. What was written or changed after that is lost; blocks, deletions and hiding hold.`,
  },
  es: {
    text: (time) =>
      `Algo se rompió y este sitio volvió al ${time}. Lo que se escribió o cambió después se perdió; los bloqueos, las bajas y lo que ocultaste siguen en pie.`,
  },
});

/** Says to which hour a restore brought the site back. Loaded only in the days after one. */
export default function RestoredNotice({ to }: { to: string }) {
  return <Banner tone="warn">{useRestoredCopy().text(dateAndTime(to))}</Banner>;
}
