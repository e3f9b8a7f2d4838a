import { BRANDS } from "@lambda/brands";
import { PASSKEYS_MAX } from "@lambda/contract/limits";
import type { Passkey } from "@lambda/contract/passkeys";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { Icon } from "@lambda/ui/icon";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { ConfirmSheet } from "../../../components/ConfirmSheet.tsx";
import { Limits } from "../../../components/Limits.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { refreshAfter } from "../../../components/use-action.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useShowAll } from "../../../components/use-show-all.tsx";
import { dateAndTime } from "../../../format/time.ts";
import { isDeclined, useOwnerProof } from "../proof/use-owner-proof.tsx";
import { AddPasskey, NameSheet } from "./AddPasskey.tsx";
import css from "./passkeys.module.css";
import { usePasskeysCopy } from "./passkeys-copy.ts";

type Selection = { readonly passkey: Passkey; readonly action: "rename" | "remove" };

export function PasskeysSection() {
  const copy = usePasskeysCopy();
  const query = trpc.passkeys.list.useQuery();
  const { data } = query;
  const [selection, setSelection] = useState<Selection | null>(null);
  const all = useShowAll(data?.items ?? []);
  const changes = useChanges(() => setSelection(null));
  return (
    <>
      <FormSection
        id="passkeys"
        title={copy.title}
        text={copy.text}
        value={data && (data.items.map(({ name }) => name).join(", ") || copy.noneShort)}
      >
        <Limits>
          <p>{copy.forced}</p>
        </Limits>
        {!data && <QueryState query={query} failed={copy.failed} shape="rows" label={copy.loading} />}
        {data?.items.length === 0 && <p className="muted">{copy.none}</p>}
        <ul className="stack plain-list">
          {all.shown.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onSelect={(action) => setSelection({ passkey, action })} />
          ))}
        </ul>
        {all.button}
        {data && <AddPasskey full={data.items.length >= PASSKEYS_MAX} />}
      </FormSection>
      {selection?.action === "rename" && (
        <NameSheet
          title={copy.renameTitle}
          proposedName={selection.passkey.name}
          busy={changes.busy}
          action={copy.save}
          onName={(name) => void changes.rename(selection.passkey.id, name)}
          onClose={() => setSelection(null)}
        />
      )}
      {selection?.action === "remove" && (
        <ConfirmSheet
          open
          onClose={() => setSelection(null)}
          title={copy.removeTitle(selection.passkey.name)}
          action={
            <Button
              variant="danger"
              busy={changes.busy}
              label={copy.remove}
              onClick={() => void changes.remove(selection.passkey.id)}
            />
          }
        >
          <p>{copy.removeText}</p>
        </ConfirmSheet>
      )}
      {changes.dialog}
    </>
  );
}

function useChanges(onDone: () => void) {
  const copy = usePasskeysCopy();
  const toast = useToast();
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const proof = useOwnerProof();
  const onSettled = refreshAfter(() => utils.passkeys.list.invalidate());
  const rename = trpc.passkeys.rename.useMutation({ onSettled });
  const remove = trpc.passkeys.remove.useMutation({ onSettled });
  const run = async (call: () => Promise<unknown>, successText?: string) => {
    try {
      await call();
      onDone();
      if (successText) toast({ text: successText, tone: "info" });
    } catch (error) {
      if (!isDeclined(error)) showFailure(error);
    }
  };
  return {
    dialog: proof.dialog,
    busy: rename.isPending || remove.isPending,
    rename: (id: number, name: string) => run(() => rename.mutateAsync({ id, name })),
    remove: (id: number) => run(() => proof.run(() => remove.mutateAsync({ id })), copy.removed),
  };
}

function PasskeyRow({ passkey, onSelect }: { passkey: Passkey; onSelect: (action: Selection["action"]) => void }) {
  const copy = usePasskeysCopy();
  const { name, brand, backedUp, tsLastUsed, tsCloned } = passkey;
  const site = BRANDS.find(({ id }) => id === brand)?.name ?? brand;
  const lastUse = tsLastUsed === null ? copy.never : copy.used(dateAndTime(tsLastUsed));
  return (
    <li className={`row wrap py-2 ruled tall ${css.row}`}>
      <Icon name="lock" />
      <span className={`min-0 break-anywhere ${css.words}`}>
        {name}
        <br />
        <span className="muted type-mark">{[site, lastUse, ...(backedUp ? [copy.copies] : [])].join(" · ")}</span>
        {tsCloned !== null && (
          <>
            <br />
            <span className="danger type-mark">{copy.cloned}</span>
          </>
        )}
      </span>
      <span className={`row wrap gap-3 ${css.buttons}`}>
        <Button
          variant="quiet"
          aria-label={copy.renameName(name)}
          label={copy.rename}
          onClick={() => onSelect("rename")}
        />
        <Button
          variant="quiet"
          aria-label={copy.removeName(name)}
          label={copy.remove}
          onClick={() => onSelect("remove")}
        />
      </span>
    </li>
  );
}
