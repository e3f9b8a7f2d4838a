/** Notices as a browser files them, with the work done here. */
import { createHash } from "node:crypto";
import type { NoticeReceipt } from "@lambda/contract/notices";
import type { TestVisitor } from "./visitor.ts";

export interface Challenge {
  readonly challenge: string;
  readonly bits: number;
  readonly answers: number;
}

export async function solve({
  challenge,
  bits,
  answers,
}: Challenge): Promise<{ challenge: string; answers: number[] }> {
  const isDone = (text: string) => {
    const digest = createHash("sha256").update(text).digest();
    return digest.readUInt32BE(0) >>> (32 - bits) === 0;
  };
  const solved: number[] = [];
  for (let place = 0; place < answers; place += 1) {
    let answer = 0;
    while (!isDone(`${challenge}:${place}:${answer}`)) answer += 1;
    solved.push(answer);
    // Connections that end meanwhile are noticed.
    await new Promise((resume) => setImmediate(resume));
  }
  return { challenge, answers: solved };
}

export interface NoticeOptions {
  /** The clock of the worker. */
  readonly now?: number;
  /** Counted, with the work of real visitors. */
  readonly counted?: boolean;
}

/** What a complete notice about an intimate picture says. */
export const INTIMATE = {
  kind: "intimate",
  role: "shown",
  name: "Ann Example",
  email: "ann@example.test",
  location: "/profile/1",
  goodFaith: true,
} as const;

export function headersOf({ now, counted = false }: NoticeOptions): Record<string, string> {
  return {
    "content-type": "application/json",
    ...(now !== undefined && { "x-development-now": String(now) }),
    ...(!counted && { "x-development-quotas": "off" }),
  };
}

export function post(visitor: TestVisitor, path: string, body: unknown, options: NoticeOptions = {}) {
  return visitor.fetch(path, { method: "POST", headers: headersOf(options), body: JSON.stringify(body) });
}

export async function proofOf(visitor: TestVisitor, options: NoticeOptions = {}) {
  const answer = await post(visitor, "/api/notice-challenge", {}, options);
  if (!answer.ok) throw new Error(`challenge answered ${answer.status}: ${await answer.text()}`);
  return solve((await answer.json()) as Challenge);
}

/** Files what is missing with the values of INTIMATE. */
export async function fileNotice(
  visitor: TestVisitor,
  draft: Record<string, unknown> = {},
  options: NoticeOptions = {},
): Promise<Response> {
  return post(visitor, "/api/notices", { ...INTIMATE, ...draft, proof: await proofOf(visitor, options) }, options);
}

export async function openReceipt(
  visitor: TestVisitor,
  { ref, ...rest }: { ref: string; secret: string; code?: string },
  options: NoticeOptions = {},
): Promise<NoticeReceipt> {
  const answer = await post(visitor, `/api/notice/${ref}/receipt`, rest, options);
  if (!answer.ok) throw new Error(`receipt answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as NoticeReceipt;
}
