import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { clearAllLocalData } from "../../../device/clear-local-data.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { settingsCopy } from "../copy.ts";
import { ConfirmSheet } from "./ConfirmSheet.tsx";
import { IdentityConfirmation, useIdentityConfirmation } from "./IdentityConfirmation.tsx";
import css from "./settings.module.css";

export function DeleteAccount({ settings }: { settings: Settings }) {
  const { deletion: copy, account } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const confirmation = useIdentityConfirmation(settings);
  const remove = trpc.deletion.request.useMutation({
    onSuccess: async ({ tsPurge }) => {
      const day = new Date(tsPurge).toLocaleDateString(locale, { dateStyle: "long" });
      await clearAllLocalData();
      goTo("/login", { replace: true });
      toast({ text: copy.done(day), ms: 10_000 });
    },
  });
  return (
    <>
      <div>
        <Button icon="trash" onClick={() => setOpen(true)}>
          {copy.action}
        </Button>
      </div>
      <ConfirmSheet
        open={open}
        onClose={() => setOpen(false)}
        title={copy.confirmTitle}
        action={
          <Button
            variant="danger"
            disabled={!confirmation.isGiven}
            busy={remove.isPending}
            onClick={() => remove.mutate(confirmation.proof)}
          >
            {copy.yes}
          </Button>
        }
      >
        <p>{copy.confirmText}</p>
        <p className={css.muted}>{copy.text}</p>
        <IdentityConfirmation settings={settings} confirmation={confirmation} needsLink={account.needsLink} />
        {remove.isError && (
          <Banner tone="danger" role="alert">
            {copy.failed} {errorText(remove.error)}
          </Banner>
        )}
      </ConfirmSheet>
    </>
  );
}
