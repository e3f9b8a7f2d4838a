import type { Profile, ProfileUpdate } from "@lambda/contract/profiles";
import { useCallback, useRef, useState } from "react";
import { errorBodyOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { type SaveState, useSaveState } from "../notes/use-note.ts";
import { useLatest, useLeaving } from "./use-leaving.ts";

export type TextFieldName = "profilename" | "birthdate" | "height" | "weight" | "description";

/** Sends a change of the own profile and lets every screen know the answer. */
export function useProfileUpdate(): (change: ProfileUpdate) => Promise<Profile> {
  const utils = trpc.useUtils();
  const { mutateAsync } = trpc.profiles.update.useMutation();
  return useCallback(
    async (change) => {
      const profile = await mutateAsync(change);
      utils.profiles.mine.setData(undefined, { items: [profile] });
      utils.profiles.get.setData({ id: profile.id }, profile);
      if (change.profilename !== undefined || change.birthdate !== undefined) void utils.accounts.session.invalidate();
      return profile;
    },
    [mutateAsync, utils],
  );
}

/** What became of a sent field: as it is stored now, what another tab or device wrote meanwhile, or why it was refused. */
type FieldResult = { readonly stored: string } | { readonly conflict: string } | { readonly error: string };

/** Sends one field; `was` is the value that it replaces. */
function useFieldUpdate(field: TextFieldName): (text: string, was: string) => Promise<FieldResult> {
  const utils = trpc.useUtils();
  const update = useProfileUpdate();
  const toValue = (text: string) => (field === "birthdate" && text === "" ? null : text);
  return async (text, was) => {
    try {
      const profile = await update({ [field]: toValue(text), was: { [field]: toValue(was) } });
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
  /** What another tab or device wrote into this field since; the member decides which one stays. */
  readonly other: string | undefined;
  readonly change: (value: string) => void;
  /** Call when the focus leaves the field. */
  readonly leave: () => void;
  readonly keepMine: () => void;
  readonly takeOther: () => void;
}

/**
 * One text field of Edit Profile: saved when the focus leaves it, and never over what was written elsewhere meanwhile.
 *
 * @param check words for what must not be sent, else undefined
 */
export function useAutosave(
  field: TextFieldName,
  stored: string,
  check: (value: string) => string | undefined = () => undefined,
): Autosave {
  const send = useFieldUpdate(field);
  const [draft, setDraft] = useLatest<string | undefined>(undefined);
  // What the field showed when typing began: the value that the change replaces.
  const [base, setBase] = useLatest(stored);
  const saving = useRef(false);
  const [state, setState] = useSaveState();
  const [error, setError] = useState<string>();
  const [other, setOther] = useState<string>();
  const value = draft.current ?? stored;

  const save = async (text: string, was: string): Promise<void> => {
    saving.current = true;
    setState("saving");
    const result = await send(text, was);
    saving.current = false;
    if ("stored" in result) {
      setState("saved");
      setBase(result.stored);
      // What was typed while this was on its way stays, and is saved when the field is left, or now if it has been.
      if (draft.current?.trim() === text) setDraft(undefined);
      else if (left.current) leave();
      return;
    }
    setState("failed");
    if ("conflict" in result) setOther(result.conflict);
    else setError(result.error);
  };

  const left = useRef(false);
  const leave = () => {
    left.current = true;
    if (draft.current === undefined || other !== undefined || saving.current) return;
    const text = draft.current.trim();
    const problem = check(text);
    setError(problem);
    if (problem !== undefined) return;
    if (text === base.current) setDraft(undefined);
    else void save(text, base.current);
  };
  useLeaving(leave);

  return {
    value,
    state,
    error,
    other,
    change: (text) => {
      left.current = false;
      if (draft.current === undefined) setBase(stored);
      setDraft(text);
      setError(undefined);
    },
    leave,
    keepMine: () => {
      const over = other ?? base.current;
      setOther(undefined);
      void save(value.trim(), over);
    },
    takeOther: () => {
      setOther(undefined);
      setDraft(undefined);
      setState("idle");
    },
  };
}
