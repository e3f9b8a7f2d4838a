import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { useEmailConfirmation } from "../use-email-confirmation.ts";
import { ConfirmSheet } from "./ConfirmSheet.tsx";

/** Asks whether to use a new address, and shows the result. Outside of the account's form, because the proof is a form too. */
export function EmailConfirmation({ settings }: { settings: Settings }) {
  const { account: copy, saveFailed } = useCopy(settingsCopy);
  const { state, address, problem, busy, accept, stop, close, dialog } = useEmailConfirmation(settings);
  if (state === "none") return null;
  if (state === "done") {
    return (
      <Banner tone="success" role="status">
        {copy.emailConfirmed}
      </Banner>
    );
  }
  if (state !== "asks") {
    return (
      <Banner tone="danger" role="alert">
        {state === "taken" ? saveFailed : copy.emailConfirmFailed}
      </Banner>
    );
  }
  return (
    <>
      <ConfirmSheet
        open
        onClose={close}
        title={copy.emailUse(address)}
        action={
          <Button variant="primary" busy={busy} onClick={accept}>
            {copy.emailUseYes}
          </Button>
        }
      >
        <p>{copy.emailUseText}</p>
        {problem && (
          <Banner tone="danger" role="alert">
            {problem}
          </Banner>
        )}
        <div>
          <Button variant="quiet" onClick={stop}>
            {copy.emailUseStop}
          </Button>
        </div>
      </ConfirmSheet>
      {dialog}
    </>
  );
}
