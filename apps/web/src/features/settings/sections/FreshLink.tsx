import { Button } from "@lambda/ui/button";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { rememberReturn } from "../../../routing/navigation.ts";
import { settingsCopy } from "../copy.ts";
import css from "./settings.module.css";

/** He has an account, so he accepted them; the text that he saw then is kept with it. */
const ACCEPTED_BEFORE = "cookies; adult; geolocation";

/** The other way to prove himself: a login link to his own mailbox. It leads back to this page. */
export function FreshLink({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { account: copy } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const request = trpc.accounts.register.useMutation();
  const send = () => {
    rememberReturn("/settings");
    request.mutate({ email, acknowledgements: ACCEPTED_BEFORE, locale });
  };
  return (
    <div className={css.stack}>
      {!hasPassword && <p className={css.muted}>{copy.needsLink}</p>}
      {request.isSuccess ? (
        <p role="status">{copy.linkSent}</p>
      ) : (
        <div>
          <Button icon="mail" busy={request.isPending} onClick={send}>
            {copy.sendLink}
          </Button>
        </div>
      )}
    </div>
  );
}
