import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { clearAllLocalData } from "../../../device/clear-local-data.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { settingsCopy } from "../copy.ts";
import { FreshLink } from "./FreshLink.tsx";
import css from "./settings.module.css";

export function DeleteAccount({ settings }: { settings: Settings }) {
  const { deletion: copy, account, close, cancel } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [currentPassword, setCurrentPassword] = useState("");
  const remove = trpc.deletion.request.useMutation({
    onSuccess: async ({ tsPurge }) => {
      const day = new Date(tsPurge).toLocaleDateString(locale, { dateStyle: "long" });
      await clearAllLocalData();
      goTo("/login", { replace: true });
      toast({ text: copy.done(day), ms: 10_000 });
    },
  });
  const proven = settings.freshLink || currentPassword !== "";
  return (
    <>
      <div>
        <Button icon="trash" onClick={() => setOpen(true)}>
          {copy.action}
        </Button>
      </div>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={copy.confirmTitle}
        closeLabel={close}
        footer={
          <div className={css.actions}>
            <Button onClick={() => setOpen(false)}>{cancel}</Button>
            <Button
              variant="danger"
              disabled={!proven}
              busy={remove.isPending}
              onClick={() => remove.mutate(currentPassword === "" ? {} : { currentPassword })}
            >
              {copy.yes}
            </Button>
          </div>
        }
      >
        <div className={css.stack}>
          <p>{copy.confirmText}</p>
          <p className={css.muted}>{copy.text}</p>
          {!settings.freshLink && settings.hasPassword && (
            <TextField
              label={account.current}
              type="password"
              autoComplete="current-password"
              value={currentPassword}
              onChange={(event) => setCurrentPassword(event.target.value)}
            />
          )}
          {!settings.freshLink && <FreshLink email={settings.email} hasPassword={settings.hasPassword} />}
          {remove.isError && (
            <Banner tone="danger" role="alert">
              {copy.failed} {errorText(remove.error)}
            </Banner>
          )}
        </div>
      </Sheet>
    </>
  );
}
