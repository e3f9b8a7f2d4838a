import type { Settings } from "@lambda/contract/settings";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { currentAddress } from "../../../routing/address.ts";
import { isDeclined, useOwnerProof } from "../proof/use-owner-proof.tsx";
import { accountPath } from "./account-pages.ts";

/** Codes are removed from the address at once, and a screen may mount twice. */
let openedCode: string | null = null;

/**
 * Asks about the new address if the page was opened by the link in its mail. Sends nothing before the member agrees:
 * the link may come from somebody else.
 */
export function useEmailConfirmation({ email, emailPending }: Settings) {
  const [code, setCode] = useState(() => new URLSearchParams(currentAddress().search).get("confirm") ?? openedCode);
  useEffect(() => {
    openedCode = code;
    if (currentAddress().search.includes("confirm=")) history.replaceState(history.state, "", accountPath("login"));
  }, [code]);

  const utils = trpc.useUtils();
  const proof = useOwnerProof({ keepsEmailChange: true });
  const accept = useMutation({
    mutationFn: (agreed: { token: string; email: string }) =>
      proof.run(() => trpcClient.settings.confirmEmail.mutate(agreed)),
    onSuccess: () => {
      openedCode = null;
      return utils.settings.get.invalidate();
    },
  });
  const stop = trpc.settings.update.useMutation({
    onSuccess: (next) => {
      utils.settings.get.setData(undefined, next);
      setCode(null);
    },
  });
  const state = stateOf(code !== null, emailPending !== null, accept);
  return {
    state,
    address: emailPending ?? "",
    /** Why the last try failed, if another one may succeed. */
    problem: state === "asks" && accept.error && !isDeclined(accept.error) ? errorText(accept.error) : null,
    busy: accept.isPending,
    accept: () => accept.mutate({ token: code ?? "", email: emailPending ?? "" }),
    stop: () => stop.mutate({ email }),
    close: () => setCode(null),
    dialog: proof.dialog,
  };
}

function stateOf(hasCode: boolean, isPending: boolean, { isSuccess, error }: { isSuccess: boolean; error: unknown }) {
  if (isSuccess) return "done";
  if (!hasCode) return "none";
  const errorCode = errorCodeOf(error);
  if (errorCode === "CONFLICT") return "taken";
  return errorCode === "LINK_EXPIRED" || !isPending ? "failed" : "asks";
}
