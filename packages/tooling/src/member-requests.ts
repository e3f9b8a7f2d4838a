/**
 * What an operator does for one who asks by letter, or has lost their mailbox (docs/OPERATIONS.md, A request by post). Each request is one
 * transaction on one account, found by its address.
 */

import { openDatabase } from "@lambda/worker/database";
import { deleteAccountQueries } from "@lambda/worker/deletion-queries";
import type { RunStatement } from "./migration.ts";

export const REQUESTS = ["find", "move", "restrict", "lift", "delete"] as const;
export type Request = (typeof REQUESTS)[number];

interface Asked {
  readonly request: Request;
  readonly email: string;
  /** Of a move. */
  readonly to?: string | undefined;
  /** Of a deletion: when it was asked for. */
  readonly at?: number | undefined;
}

interface Found {
  readonly id: number;
  readonly joined: string;
  readonly state: string;
}

const MAIL = /^[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}$/;

/** Answers a sentence for the operator's notes. Throws when it cannot be done, and has then changed nothing. */
export async function fulfil({ request, email, to, at = Date.now() }: Asked, run: RunStatement): Promise<string> {
  const account = await find(email, run);
  if (!account) throw new Error(`There is no account of ${email}.`);
  const { id, joined, state } = account;
  if (request === "find") return `Account ${id}, joined ${joined}, ${state}.`;
  if (request === "move") {
    const address = addressOf(to ?? "");
    if (await find(address, run))
      throw new Error(`${address} has an account of its own: it would have to be deleted first.`);
    await run(moveStatements(id, address).join(";\n"));
    return `Account ${id} has the address ${address}. All its sessions have ended; its owner asks for a login link.`;
  }
  if (request === "delete") {
    await run(deleteStatements(id, at).join(";\n"));
    return `Account ${id} is deleted as of ${new Date(at).toISOString()}, and is erased 28 days after that.`;
  }
  await run(`UPDATE profile SET hidden = ${request === "restrict" ? 1 : 0} WHERE id = ${id}`);
  return request === "restrict"
    ? `Nobody sees account ${id} any more, and nothing of it is erased.`
    : `Account ${id} is shown again.`;
}

async function find(email: string, run: RunStatement): Promise<Found | undefined> {
  const [row] = await run(`SELECT a.id, a.ts_created, a.ts_deleted, p.status, p.hidden
    FROM account a LEFT JOIN profile p ON p.id = a.id WHERE a.email = '${addressOf(email)}'`);
  if (!row) return undefined;
  const deleted = row.ts_deleted === null ? "" : `deleted ${new Date(Number(row.ts_deleted)).toISOString()}`;
  const joined = new Date(Number(row.ts_created)).toISOString();
  return { id: Number(row.id), joined, state: deleted || `${row.status}${row.hidden === 1 ? ", hidden" : ""}` };
}

function moveStatements(id: number, email: string): string[] {
  return [
    `UPDATE account SET email = '${email}', email_pending = null WHERE id = ${id}`,
    `DELETE FROM session WHERE account_id = ${id}`,
    `DELETE FROM login_code WHERE account_id = ${id}`,
  ];
}

/** What the member's own deletion does. */
function deleteStatements(id: number, at: number): string[] {
  const compiler = openDatabase({} as D1Database);
  return deleteAccountQueries(compiler, id, at).map(({ sql, parameters }) => {
    let next = 0;
    return sql.replaceAll("?", () => literal(parameters[next++]));
  });
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** As accounts are stored. Throws when it is none, also for what would end a string of SQL. */
function addressOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (!MAIL.test(email)) throw new Error(`"${text}" is no mail address`);
  return email;
}
