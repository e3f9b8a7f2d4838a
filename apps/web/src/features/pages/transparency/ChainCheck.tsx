import type { AuditEntry } from "@lambda/contract/transparency";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { type DayCheck, verifyChain, verifySealedDays } from "./chain.ts";
import { transparencyCopy } from "./transparency-copy.ts";

/** Verifies every hash of the record on the reader's own device. */
export function ChainCheck() {
  const copy = useCopy(transparencyCopy);
  const utils = trpc.useUtils();
  const [count, setCount] = useState<number>();
  const [result, setResult] = useState<Awaited<ReturnType<typeof verifyChain>>>();
  const [days, setDays] = useState<DayCheck>();
  const [failure, setFailure] = useState<string>();
  const check = async () => {
    setResult(undefined);
    setDays(undefined);
    setFailure(undefined);
    setCount(0);
    const read = async (after: number) => (await utils.transparency.chain.fetch({ after })).items;
    try {
      const verified = new Map<number, AuditEntry>();
      setResult(await verifyChain(read, setCount, verified));
      setDays(await verifySealedDays([...verified.values()]));
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setCount(undefined);
    }
  };
  return (
    <>
      <div>
        <Button icon="check" busy={count !== undefined} onClick={() => void check()}>
          {copy.check}
        </Button>
      </div>
      {count !== undefined && <p role="status">{copy.checking(count)}</p>}
      {failure && <Banner tone="danger">{failure}</Banner>}
      {days && (days.missing !== null || days.opened + days.sealed > 0) && (
        <Banner tone={days.missing === null ? "success" : "danger"} role="status">
          {days.missing === null ? copy.days(days.opened, days.sealed) : copy.missing(days.missing)}
        </Banner>
      )}
      {result && (
        <Banner tone={result.brokenAt === null ? "success" : "danger"} role="status">
          {result.brokenAt === null ? copy.sound(result.count) : copy.broken(result.brokenAt)}
        </Banner>
      )}
    </>
  );
}
