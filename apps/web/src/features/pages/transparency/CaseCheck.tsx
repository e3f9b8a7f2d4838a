import type { AuditBody, AuditEntry } from "@lambda/contract/transparency";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { Form } from "../../../components/Form.tsx";
import { sha256 } from "../../../device/sha256.ts";
import { describeEntry, verifyChain } from "./chain.ts";
import { useTransparencyCopy } from "./transparency-copy.ts";

interface Line {
  readonly seq: number;
  readonly text: string;
  /** Whether the entry's private part matches the commitment in its public part; null if it has none. */
  readonly isPrivatePartValid: boolean | null;
}

type CaseEntry = RouterOutputs["transparency"]["case"]["items"][number];
type Outcome = { readonly lines: readonly Line[] } | { readonly brokenAt: number } | { readonly failed: string };

/** Lets a member verify their own case: all its entries are in an intact record, and their private parts match it. */
export function CaseCheck({ caseRef }: { caseRef: string }) {
  const copy = useTransparencyCopy();
  const utils = trpc.useUtils();
  const [reference, setReference] = useState(caseRef);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  const check = async () => {
    setBusy(true);
    setOutcome(await checkCase(utils, reference.trim()));
    setBusy(false);
  };
  return (
    <Form className="stack gap-3 mt-5 letter" onSubmit={() => check()}>
      <TextField autoComplete="off" label={copy.reference} value={reference} onValue={setReference} />
      <Button type="submit" busy={busy} disabled={reference.trim() === ""} label={copy.verify} />
      {outcome && "failed" in outcome && <Banner tone="danger">{outcome.failed}</Banner>}
      {outcome && "brokenAt" in outcome && <Banner tone="danger">{copy.broken(outcome.brokenAt)}</Banner>}
      {outcome && "lines" in outcome && (
        <>
          <Banner tone={outcome.lines.length > 0 ? "success" : "info"} role="status">
            {outcome.lines.length > 0 ? copy.caseSound(outcome.lines.length) : copy.none}
          </Banner>
          <ol className="stack gap-2 plain-list">
            {outcome.lines.map((line) => (
              <li key={line.seq}>
                <strong>{copy.entry(line.seq)}</strong> {line.text}
                {line.isPrivatePartValid === true && <small className="block">{copy.privateSound}</small>}
                {line.isPrivatePartValid === false && <small className="block danger">{copy.broken(line.seq)}</small>}
              </li>
            ))}
          </ol>
        </>
      )}
    </Form>
  );
}

/** Verifies the whole record, then checks that it contains each entry of the case. */
async function checkCase(utils: ReturnType<typeof trpc.useUtils>, caseRef: string): Promise<Outcome> {
  try {
    const verified = new Map<number, AuditEntry>();
    const read = async (after: number) => (await utils.transparency.chain.fetch({ after })).items;
    const { brokenAt } = await verifyChain(read, () => {}, verified);
    const { items } = await utils.transparency.case.fetch({ caseRef });
    const foreign = items.find((entry) => verified.get(entry.seq)?.hash !== entry.hash);
    if (brokenAt !== null || foreign) return { brokenAt: brokenAt ?? foreign?.seq ?? 0 };
    const lines = items.map(async (entry) => ({
      seq: entry.seq,
      text: describeEntry(entry),
      isPrivatePartValid: await checkPrivatePart(entry),
    }));
    return { lines: await Promise.all(lines) };
  } catch (error) {
    return { failed: errorText(error) };
  }
}

async function checkPrivatePart({ salt, details, body }: CaseEntry): Promise<boolean | null> {
  if (salt === null || details === null) return null;
  return (await sha256(`${salt}\n${details}`)) === (JSON.parse(body) as AuditBody).private;
}
