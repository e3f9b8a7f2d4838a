/**
 * The only place where tests, benches and seeds insert accounts and profiles. The worker's own code registers real
 * members.
 */
import { createHash, randomBytes, randomInt } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type BrandId, getBrand } from "@lambda/brands";
import { DAY_MS, SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import type { RunSql, Statement } from "./sql.ts";

/** Properties of a test member. Without overrides a member is active, named, and listed on Ember only. */
export interface MemberOverrides {
  readonly id?: number;
  readonly email?: string;
  /** The profile's name, which other members see. */
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
  readonly discreet?: boolean;
  readonly passwordHash?: string | null;
  /** Whether the member's session is as new as right after a login. */
  readonly freshProof?: boolean;
  /** When the account was created; milliseconds. */
  readonly created?: number;
  readonly seen?: number;
  readonly updated?: number;
  /** When the member chose whether sister brands may show them; null if they have not chosen. */
  readonly sharingChosen?: number | null;
  readonly acknowledgements?: string;
  readonly network?: number | null;
  readonly isTest?: boolean;
  /** Determines the order of members at equal distances. */
  readonly randomOrder?: number;
}

/** The values of a row by column name. */
type Columns = Record<string, string | number | null>;

let memberCount = 0;

function toColumns(overrides: MemberOverrides): { account: Columns; profile: Columns } {
  memberCount += 1;
  const created = overrides.created ?? Date.now();
  const seen = overrides.seen ?? created;
  const brand = getBrand(overrides.brand ?? "ember");
  const { id = null, status = "active" } = overrides;
  const email = overrides.email ?? `member${memberCount}-${randomInt(1e9)}@example.test`;
  return {
    account: {
      id,
      email,
      name: overrides.realName ?? `Real ${memberCount}`,
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
      profile_name: overrides.name ?? `Member ${id ?? memberCount}`,
      birthdate: overrides.birthdate === undefined ? "1990-05-17" : overrides.birthdate,
      height: overrides.height ?? "",
      weight: overrides.weight ?? "",
      description: overrides.description ?? "",
      characteristics: overrides.characteristics ?? 0,
      pics_public: JSON.stringify(overrides.pictures ?? []),
      status,
      hidden: overrides.hidden ? 1 : 0,
      shared_on: overrides.discreet ? 0 : (overrides.sharedOn ?? brand.bit),
      discreet_on: overrides.discreet ? (overrides.sharedOn ?? brand.bit) : 0,
      random_order: overrides.randomOrder ?? randomInt(2 ** 32),
      ts_seen: seen - (seen % SEEN_ROUNDING_MS),
      ts_updated: overrides.updated ?? created,
    },
  };
}

/** Keeps the JSON of a statement's members below D1's limit for a bound value. */
const MEMBERS_PER_STATEMENT = 1000;

/**
 * Returns two statements per thousand members: one inserts the accounts and returns `id` and `email` in order, one the
 * profiles.
 */
export function memberStatements(...members: MemberOverrides[]): Statement[] {
  const columns = members.map(toColumns);
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

/** Inserts one member at a time into a node:sqlite database, for benches with a million members. */
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
    const { account, profile } = toColumns(member);
    insert("account", account);
    insert("profile", profile);
  };
}

export interface InsertedMember {
  readonly id: number;
  readonly email: string;
}

export async function insertMembers(run: RunSql, members: readonly MemberOverrides[]): Promise<InsertedMember[]> {
  const rows = await run(...memberStatements(...members));
  return rows.flat() as unknown as InsertedMember[];
}

export async function insertMember(run: RunSql, overrides: MemberOverrides = {}): Promise<InsertedMember> {
  const [member] = await insertMembers(run, [overrides]);
  if (!member) throw new Error("no member was inserted");
  return member;
}

export interface SessionOptions {
  readonly brand?: BrandId;
  readonly device?: string;
  /** As right after a login; without it, the session needs a new proof for protected actions. */
  readonly freshProof?: boolean;
  readonly remember?: boolean;
  readonly now?: number;
}

/** Returns the statement that inserts a session, and the token for its cookie. */
export function sessionStatement(
  id: number,
  { brand = "ember", device = "Test", freshProof = false, remember = true, now = Date.now() }: SessionOptions = {},
): { statement: Statement; token: string } {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest("hex");
  const statement = {
    query: `insert into session (token_hash, account_id, brand, device_label, remember, ts_proved, ts_created, ts_last_used, ts_expires)
      values (unhex(?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [hash, id, brand, device, remember ? 1 : 0, freshProof ? now : 0, now, now, now + DAY_MS],
  };
  return { statement, token };
}

/** Inserts a session of a member and returns the token for its cookie. */
export async function insertSession(run: RunSql, id: number, options: SessionOptions = {}): Promise<string> {
  const { statement, token } = sessionStatement(id, options);
  await run(statement);
  return token;
}

/** Inserts a session for each member in one transaction and returns their tokens in order. */
export async function insertSessions(run: RunSql, ids: readonly number[]): Promise<string[]> {
  const sessions = ids.map((id) => sessionStatement(id));
  await run(...sessions.map(({ statement }) => statement));
  return sessions.map(({ token }) => token);
}
