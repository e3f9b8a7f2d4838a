/** What the platform allows: Hono and one statement on the site's database, with no member, limit or rule. */
import { Hono } from "hono";

const app = new Hono<{ Bindings: { DB: D1Database } }>();
app.get("/ping", (c) => c.json({ ok: true }));
app.get("/select", async (c) => {
  const query = "select * from presence where brand = 1 and key >= ? order by key limit 30";
  return c.json((await c.env.DB.prepare(query).bind(0).all()).results);
});
app.post("/insert", async (c) => {
  const { text } = await c.req.json<{ text: string }>();
  const query = "insert into bare (text) values (?) returning id";
  return c.json(await c.env.DB.prepare(query).bind(text).first());
});

export default app;
