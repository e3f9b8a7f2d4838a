import { findInputProblem } from "@lambda/contract/input-problems";
import { PASSWORD_MIN_CHARS, SETTINGS_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import type { Settings, SettingsUpdate } from "@lambda/contract/settings";
import { asAddress } from "@lambda/contract/typed";
import { useToast } from "@lambda/ui/toast";
import { useRef, useState } from "react";
import { wrongInputText } from "../../../api/code-text.ts";
import { errorBodyOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useOwnerProof } from "../proof/use-owner-proof.tsx";
import { useSettingsCopy } from "./copy.ts";
import { useTakeBack } from "./sections/use-take-back.tsx";

/**
 * The form for name, email address and password with its validation. Saving may ask for a proof of identity. Sends only what was changed
 * here, because another tab may have changed the rest.
 */
export function useAccountForm(settings: Settings) {
  const stored = { name: settings.name, email: settings.emailPending ?? settings.email, password: "", repeat: "" };
  const [edits, setEdits] = useState<Partial<typeof stored>>({});
  const fields = { ...stored, ...edits };
  const [tried, setTried] = useState(false);
  const proof = useOwnerProof();
  const save = useSaveAccount(() => setTried(false));
  const pending = useRef<(keep: number[]) => unknown>(undefined);
  const takeBack = useTakeBack(useSettingsCopy().save, (keep) => void pending.current?.(keep));

  const invalid = problemsOf(fields);

  const submit = () => {
    const { name, email, password } = fields;
    setTried(true);
    if (Object.values(invalid).includes(true)) return;
    const changes = {
      ...(name !== stored.name && { name }),
      // Does not resend an address that awaits confirmation: that would require a proof and send another mail.
      ...(asAddress(email) !== stored.email && { email }),
      ...(password !== "" && { password }),
    };
    const dropSent = () => setEdits((now) => omitEqual(now, edits));
    const send = (keep: number[]) =>
      // Errors are shown at their fields.
      proof.run(() => save.mutateAsync({ ...changes, keep }).then(dropSent)).catch(() => undefined);
    // The sheet asks while `changes` are those that were checked.
    pending.current = send;
    if (password === "") void send([]);
    else takeBack.start();
  };
  return {
    fields,
    set: (changed: Partial<typeof stored>) => setEdits((previous) => ({ ...previous, ...changed })),
    submit,
    saving: save.isPending,
    takeBack: takeBack.sheet,
    dialog: proof.dialog,
    invalid: {
      name: tried && invalid.name,
      email: tried && invalid.email,
      repeat: invalid.repeat && (tried || fields.repeat !== ""),
    },
    problem: useSaveProblem(save.error, save.variables),
  };
}

/** What was typed while the form was being saved stays. */
const omitEqual = <Fields extends object>(now: Fields, sent: Fields) =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Fields]),
  ) as Partial<Fields>;

const problemsOf = (fields: { name: string; email: string; password: string; repeat: string }) => ({
  name: fields.name.trim() === "",
  email: !/[@＠]/.test(fields.email),
  repeat: fields.password !== fields.repeat,
});

function useSaveAccount(onSaved: () => void) {
  const { saved } = useSettingsCopy();
  const toast = useToast();
  const utils = trpc.useUtils();
  return trpc.settings.update.useMutation({
    onSuccess: (next) => {
      utils.settings.get.setData(undefined, next);
      void utils.sessions.list.invalidate();
      onSaved();
      toast({ text: saved, tone: "info", ms: SETTINGS_SAVED_SHOWN_MS });
    },
    // Also after a failure: a call without an answer may have been carried out.
    onSettled: () => void utils.settings.get.invalidate(),
  });
}

/** Why saving failed, by the field that it is about; `general` if it is about none. */
function useSaveProblem(
  error: unknown,
  sent: SettingsUpdate | undefined,
): { password?: string; email?: string; general?: string } {
  const { account: copy, saveFailed } = useSettingsCopy();
  if (!error) return {};
  const problem = errorBodyOf(error);
  if (problem?.field === "password") {
    const isShort = [...(sent?.password ?? "")].length < PASSWORD_MIN_CHARS;
    const other = findInputProblem(problem.reason) ? errorText(error) : copy.passwordCommon;
    return { password: isShort ? copy.passwordShort : other };
  }
  // The dialog that asks for a proof shows this error.
  if (problem?.code === "CONFIRMATION_NEEDED") return {};
  if (problem?.field === "email") return { email: wrongInputText(error) ?? copy.emailRequired };
  return { general: problem?.code === "CONFLICT" ? saveFailed : errorText(error) };
}
