/** Databases for messages: which wrangler.toml names, and the part of schema.sql that each of them has. */

export interface BoundDatabase {
  readonly binding: string;
  readonly database_name: string;
  readonly database_id: string;
}

export interface NumberedDatabase {
  readonly number: number;
  readonly name: string;
  readonly id: string;
}

/** Those among the bound databases that hold messages alone, in the order of their numbers. */
export function listMessageDatabases(bound: readonly BoundDatabase[]): NumberedDatabase[] {
  return bound
    .flatMap(({ binding, database_name: name, database_id: id }) => {
      const [, number] = /^MESSAGES_(\d+)$/.exec(binding) ?? [];
      return number === undefined ? [] : [{ number: Number(number), name, id }];
    })
    .toSorted((one, other) => one.number - other.number);
}

/** What schema.sql says of a database for messages. */
export function messageSchema(schema: string): string {
  const [, part] = /^-- message databases: begin$([\s\S]*?)^-- message databases: end$/m.exec(schema) ?? [];
  if (part === undefined)
    throw new Error("schema.sql does not say where the tables of message databases begin and end");
  return part.trimStart();
}

const BINDING = /^(?:# For messages, .*\n)?\[\[d1_databases\]\]\nbinding = "MESSAGES_\d+"\n.*\n.*\n\n/gm;

/** The text of wrangler.toml with so many databases for messages in development. */
export function withMessageDatabases(config: string, count: number): string {
  const bindings = Array.from(
    { length: count },
    (_, at) => `[[d1_databases]]
binding = "MESSAGES_${at + 1}"
database_name = "lambda-messages-${at + 1}"
database_id = "00000000-0000-0000-0000-${String(at + 1).padStart(12, "0")}"

`,
  );
  return config.replace(BINDING, "").replace(/^\[\[r2_buckets\]\]$/m, `${bindings.join("")}$&`);
}
