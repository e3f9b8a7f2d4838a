import type { SessionContext } from "@lambda/contract/accounts";
import { Problem } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { defineCopyHook } from "../format/i18n.ts";
import { dateAndTime } from "../format/time.ts";

const useStandingCopy = defineCopyHook({
  en: {
    suspended: (until: string) => `Your account is suspended until ${until}.`,
    banned: "Your account is banned from this site.",
    more: "See why",
  },
  es: {
    suspended: (until: string) => `Tu cuenta está suspendida hasta el ${until}.`,
    banned: "Te expulsaron de este sitio.",
    more: "Ver por qué",
  },
});

export default function StandingNotice({ status, until }: NonNullable<SessionContext["standing"]>) {
  const copy = useStandingCopy();
  return (
    <Problem
      tone="warn"
      action={<Link href="/games/dungeon">{copy.more}</Link>}
      text={status === "suspended" && until ? copy.suspended(dateAndTime(until)) : copy.banned}
    />
  );
}
