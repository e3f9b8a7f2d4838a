import type { ProofMethods } from "@lambda/contract/proofs";
import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { useEffect, useState } from "react";
import { trpcClient } from "../../../api/client.ts";
import { errorCodeOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { sendWithWork } from "../../../api/proof-of-work/send-with-work.ts";
import type { Proof as Work } from "../../../api/proof-of-work/solve-in-worker.ts";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { Form } from "../../../components/Form.tsx";
import { PasswordField } from "../../../components/PasswordField.tsx";
import { useDigits } from "../../../components/use-digits.ts";
import { CHUNK_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { supportsPasskeys } from "../passkeys/supports-passkeys.ts";
import { useProofCopy } from "./proof-copy.ts";

const DIGITS = 6;

interface ProofSheetProps {
  methods: ProofMethods;
  keepsEmailChange: boolean;
  onProved: () => void;
  onClose: () => void;
}

export default function ProofSheet({ methods, keepsEmailChange, onProved, onClose }: ProofSheetProps) {
  const copy = useProofCopy();
  const proof = useProof(keepsEmailChange, onProved);
  const [ticket, setTicket] = useState<string>();
  const hasPasskey = methods.passkey && supportsPasskeys();
  return (
    <ClosableSheet open onClose={onClose} title={copy.title}>
      <div className="stack gap-4">
        <p className="muted">{copy.text}</p>
        <Problem text={proof.problem} />
        {hasPasskey && !ticket && (
          <Button
            data-focus
            icon="lock"
            variant="primary"
            full
            busy={proof.busy === "passkey"}
            label={copy.passkey}
            onClick={() => void proof.byPasskey()}
          />
        )}
        {methods.password && !ticket && <PasswordMethod email={methods.email} first={!hasPasskey} proof={proof} />}
        {ticket ? (
          <DigitsMethod email={methods.email} ticket={ticket} proof={proof} onProved={onProved} />
        ) : (
          <MailMethod first={!hasPasskey && !methods.password} proof={proof} onSent={setTicket} />
        )}
      </div>
    </ClosableSheet>
  );
}

type Method = "passkey" | "password" | "mail" | "digits";
type Proof = ReturnType<typeof useProof>;

function useProof(keepsEmailChange: boolean, onProved: () => void) {
  const copy = useProofCopy();
  const [busy, setBusy] = useState<Method | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const attempt = async <Result,>(method: Method, act: () => Promise<Result>): Promise<Result | undefined> => {
    if (busy) return undefined;
    setBusy(method);
    setProblem(null);
    try {
      return await act();
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === "CONFIRMATION_NEEDED") setProblem(copy.wrongPassword);
      else if (code === "CODE_WRONG") setProblem(copy.wrongDigits);
      else if (method === "passkey" && (code === undefined || code === "PASSKEY_REFUSED")) setProblem(copy.noPasskey);
      else setProblem(errorText(error));
      return undefined;
    } finally {
      setBusy(null);
    }
  };
  const prove = (method: Method, act: () => Promise<unknown>) =>
    attempt(method, async () => {
      await act();
      onProved();
    });
  return {
    busy,
    problem,
    byPasskey: () =>
      prove("passkey", async () => {
        const { signRequest } = await withDeadline(CHUNK_WAIT_MS, () => import("../passkeys/webauthn.ts"));
        const assertion = await signRequest(await trpcClient.proofs.passkeyRequest.query());
        await trpcClient.proofs.byPasskey.mutate({ assertion, keepsEmailChange });
      }),
    byPassword: (currentPassword: string) =>
      prove("password", () => trpcClient.proofs.byPassword.mutate({ currentPassword, keepsEmailChange })),
    isWorking: busy === "mail" && isWorking,
    requestMail: () =>
      attempt("mail", async () => {
        setWorking(false);
        const ask = (proof?: Work) => trpcClient.proofs.mail.mutate({ ...(proof && { proof }) });
        const { ticket } = await ask().catch((error) => {
          setWorking(errorCodeOf(error) === "WORK_NEEDED");
          return sendWithWork(error, ask);
        });
        return ticket;
      }),
    byDigits: (ticket: string, digits: string) =>
      prove("digits", () => trpcClient.proofs.byDigits.mutate({ ticket, digits, keepsEmailChange })),
  };
}

function PasswordMethod({ email, first, proof }: { email: string; first: boolean; proof: Proof }) {
  const copy = useProofCopy();
  const submit = (typed: FormData) => proof.byPassword(String(typed.get("current-password")));
  return (
    <Form className="stack gap-3 letter" onSubmit={submit}>
      {/* Tells password managers which account this is. */}
      <input type="hidden" autoComplete="username" value={email} />
      <PasswordField
        label={copy.password}
        name="current-password"
        autoComplete="current-password"
        required
        {...(first && { "data-focus": true })}
      />
      <Button
        type="submit"
        variant={first ? "primary" : "secondary"}
        busy={proof.busy === "password"}
        label={copy.confirm}
      />
    </Form>
  );
}

interface MailMethodProps {
  first: boolean;
  proof: Proof;
  onSent: (ticket: string | undefined) => void;
}

function MailMethod({ first, proof, onSent }: MailMethodProps) {
  const copy = useProofCopy();
  const request = async () => onSent(await proof.requestMail());
  return (
    <div className="stack gap-2 letter">
      {proof.isWorking && <p role="status">{copy.working}</p>}
      <Button
        icon="mail"
        {...(first && { "data-focus": true })}
        busy={proof.busy === "mail"}
        label={copy.mail}
        onClick={() => void request()}
      />
    </div>
  );
}

interface DigitsMethodProps {
  email: string;
  ticket: string;
  proof: Proof;
  onProved: () => void;
}

function DigitsMethod({ email, ticket, proof, onProved }: DigitsMethodProps) {
  const copy = useProofCopy();
  useLinkInOtherTab(onProved);
  const { read, problem } = useDigits(DIGITS);
  const submit = (typed: FormData) => proof.byDigits(ticket, read(String(typed.get("digits"))));
  return (
    <Form className="stack gap-3 letter" onSubmit={submit}>
      <p role="status">{copy.sent(email)}</p>
      <TextField
        label={copy.digits}
        name="digits"
        error={problem}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        onChange={({ target }) => {
          target.value = read(target.value);
        }}
      />
      <Button type="submit" variant="primary" busy={proof.busy === "digits"} label={copy.confirm} />
    </Form>
  );
}

/** Opening the mail's link in another tab renews the session's proof; checks for that when the member returns to this tab. */
function useLinkInOtherTab(onProved: () => void): void {
  useEffect(() => {
    const check = async () => {
      if (document.visibilityState !== "visible") return;
      const settings = await trpcClient.settings.get.query().catch(() => undefined);
      if (settings?.fresh) onProved();
    };
    const onVisibilityChange = () => void check();
    document.addEventListener("visibilitychange", onVisibilityChange);
    return () => document.removeEventListener("visibilitychange", onVisibilityChange);
  }, [onProved]);
}
