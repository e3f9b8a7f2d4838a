/** The message databases: their bindings in wrangler.toml, and their part of schema.sql. */

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

/** Lists the message databases among the bindings, by number. */
export function listMessageDatabases(bindings: readonly BoundDatabase[]): NumberedDatabase[] {
  return bindings
    .flatMap(({ binding, database_name: name, database_id: id }) => {
      const [, number] = /^MESSAGES_(\d+)$/.exec(binding) ?? [];
      return number === undefined ? [] : [{ number: Number(number), name, id }];
    })
    .toSorted((one, other) => one.number - other.number);
}

/** Returns the part of schema.sql that creates a message database. */
export function messageSchema(schema: string): string {
  const [, part] = /^-- message databases: begin$([\s\S]*?)^-- message databases: end$/m.exec(schema) ?? [];
  if (part === undefined)
    throw new Error("schema.sql does not mark where the tables of message databases begin and end");
  return part.trimStart();
}

const BINDING = /^(?:# For messages, .*\n)?\[\[d1_databases\]\]\nbinding = "MESSAGES_\d+"\n.*\n.*\n\n/gm;

/** Returns the text of wrangler.toml with `count` message databases for development. */
export function withMessageDatabases(config: string, count: number): string {
  const bindings = Array.from(
    { length: count },
    (_, index) => `[[d1_databases]]
binding = "MESSAGES_${index + 1}"
database_name = "lambda-messages-${index + 1}"
database_id = "00000000-0000-0000-0000-${String(index + 1).padStart(12, "0")}"

`,
  );
  return config.replace(BINDING, "").replace(/^\[\[r2_buckets\]\]$/m, `${bindings.join("")}$&`);
}
