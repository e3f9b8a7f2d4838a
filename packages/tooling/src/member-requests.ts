/**
 * Requests that an operator handles for members who write by post or lost their mailbox (docs/OPERATIONS.md, A request by post). Each is
 * one transaction on one account, found by any spelling of its email address.
 */
import { Email } from "@lambda/contract/accounts";
import { type Database, openDatabase, type Query } from "@lambda/worker/database";
import { deleteAccountQueries } from "@lambda/worker/deletion-queries";
import { endAllAccessQueries } from "@lambda/worker/end-access";
import { mailboxOf } from "@lambda/worker/mailbox";
import type { RunStatement } from "./migration.ts";

export const MEMBER_REQUESTS = ["find", "move", "restrict", "lift", "delete"] as const;
export type MemberRequest = (typeof MEMBER_REQUESTS)[number];

interface RequestOptions {
  readonly request: MemberRequest;
  readonly email: string;
  /** The new address of a move. */
  readonly to?: string | undefined;
  /** When a deletion was requested. */
  readonly at?: number | undefined;
}

/** Returns a sentence for the operator's records. Throws, without changing anything, if the request is not possible. */
export async function fulfillRequest(
  { request, email, to, at = Date.now() }: RequestOptions,
  run: RunStatement,
): Promise<string> {
  const account = await findAccount(email, run);
  if (!account) throw new Error(`There is no account of ${email}.`);
  const { id, joined, state } = account;
  if (request === "find") return `Account ${id}, joined ${joined}, ${state}.`;
  if (request === "move") {
    const address = normalizeEmail(to ?? "");
    const owner = await findAccount(address, run);
    if (owner && owner.id !== id)
      throw new Error(`${address} has an account of its own: it would have to be deleted first.`);
    // Whoever lost the mailbox may have lost devices too.
    await run(
      [
        ...toStatements((db) => endAllAccessQueries(db, id, { now: Date.now() })),
        `UPDATE account SET email = ${literal(address)}, mailbox = ${literal(mailboxOf(address))} WHERE id = ${id}`,
      ].join(";\n"),
    );
    return `Account ${id} has the address ${address}. All its sessions have ended; its owner asks for a login link.`;
  }
  if (request === "delete") {
    await run(deleteStatements(id, at).join(";\n"));
    return `Account ${id} is deleted as of ${new Date(at).toISOString()}, and is erased 28 days after that.`;
  }
  await run(
    request === "restrict"
      ? `UPDATE profile SET own_hidden = ifnull(own_hidden, hidden), hidden = 1 WHERE id = ${id}`
      : `UPDATE profile SET hidden = own_hidden, own_hidden = NULL WHERE id = ${id} AND own_hidden IS NOT NULL`,
  );
  return request === "restrict"
    ? `Nobody sees account ${id} any more, and nothing of it is erased.`
    : `Account ${id} is not restricted any more: it is seen as its owner chose.`;
}

/** Finds the account of this spelling, else of its mailbox. Throws if that has several, from before a mailbox had only one. */
async function findAccount(email: string, run: RunStatement) {
  const address = normalizeEmail(email);
  const rows = await run(`SELECT a.id, a.email, a.ts_created, a.ts_deleted, p.status, p.hidden, p.own_hidden
    FROM account a LEFT JOIN profile p ON p.id = a.id
    WHERE a.email = ${literal(address)} OR a.mailbox = ${literal(mailboxOf(address))}`);
  const row = rows.find((each) => each.email === address) ?? rows[0];
  if (!row) return undefined;
  if (row.email !== address && rows.length > 1)
    throw new Error(`${email} has several accounts. Name one: ${rows.map((each) => each.email).join(", ")}`);
  const deleted = row.ts_deleted === null ? "" : `deleted ${new Date(Number(row.ts_deleted)).toISOString()}`;
  const joined = new Date(Number(row.ts_created)).toISOString();
  const own = row.own_hidden ?? row.hidden;
  const hiding = `${own === 1 ? ", hidden" : ""}${row.own_hidden === null ? "" : ", restricted"}`;
  return { id: Number(row.id), joined, state: deleted || `${row.status}${hiding}` };
}

/** The same queries as the member's own deletion. */
export const deleteStatements = (id: number, at: number) => toStatements((db) => deleteAccountQueries(db, id, at));

export function toStatements(build: (db: Database) => readonly Query[]): string[] {
  return build(openDatabase({} as D1Database)).map((query) => {
    const { sql, parameters } = query.compile();
    let next = 0;
    return sql.replaceAll("?", () => literal(parameters[next++]));
  });
}

export function literal(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** Normalizes an address as accounts store it. Throws if it is invalid. */
function normalizeEmail(text: string): string {
  const { data: email } = Email.safeParse(text);
  if (email === undefined) throw new Error(`"${text}" is no mail address`);
  return email;
}
