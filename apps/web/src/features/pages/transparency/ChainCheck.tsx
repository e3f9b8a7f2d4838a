import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { verifyChain } from "./chain.ts";
import { transparencyCopy } from "./transparency-copy.ts";

/** Verifies every hash of the record on the reader's own device. */
export function ChainCheck() {
  const copy = useCopy(transparencyCopy);
  const utils = trpc.useUtils();
  const [count, setCount] = useState<number>();
  const [result, setResult] = useState<Awaited<ReturnType<typeof verifyChain>>>();
  const [failure, setFailure] = useState<string>();
  const check = async () => {
    setResult(undefined);
    setFailure(undefined);
    setCount(0);
    const read = async (after: number) => (await utils.transparency.chain.fetch({ after })).items;
    try {
      setResult(await verifyChain(read, setCount));
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
      {result && (
        <Banner tone={result.brokenAt === null ? "success" : "danger"} role="status">
          {result.brokenAt === null ? copy.sound(result.count) : copy.broken(result.brokenAt)}
        </Banner>
      )}
    </>
  );
}
