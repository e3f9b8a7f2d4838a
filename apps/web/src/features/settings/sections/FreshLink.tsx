import { Button } from "@lambda/ui/button";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { rememberReturn } from "../../../routing/navigation.ts";
import { settingsCopy } from "../copy.ts";

/** Whoever has an account accepted them; the text that was shown then is kept with it. */
const ACCEPTED_BEFORE = "cookies; adult; geolocation";

/** The other proof of identity: a login link to the member's own mailbox. It leads back to this page. */
export function FreshLink({ email }: { email: string }) {
  const { account: copy } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const request = trpc.accounts.register.useMutation();
  const send = () => {
    rememberReturn("/settings");
    request.mutate({ email, acknowledgements: ACCEPTED_BEFORE, locale });
  };
  if (request.isSuccess) return <p role="status">{copy.linkSent}</p>;
  return (
    <div>
      <Button icon="mail" busy={request.isPending} onClick={send}>
        {copy.sendLink}
      </Button>
    </div>
  );
}
