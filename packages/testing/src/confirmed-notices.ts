import { fileNotice, type NoticeOptions, openReceipt, parseReceiptLink } from "./notices.ts";
import { type TestVisitor, waitForMail } from "./visitor.ts";
import { waitFor } from "./wait-for.ts";
import type { TestWorker } from "./worker.ts";

let senders = 0;

/**
 * Files a notice, by default from an address of its own, and opens the link in the mail. Resolves with the receipt once the pictures are
 * matched.
 */
export async function fileConfirmed(
  worker: TestWorker,
  visitor: TestVisitor,
  draft: Record<string, unknown> = {},
  options: NoticeOptions = {},
): Promise<{ ref: string; secret: string; code?: string }> {
  senders += 1;
  const email = (draft.email as string | undefined) ?? `sender${senders}@example.test`;
  const filed = await fileNotice(visitor, { ...draft, email }, options);
  if (filed.status !== 201) throw new Error(`the notice returned ${filed.status}: ${await filed.text()}`);
  const receipt = parseReceiptLink((await waitForMail(worker, email)).text);
  await openReceipt(visitor, receipt, options);
  await waitFor(async () => {
    const [rows] = await worker.run({
      query: "select id from notice where ref = ? and ts_matched is not null",
      values: [receipt.ref],
    });
    if (rows!.length !== 1) throw new Error("the notice is not matched yet");
  });
  return receipt;
}
