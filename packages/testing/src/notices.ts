/** Files notices as a browser does, including the proof of work. */
import { createHash } from "node:crypto";
import type { NoticeReceipt } from "@lambda/contract/notices";

/** Finds the link to a receipt in a mail or a response, `/notice/REF#secret.code`, and returns its parts. */
export function parseReceiptLink(text: string): { ref: string; secret: string; code?: string } {
  const match = /\/notice\/(\w{10}(?:-\d)?)#([\w-]{43})(?:\.([\w-]{43}))?/.exec(text);
  if (!match) throw new Error(`no receipt link in ${text}`);
  const [, ref = "", secret = "", code] = match;
  return { ref, secret, ...(code !== undefined && { code }) };
}

/** A visitor of the worker or of a site in a browser. */
interface Notifier {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface Challenge {
  readonly challenge: string;
  readonly bits: number;
  readonly answers: number;
}

export async function solveChallenge({
  challenge,
  bits,
  answers,
}: Challenge): Promise<{ challenge: string; answers: number[] }> {
  const isSolved = (text: string) => {
    const digest = createHash("sha256").update(text).digest();
    return digest.readUInt32BE(0) >>> (32 - bits) === 0;
  };
  const solved: number[] = [];
  for (let index = 0; index < answers; index += 1) {
    let answer = 0;
    while (!isSolved(`${challenge}:${index}:${answer}`)) answer += 1;
    solved.push(answer);
    // Let Node handle connections that the server closes meanwhile.
    await new Promise((resume) => setImmediate(resume));
  }
  return { challenge, answers: solved };
}

export interface NoticeOptions {
  /** The worker's current time, in milliseconds. */
  readonly now?: number;
  /** Applies quotas and the full difficulty of the challenge, as for real visitors. */
  readonly enforceQuotas?: boolean;
  /** By how many steps the challenge is harder than usual. */
  readonly harder?: number;
}

/** A complete notice about an intimate picture. */
export const INTIMATE_NOTICE = {
  kind: "intimate",
  role: "shown",
  name: "Ann Example",
  email: "ann@example.test",
  location: "/profile/1",
  goodFaith: true,
} as const;

export function noticeHeaders({ now, enforceQuotas = false }: NoticeOptions): Record<string, string> {
  return {
    "content-type": "application/json",
    ...(now !== undefined && { "x-development-now": String(now) }),
    ...(!enforceQuotas && { "x-development-quotas": "off" }),
  };
}

export function post(visitor: Notifier, path: string, body: unknown, options: NoticeOptions = {}) {
  return visitor.fetch(path, { method: "POST", headers: noticeHeaders(options), body: JSON.stringify(body) });
}

export async function solveNewChallenge(visitor: Notifier, options: NoticeOptions = {}) {
  const response = await post(visitor, "/api/notice-challenge", { harder: options.harder ?? 0 }, options);
  if (!response.ok) throw new Error(`the challenge returned ${response.status}: ${await response.text()}`);
  return solveChallenge((await response.json()) as Challenge);
}

/** Files a notice. Fields missing from the draft come from INTIMATE_NOTICE. */
export async function fileNotice(
  visitor: Notifier,
  draft: Record<string, unknown> = {},
  options: NoticeOptions = {},
): Promise<Response> {
  return post(
    visitor,
    "/api/notices",
    { ...INTIMATE_NOTICE, ...draft, proof: await solveNewChallenge(visitor, options) },
    options,
  );
}

export async function openReceipt(
  visitor: Notifier,
  { ref, ...rest }: { ref: string; secret: string; code?: string },
  options: NoticeOptions = {},
): Promise<NoticeReceipt> {
  const response = await post(visitor, `/api/notice/${ref}/receipt`, rest, options);
  if (!response.ok) throw new Error(`the receipt returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as NoticeReceipt;
}
