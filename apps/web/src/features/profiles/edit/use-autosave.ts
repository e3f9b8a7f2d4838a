import type { Profile, ProfileUpdate } from "@lambda/contract/profiles";
import { useToast } from "@lambda/ui/toast";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorBodyOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useKeptDraft } from "../../../components/use-kept-draft.ts";
import { type SaveState, useSaveState } from "../notes/use-note.ts";
import { useEditCopy } from "./edit-copy.ts";
import { useOnLeave } from "./use-on-leave.ts";

export type TextFieldName = keyof NonNullable<ProfileUpdate["was"]>;

/** Shows of an answer what its call changed: of two calls at once, the answer that comes last may tell what was there before the other. */
export function useProfileUpdate(
  options: Parameters<typeof trpc.profiles.update.useMutation>[0] = {},
): (change: ProfileUpdate) => Promise<Profile> {
  const utils = trpc.useUtils();
  const { mutateAsync } = trpc.profiles.update.useMutation(options);
  return useCallback(
    async (change) => {
      const profile = await mutateAsync(change);
      const changed = Object.entries(profile).filter(([name]) => name in change || name === "age");
      const known = utils.profiles.mine.getData()?.items[0] ?? profile;
      const shown = { ...known, ...Object.fromEntries(changed) };
      utils.profiles.mine.setData(undefined, { items: [shown] });
      utils.profiles.get.setData({ id: profile.id }, shown);
      if (change.profilename !== undefined || change.birthdate !== undefined) void utils.accounts.session.invalidate();
      return profile;
    },
    [mutateAsync, utils],
  );
}

/** The result of saving a field: the stored value, the value another tab or device wrote meanwhile, or the error message. */
type FieldResult = { readonly stored: string } | { readonly conflict: string } | { readonly error: string };

/** Saves one field. The server reports a conflict if `previous` is no longer the stored value. */
function useFieldUpdate(field: TextFieldName): (text: string, previous: string) => Promise<FieldResult> {
  const utils = trpc.useUtils();
  const update = useProfileUpdate();
  const toValue = (text: string) => (field === "birthdate" && text === "" ? null : text);
  return async (text, previous) => {
    try {
      const profile = await update({ [field]: toValue(text), was: { [field]: toValue(previous) } });
      return { stored: profile[field] ?? "" };
    } catch (failure) {
      if (errorBodyOf(failure)?.code !== "CONFLICT") return { error: errorText(failure) };
      const fresh = await utils.profiles.mine.fetch(undefined, { staleTime: 0 }).catch(() => undefined);
      return { conflict: fresh?.items[0]?.[field] ?? "" };
    }
  };
}

export interface Autosave {
  readonly value: string;
  readonly state: SaveState;
  readonly error: string | undefined;
  /** The value that another tab or device has written meanwhile; the member decides which one to keep. */
  readonly conflictingValue: string | undefined;
  readonly change: (value: string) => void;
  readonly onBlur: () => void;
  readonly keepMine: () => void;
  readonly takeOther: () => void;
}

/** The text typed into a field, and the stored value that it replaces: what the field showed when typing began. */
function useDraft(field: TextFieldName) {
  const [draft, keep, read] = useKeptDraft<{ readonly text: string; readonly base: string }>(`profile ${field}`);
  const toast = useToast();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  /** Says why the draft waits, if its field can no longer show it. */
  const sayIfGone = (reason: string) => {
    if (isGone.current && read()) toast({ text: reason, tone: "danger" });
  };
  return { draft, keep, read, sayIfGone };
}

/**
 * Autosaves one text field of Edit Profile on blur. Never overwrites a value that was written elsewhere meanwhile.
 *
 * @param validate returns the message for an invalid value, else undefined
 */
export function useAutosave(
  field: TextFieldName,
  stored: string,
  validate: (value: string) => string | undefined = () => undefined,
): Autosave {
  const copy = useEditCopy();
  const send = useFieldUpdate(field);
  const { draft, keep, read, sayIfGone } = useDraft(field);
  const isSaving = useRef(false);
  const isBlurred = useRef(false);
  const [state, setState] = useSaveState();
  const [error, setError] = useState<string>();
  const [conflictingValue, setConflictingValue] = useState<string>();

  const showError = (problem: string) => {
    setError(problem);
    sayIfGone(problem);
  };
  const save = async (text: string, previous: string): Promise<void> => {
    isSaving.current = true;
    setState("saving");
    const result = await send(text, previous);
    isSaving.current = false;
    setState("stored" in result ? "saved" : "failed");
    if ("error" in result) return showError(result.error);
    if ("conflict" in result) {
      setConflictingValue(result.conflict);
      return sayIfGone(copy.notSaved);
    }
    const typed = read()?.text;
    // Text typed during the request is saved on blur, or now if the field has already lost focus.
    if (typed === undefined || typed.trim() === text) return keep(undefined);
    keep({ text: typed, base: result.stored });
    if (isBlurred.current) onBlur();
  };
  const onBlur = () => {
    isBlurred.current = true;
    const typed = read();
    if (typed === undefined || conflictingValue !== undefined || isSaving.current) return;
    const text = typed.text.trim();
    const problem = validate(text);
    setError(undefined);
    if (problem !== undefined) showError(problem);
    else if (text === typed.base) keep(undefined);
    else void save(text, typed.base);
  };
  useOnLeave((isLeft) => {
    // What was written elsewhere meanwhile was not answered: it is asked again when the member comes back.
    if (isLeft && conflictingValue !== undefined) sayIfGone(copy.notSaved);
    onBlur();
  });
  const change = (text: string) => {
    isBlurred.current = false;
    keep({ text, base: read()?.base ?? stored });
    setError(undefined);
  };

  const value = draft?.text ?? stored;
  const keepMine = () => {
    const previous = conflictingValue ?? draft?.base ?? stored;
    setConflictingValue(undefined);
    void save(value.trim(), previous);
  };
  const takeOther = () => {
    setConflictingValue(undefined);
    keep(undefined);
    setState("idle");
  };
  return { value, state, error, conflictingValue, change, onBlur, keepMine, takeOther };
}
