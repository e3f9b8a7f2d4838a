/**
 * What the platform allows: Hono and one statement on the site's database, with no member, limit or rule. `/floor` adds what a call of a
 * member needs in any case: one call to an object, the session, and the rows themselves.
 */
import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

interface Bindings {
  readonly DB: D1Database;
  readonly FLOOR: DurableObjectNamespace<Floor>;
}

export class Floor extends DurableObject<Bindings> {
  session(): { readonly ok: boolean } {
    return { ok: true };
  }
}

const PAGE = "select * from presence where brand = 1 and key >= ? order by key limit 30";
const SESSION =
  "select s.*, a.email, p.* from session s join account a on a.id = s.account_id join profile p on p.id = a.id where s.account_id = ?";
const INSERT = "insert into bare (text) values (?) returning id";

const app = new Hono<{ Bindings: Bindings }>();
app.get("/ping", (c) => c.json({ ok: true }));
app.get("/select", async (c) => c.json((await c.env.DB.prepare(PAGE).bind(0).all()).results));
app.post("/insert", async (c) => {
  const { text } = await c.req.json<{ text: string }>();
  return c.json(await c.env.DB.prepare(INSERT).bind(text).first());
});
app.get("/floor/select", async (c) => {
  const { DB, FLOOR } = c.env;
  const caller = c.req.query("caller") ?? "1";
  await FLOOR.getByName(caller).session();
  const [session, page] = await DB.batch([DB.prepare(SESSION).bind(Number(caller)), DB.prepare(PAGE).bind(0)]);
  return c.json({ found: session?.results.length, page: page?.results });
});
app.post("/floor/insert", async (c) => {
  const { DB, FLOOR } = c.env;
  const caller = c.req.query("caller") ?? "1";
  const { text } = await c.req.json<{ text: string }>();
  await FLOOR.getByName(caller).session();
  const insert = () => DB.prepare(INSERT).bind(text);
  const results = await DB.batch([DB.prepare(SESSION).bind(Number(caller)), insert(), insert(), insert()]);
  return c.json(results.at(-1)?.results[0]);
});

export default app;
