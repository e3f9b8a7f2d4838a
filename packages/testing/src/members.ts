/** The only place where tests, benches and seeds insert an account or a profile; the worker's own code registers members itself. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type BrandId, getBrand } from "@lambda/brands";
import type { RunSql, Statement } from "./sql.ts";

const SEEN_ROUNDING_MS = 900_000;
const DAY_MS = 86_400_000;

/** What a test member may differ in; a member without overrides is active, named and on Ember alone. */
export interface MemberOverrides {
  readonly id?: number;
  readonly email?: string;
  /** The profile's name, by which others know the member. */
  readonly name?: string;
  readonly realName?: string;
  readonly brand?: BrandId;
  /** Brand bits; by default the home brand only. */
  readonly sharedOn?: number;
  readonly adminBrand?: BrandId | "*" | null;
  readonly birthdate?: string | null;
  readonly height?: string;
  readonly weight?: string;
  readonly description?: string;
  readonly characteristics?: number;
  /** Ids of public pictures. */
  readonly pictures?: readonly number[];
  readonly status?: "active" | "suspended" | "banned" | "deleted";
  readonly hidden?: boolean;
  readonly passwordHash?: string | null;
  readonly proved?: boolean;
  /** When the account was made; milliseconds. */
  readonly created?: number;
  readonly seen?: number;
  readonly updated?: number;
  /** When the member said whether sister brands may show them; null: not asked yet. */
  readonly sharingChosen?: number | null;
  readonly acknowledgements?: string;
  readonly network?: number | null;
  readonly isTest?: boolean;
  /** Orders members at equal distances. */
  readonly randomOrder?: number;
}

/** A member's columns of both tables, by name. */
type Columns = Record<string, string | number | null>;

let count = 0;

function columnsOf(overrides: MemberOverrides): { account: Columns; profile: Columns } {
  count += 1;
  const created = overrides.created ?? Date.now();
  const seen = overrides.seen ?? created;
  const brand = getBrand(overrides.brand ?? "ember");
  const { id = null, status = "active" } = overrides;
  const email = overrides.email ?? `member${count}-${randomInt(1e9)}@example.test`;
  return {
    account: {
      id,
      email,
      name: overrides.realName ?? `Real ${count}`,
      password_hash: overrides.passwordHash ?? null,
      home_brand: brand.id,
      admin_brand: overrides.adminBrand ?? null,
      network: overrides.network ?? null,
      is_test: overrides.isTest ? 1 : 0,
      acknowledgements: overrides.acknowledgements ?? "",
      ts_sharing_chosen: overrides.sharingChosen ?? null,
      ts_created: created,
      ts_deleted: status === "deleted" ? created : null,
    },
    profile: {
      id,
      profile_name: overrides.name ?? `Member ${id ?? count}`,
      birthdate: overrides.birthdate === undefined ? "1990-05-17" : overrides.birthdate,
      height: overrides.height ?? "",
      weight: overrides.weight ?? "",
      description: overrides.description ?? "",
      characteristics: overrides.characteristics ?? 0,
      pics_public: JSON.stringify(overrides.pictures ?? []),
      status,
      hidden: overrides.hidden ? 1 : 0,
      shared_on: overrides.sharedOn ?? brand.bit,
      random_order: overrides.randomOrder ?? randomInt(2 ** 32),
      ts_seen: seen - (seen % SEEN_ROUNDING_MS),
      ts_updated: overrides.updated ?? created,
    },
  };
}

/** As many members as one value of a statement may hold. */
const MEMBERS_PER_STATEMENT = 1000;

/** Two statements for each thousand members: the accounts, which answer `id` and `email` in order, and the profiles. */
export function memberStatements(...members: MemberOverrides[]): Statement[] {
  const columns = members.map(columnsOf);
  const chunks = Array.from({ length: Math.ceil(columns.length / MEMBERS_PER_STATEMENT) }, (_, index) =>
    columns.slice(index * MEMBERS_PER_STATEMENT, (index + 1) * MEMBERS_PER_STATEMENT),
  );
  return chunks.flatMap((chunk) => {
    const [accounts, profiles] = [chunk.map(({ account }) => account), chunk.map(({ profile }) => profile)];
    const { id: _, ...own } = profiles[0] ?? {};
    const select = (row: Columns) => Object.keys(row).map((name) => `m.value ->> '${name}'`);
    return [
      {
        query: `insert into account (${Object.keys(accounts[0] ?? {})}) select ${select(accounts[0] ?? {})}
          from json_each(?) m order by m.key returning id, email`,
        values: [JSON.stringify(accounts)],
      },
      {
        query: `insert into profile (id, ${Object.keys(own)}) select a.id, ${select(own)}
          from json_each(?) m cross join account a on a.email = m.value ->> 'email' order by m.key`,
        values: [JSON.stringify(chunk.map(({ account, profile }) => ({ ...profile, email: account.email ?? null })))],
      },
    ];
  });
}

/** For crowds of a million in a file of node:sqlite, which bring their own ids. */
export function memberInserter(sqlite: DatabaseSync): (member: MemberOverrides & { readonly id: number }) => void {
  const statements = new Map<string, StatementSync>();
  const insert = (table: "account" | "profile", row: Columns) => {
    const names = Object.keys(row);
    const statement =
      statements.get(table) ?? sqlite.prepare(`insert into ${table} (${names}) values (${names.map(() => "?")})`);
    statements.set(table, statement);
    statement.run(...Object.values(row));
  };
  return (member) => {
    const { account, profile } = columnsOf(member);
    insert("account", account);
    insert("profile", profile);
  };
}

export interface CreatedMember {
  readonly id: number;
  readonly email: string;
}

export async function createMembers(run: RunSql, members: readonly MemberOverrides[]): Promise<CreatedMember[]> {
  const answers = await run(...memberStatements(...members));
  return answers.flat() as unknown as CreatedMember[];
}

export async function createMember(run: RunSql, overrides: MemberOverrides = {}): Promise<CreatedMember> {
  const [member] = await createMembers(run, [overrides]);
  if (!member) throw new Error("no member was made");
  return member;
}

export interface SessionOptions {
  readonly brand?: BrandId;
  readonly device?: string;
  /** As if the member had just logged in; else a session that has to prove whose it is. */
  readonly proved?: boolean;
  readonly remember?: boolean;
  readonly now?: number;
}

/** The statement that makes a session, and the token that its cookie holds. */
export function sessionStatement(
  id: number,
  { brand = "ember", device = "Test", proved = false, remember = true, now = Date.now() }: SessionOptions = {},
): { statement: Statement; token: string } {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest("hex");
  const statement = {
    query: `insert into session (token_hash, account_id, brand, device_label, remember, ts_proved, ts_created, ts_last_used, ts_expires)
      values (unhex(?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [hash, id, brand, device, remember ? 1 : 0, proved ? now : 0, now, now, now + DAY_MS],
  };
  return { statement, token };
}

/** Gives a member a session and answers its token. */
export async function createSession(run: RunSql, id: number, options: SessionOptions = {}): Promise<string> {
  const { statement, token } = sessionStatement(id, options);
  await run(statement);
  return token;
}

/** Sessions of many members by one statement. */
export async function createSessions(run: RunSql, ids: readonly number[]): Promise<string[]> {
  const sessions = ids.map((id) => sessionStatement(id));
  await run(...sessions.map(({ statement }) => statement));
  return sessions.map(({ token }) => token);
}
