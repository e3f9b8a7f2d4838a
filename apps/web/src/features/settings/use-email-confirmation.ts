import { useEffect, useRef, useState } from "react";
import { errorCodeOf } from "../../api/error-body.ts";
import { trpc } from "../../api/trpc.ts";

/** The last code that was sent. Codes work once, and a screen may mount twice. */
let triedCode: string | null = null;

/** Confirms a new email address if the page was opened by the link in its confirmation mail. */
export function useEmailConfirmation(): "none" | "done" | "taken" | "failed" {
  const [code] = useState(() => new URLSearchParams(location.search).get("confirm"));
  const utils = trpc.useUtils();
  const confirm = trpc.settings.confirmEmail.useMutation({
    onSuccess: () => utils.settings.get.invalidate(),
  });
  const run = useRef(confirm.mutate);
  useEffect(() => {
    if (!code || code === triedCode) return;
    triedCode = code;
    history.replaceState(history.state, "", location.pathname);
    run.current({ token: code });
  }, [code]);
  if (confirm.isError) return errorCodeOf(confirm.error) === "CONFLICT" ? "taken" : "failed";
  return confirm.isSuccess ? "done" : "none";
}
