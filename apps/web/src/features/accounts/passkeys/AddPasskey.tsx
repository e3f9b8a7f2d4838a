import { BRANDS } from "@lambda/brands";
import { PASSKEY_NAME_MAX_CHARS, PASSKEYS_MAX } from "@lambda/contract/limits";
import type { PasskeyCreation } from "@lambda/contract/passkeys";
import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { type ReactNode, useId, useState } from "react";
import { errorBodyOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { ConfirmSheet } from "../../../components/ConfirmSheet.tsx";
import { Form } from "../../../components/Form.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { CHUNK_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { isDeclined, useOwnerProof } from "../proof/use-owner-proof.tsx";
import { usePasskeysCopy } from "./passkeys-copy.ts";
import { supportsPasskeys } from "./supports-passkeys.ts";

/** Adds a passkey: asks for a proof of identity, then explains passkeys in a sheet, whose button creates one. */
export function AddPasskey({ full }: { full: boolean }) {
  const copy = usePasskeysCopy();
  const showFailure = useFailureToast();
  const proof = useOwnerProof();
  const creation = trpc.passkeys.creation.useMutation();
  const [challenge, setChallenge] = useState<PasskeyCreation | null>(null);
  if (!supportsPasskeys()) return <p className="muted">{copy.unknown}</p>;
  if (full) return <p className="muted">{copy.full(PASSKEYS_MAX)}</p>;
  const start = async () => {
    try {
      setChallenge(await proof.run(() => creation.mutateAsync()));
    } catch (error) {
      if (!isDeclined(error)) showFailure(error);
    }
  };
  return (
    <>
      <Button
        icon="plus"
        aria-haspopup="dialog"
        busy={creation.isPending}
        label={copy.add}
        onClick={() => void start()}
      />
      {challenge && <NewPasskeySheet challenge={challenge} proof={proof} onClose={() => setChallenge(null)} />}
      {proof.dialog}
    </>
  );
}

interface NewPasskeySheetProps {
  challenge: PasskeyCreation;
  proof: ReturnType<typeof useOwnerProof>;
  onClose: () => void;
}

function NewPasskeySheet({ challenge, proof, onClose }: NewPasskeySheetProps) {
  const copy = usePasskeysCopy();
  const brand = useBrand();
  const { create, busy, problem } = useCreatePasskey(challenge, proof, onClose);
  const sisters = BRANDS.filter(({ id }) => id !== brand.id).map((sister) => sister.name);
  return (
    <NameSheet
      title={copy.add}
      proposedName={challenge.proposedName}
      help={copy.nameHelp}
      problem={problem}
      busy={busy}
      action={copy.make}
      onName={(name) => void create(name)}
      onClose={onClose}
    >
      <p>{copy.oneSite(brand.name, new Intl.ListFormat(currentLocale()).format(sisters))}</p>
      <p>{copy.discreet(challenge.options.rp.id)}</p>
      <p className="muted">{copy.forced}</p>
    </NameSheet>
  );
}

interface NameSheetProps {
  title: string;
  proposedName: string;
  help?: string;
  problem?: string | null;
  busy: boolean;
  /** What the button says. */
  action: string;
  onName: (name: string) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for the name of a passkey. */
export function NameSheet(props: NameSheetProps) {
  const { title, proposedName, help, problem, busy, action, onName, onClose, children } = props;
  const copy = usePasskeysCopy();
  const [text, setText] = useState(proposedName);
  const form = useId();
  const name = text.trim();
  return (
    <ConfirmSheet
      open
      onClose={onClose}
      title={title}
      action={<Button type="submit" form={form} variant="primary" busy={busy} disabled={name === ""} label={action} />}
    >
      <Form id={form} className="stack gap-4" onSubmit={() => name === "" || busy || onName(name)}>
        <Problem tone="warn" text={problem} />
        <TextField
          autoComplete="off"
          data-focus
          label={copy.name}
          help={help}
          maxLength={PASSKEY_NAME_MAX_CHARS}
          value={text}
          onValue={setText}
        />
        {children}
      </Form>
    </ConfirmSheet>
  );
}

function useCreatePasskey(challenge: PasskeyCreation, proof: ReturnType<typeof useOwnerProof>, onClose: () => void) {
  const copy = usePasskeysCopy();
  const toast = useToast();
  const utils = trpc.useUtils();
  const add = trpc.passkeys.add.useMutation({ onSuccess: () => utils.passkeys.list.invalidate() });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const create = async (name: string) => {
    setBusy(true);
    setProblem(null);
    let webauthn: typeof import("./webauthn.ts") | undefined;
    try {
      webauthn = await withDeadline(CHUNK_WAIT_MS, () => import("./webauthn.ts"));
      const attestation = await webauthn.createPasskey(challenge.options);
      await proof.run(() => add.mutateAsync({ attestation, name }));
      onClose();
      toast({ text: copy.added, tone: "info" });
    } catch (error) {
      if (webauthn?.isAlreadyRegistered(error)) setProblem(copy.madeBefore);
      else if (webauthn?.isDismissed(error) || isDeclined(error)) setProblem(copy.dismissed);
      else setProblem(errorBodyOf(error) ? errorText(error) : copy.notMade);
    }
    setBusy(false);
  };
  return { create, busy, problem };
}
