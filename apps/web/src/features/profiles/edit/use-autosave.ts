import type { Profile, ProfileUpdate } from "@lambda/contract/profiles";
import { useToast } from "@lambda/ui/toast";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorBodyOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { type SaveState, useSaveState } from "../notes/use-note.ts";
import { useEditCopy } from "./edit-copy.ts";
import { useLatestState, useOnLeave } from "./use-on-leave.ts";

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

/** Texts that could not be saved when their screen was left. They are back in their fields when the member returns. */
const unsavedDrafts = new Map<TextFieldName, { readonly text: string; readonly base: string }>();
onClearLocalData(() => unsavedDrafts.clear());

/** The text typed into a field, and the stored value that it replaces: what the field showed when typing began. */
function useDraft(field: TextFieldName, stored: string) {
  const [kept] = useState(() => unsavedDrafts.get(field));
  const [draft, setDraft] = useLatestState(kept?.text);
  const [base, setBase] = useLatestState(kept?.base ?? stored);
  const toast = useToast();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    unsavedDrafts.delete(field);
    return () => {
      isGone.current = true;
    };
  }, [field]);
  /** Keeps the draft and says why, if its field can no longer show that it is not saved. */
  const keepIfGone = (reason: string) => {
    if (!isGone.current || draft.current === undefined) return;
    unsavedDrafts.set(field, { text: draft.current, base: base.current });
    toast({ text: reason, tone: "danger" });
  };
  return { draft, setDraft, base, setBase, keepIfGone };
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
  const { draft, setDraft, base, setBase, keepIfGone } = useDraft(field, stored);
  const isSaving = useRef(false);
  const isBlurred = useRef(false);
  const [state, setState] = useSaveState();
  const [error, setError] = useState<string>();
  const [conflictingValue, setConflictingValue] = useState<string>();

  const showError = (problem: string) => {
    setError(problem);
    keepIfGone(problem);
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
      return keepIfGone(copy.notSaved);
    }
    setBase(result.stored);
    // Text typed during the request is saved on blur, or now if the field has already lost focus.
    if (draft.current?.trim() === text) setDraft(undefined);
    else if (isBlurred.current) onBlur();
  };
  const onBlur = () => {
    isBlurred.current = true;
    if (draft.current === undefined || conflictingValue !== undefined || isSaving.current) return;
    const text = draft.current.trim();
    const problem = validate(text);
    setError(undefined);
    if (problem !== undefined) showError(problem);
    else if (text === base.current) setDraft(undefined);
    else void save(text, base.current);
  };
  useOnLeave(onBlur);
  const change = (text: string) => {
    isBlurred.current = false;
    if (draft.current === undefined) setBase(stored);
    setDraft(text);
    setError(undefined);
  };

  const value = draft.current ?? stored;
  const keepMine = () => {
    const previous = conflictingValue ?? base.current;
    setConflictingValue(undefined);
    void save(value.trim(), previous);
  };
  const takeOther = () => {
    setConflictingValue(undefined);
    setDraft(undefined);
    setState("idle");
  };
  return { value, state, error, conflictingValue, change, onBlur, keepMine, takeOther };
}
