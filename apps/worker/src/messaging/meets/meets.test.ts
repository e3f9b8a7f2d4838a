import { createHash, randomBytes } from "node:crypto";
import {
  DAY_MS,
  HOUR_MS,
  MEET_CALLS_PER_MINUTE_MAX,
  MEET_FRIENDS_MAX,
  MEET_GRACE_MS,
  MEET_LINK_TRIES_MAX,
  MEET_PLAN_BYTES,
  MEET_POSITION_BYTES,
  MEET_POSITIONS_EACH_MAX,
  MEET_SEAL_BYTES,
  MEET_TRIES_MAX,
  MEET_WRONG_CALLS_PER_NETWORK_MAX,
  MEETS_PER_DAY_MAX,
  MINUTE_MS,
} from "@lambda/contract/limits";
import { NotificationKind } from "@lambda/contract/notifications";
import { createMember, type TestMember } from "@lambda/testing/member";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { hitLimit } from "@lambda/testing/rate-limits";
import { openSocket } from "@lambda/testing/socket";
import { createVisitor, type TestVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
let service: PushService;
let maker: TestMember;
let friend: TestVisitor;
const NOW = Date.now();

beforeAll(async () => {
  worker = await startWorker();
  service = await startPushService();
  maker = await createMember(worker);
  friend = createVisitor(worker);
});
afterAll(() => service.close());

const random = (bytes: number) => randomBytes(bytes).toString("base64url");
const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** A plan's tokens as a device makes them. To the server, encrypted content is as good as random. */
function makePlan({ runsMs = HOUR_MS, graceMs = MEET_GRACE_MS } = {}) {
  const tokens = { reader: random(32), owner: random(32), fine: random(32), help: random(32) };
  const id = hashOf(tokens.owner).slice(0, 22);
  const draft = {
    id,
    owner: tokens.owner,
    reader: hashOf(tokens.reader),
    fine: hashOf(tokens.fine),
    help: hashOf(tokens.help),
    runsMs,
    graceMs,
    plan: random(MEET_PLAN_BYTES + MEET_SEAL_BYTES),
  };
  return { id, draft, ...tokens };
}
type Made = ReturnType<typeof makePlan>;

const post = (path: string, body: object, now = NOW, headers: Record<string, string> = {}, from = friend) =>
  from.fetch(`/api/meet${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-development-now": String(now), ...headers },
    body: JSON.stringify(body),
  });
const device = (name: string) => {
  const { subscription, ...rest } = service.createDevice(name);
  const { endpoint, auth_base64, p256dh_base64 } = subscription;
  return { ...rest, device: { endpoint, auth_base64, p256dh_base64, locale: "es" } };
};
const create = (draft: object, by = maker, headers: Record<string, string> = {}) =>
  by.fetch("/api/meet", {
    method: "POST",
    headers: { "content-type": "application/json", "x-development-now": String(NOW), ...headers },
    body: JSON.stringify(draft),
  });
const made = async (options = {}) => {
  const plan = makePlan(options);
  expect((await create(plan.draft)).status).toBe(201);
  return plan;
};
const read = async ({ id, reader }: Pick<Made, "id" | "reader">, now = NOW) =>
  ((await (await post("/read", { id, reader }, now)).json()) as { answer: Record<string, unknown> }).answer;
/** From anywhere with the link. */
const answer = ({ id, reader }: Made, pin: string, act: object, now = NOW, from = friend) =>
  post("/answer", { id, reader, pin, act }, now, {}, from);
/** From the maker's own device, on the network of the friend. */
const answerAsMaker = ({ id, reader, owner }: Made, pin: string, act: object, now = NOW) =>
  post("/answer", { id, reader, owner, pin, act }, now);
const FINE = { type: "fine" };
const ALARM = NOW + HOUR_MS + MEET_GRACE_MS;

describe("a plan", () => {
  it("is withheld until the alarm, then shown to the link alone, and erased a day later", async () => {
    const plan = await made();
    const waiting = await read(plan);
    expect(waiting).toEqual({ state: "waiting", now: NOW, deadline: NOW + HOUR_MS, alarmAt: ALARM });
    expect((await read(plan, ALARM - 1)).state).toBe("waiting");
    const raised = await read(plan, ALARM);
    expect(raised).toMatchObject({ state: "raised", reason: "silence", raisedAt: ALARM, plan: plan.draft.plan });
    expect(await read(plan, ALARM + 5)).toEqual({ ...raised, now: ALARM + 5 });
    expect((await read({ ...plan, reader: random(32) }, ALARM + 5)).state).toBe("over");
    expect((await read({ ...plan, reader: plan.owner }, ALARM + 5)).state).toBe("over");
    expect((await read(plan, ALARM + DAY_MS)).state).toBe("over");
    const stored = await worker.env.SAFE_MEET.getByName(
      createHash("sha256").update(`safe-meet:${plan.id}`).digest("hex"),
    );
    expect(await stored.status(plan.owner, ALARM + DAY_MS)).toBe("gone");
  });

  it("responds identically when it ended, was erased, never existed, or the token is wrong", async () => {
    const [ended, erased, known] = [await made(), await made(), await made()];
    expect((await answer(ended, ended.fine, FINE)).status).toBe(200);
    await read(erased, ALARM + DAY_MS);
    const asked = [ended, erased, makePlan(), { ...known, reader: random(32), owner: random(32) }];
    const answers = await Promise.all(
      asked.map(async ({ id, reader, owner, fine }) =>
        Promise.all(
          [
            await post("/read", { id, reader }),
            await post("/status", { id, owner }),
            await post("/position", { id, owner, position: random(MEET_POSITION_BYTES + MEET_SEAL_BYTES) }),
            // The right PIN, which without the link ends nothing.
            await post("/answer", { id, reader, pin: fine, act: FINE }),
          ].map(async (response) => [response.status, await response.text()]),
        ),
      ),
    );
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(JSON.stringify(answers[0])).toContain("over");
  });

  it("ends by the first PIN; the second one gets an identical response but raises the alarm", async () => {
    const [calm, forced] = [await made(), await made()];
    const replies = [await answer(calm, calm.fine, FINE), await answer(forced, forced.help, FINE)];
    const responses = await Promise.all(
      replies.map(async (reply) => [
        reply.status,
        [...reply.headers].filter(([name]) => !/^(x-request-id|x-now|x-d1-.*)$/.test(name)),
        await reply.text(),
      ]),
    );
    expect(responses[1]).toEqual(responses[0]);
    expect((await read(calm)).state).toBe("over");
    expect(await read(forced)).toMatchObject({ state: "raised", reason: "pin", raisedAt: NOW });
    // Whoever holds the device learns nothing by sending the same again.
    for (const plan of [calm, forced]) {
      expect((await post("/status", plan)).status).toBe(404);
      for (const pin of [plan.fine, plan.help]) expect((await answer(plan, pin, FINE)).status).toBe(404);
      for (const draft of [plan.draft, { ...plan.draft, plan: makePlan().draft.plan }])
        expect((await create(draft)).status).toBe(409);
    }
    expect((await read(forced)).state).toBe("raised");
  });

  it("is extended alike by both PINs, but the second one raises the alarm at once", async () => {
    const [calm, forced] = [await made(), await made()];
    const act = { type: "extend", from: NOW + HOUR_MS, byMs: HOUR_MS };
    const texts = await Promise.all(
      [calm, forced].map(async (plan, at) => (await answer(plan, at === 0 ? plan.fine : plan.help, act)).text()),
    );
    expect(texts[1]).toBe(texts[0]);
    const statuses = await Promise.all(
      [calm, forced].map(async ({ id, owner }) => (await post("/status", { id, owner })).text()),
    );
    expect(statuses[1]).toBe(statuses[0]);
    expect(await read(calm, ALARM)).toMatchObject({ state: "waiting", deadline: NOW + 2 * HOUR_MS });
    expect((await read(forced)).state).toBe("raised");
    expect(JSON.parse(texts[0]!)).toMatchObject({ status: { state: "running", deadline: NOW + 2 * HOUR_MS } });
    // The same call again adds nothing.
    await answer(calm, calm.fine, act);
    expect(await read(calm, ALARM)).toMatchObject({ deadline: NOW + 2 * HOUR_MS });
    // The maker answers late that all is well: the friend sees that, and the plan is gone.
    const late = NOW + 3 * HOUR_MS;
    expect((await read(calm, late)).state).toBe("raised");
    expect((await answer(calm, calm.fine, FINE, late)).status).toBe(200);
    expect(await read(calm, late + 1)).toEqual({ state: "safe", now: late + 1, safeAt: late });
  });

  it("accepts no PIN after five wrong ones, even concurrent ones, and the alarm comes at its time", async () => {
    const plan = await made();
    // Someone who has only the id learns nothing and uses up no try.
    for (let tries = 0; tries <= MEET_TRIES_MAX; tries += 1)
      expect((await answer({ ...plan, reader: random(32) }, random(32), FINE)).status).toBe(404);
    const wrong = await Promise.all(
      Array.from(
        { length: MEET_TRIES_MAX + 3 },
        async () => (await (await answer(plan, random(32), FINE)).json()) as { accepted: boolean; triesLeft: number },
      ),
    );
    expect(wrong.filter(({ accepted }) => accepted)).toEqual([]);
    expect(Math.min(...wrong.map(({ triesLeft }) => triesLeft))).toBe(0);
    expect(await (await answer(plan, plan.fine, FINE)).json()).toEqual({ accepted: false, triesLeft: 0 });
    expect((await read(plan, ALARM)).state).toBe("raised");
  });

  it("keeps the first and the last positions, shows them only with the alarm, and accepts none from the link", async () => {
    const plan = await made();
    const position = () => random(MEET_POSITION_BYTES + MEET_SEAL_BYTES);
    const sent = Array.from({ length: 2 * MEET_POSITIONS_EACH_MAX + 3 }, position);
    for (const [at, text] of sent.entries())
      expect((await post("/position", { id: plan.id, owner: plan.owner, position: text }, NOW + at)).status).toBe(200);
    expect((await post("/position", { id: plan.id, owner: plan.reader, position: position() })).status).toBe(404);
    expect((await post("/position", { id: plan.id, owner: plan.owner, position: "abc" })).status).toBe(400);
    expect(await read(plan)).not.toHaveProperty("positions");
    const { positions } = (await read(plan, ALARM)) as { positions: { position: string }[] };
    expect(positions.map((kept) => kept.position)).toEqual([
      ...sent.slice(0, MEET_POSITIONS_EACH_MAX),
      ...sent.slice(-MEET_POSITIONS_EACH_MAX),
    ]);
  });

  it("is rejected if it is invalid, too large, from a visitor, a duplicate, or one too many per day", async () => {
    const { draft } = makePlan();
    const bad: Record<string, object> = {
      plan: { ...draft, plan: `${draft.plan}A` },
      id: { ...draft, id: "short" },
      runsMs: { ...draft, runsMs: DAY_MS + 1 },
      help: { ...draft, help: draft.fine },
    };
    for (const [field, body] of Object.entries(bad)) {
      const refused = await create(body);
      expect([refused.status, ((await refused.json()) as { error: { field: string } }).error.field]).toEqual([
        400,
        field,
      ]);
    }
    const huge = await create({ ...draft, plan: "A".repeat(13_000_000) });
    expect(huge.status).toBe(413);
    expect((await friend.send("POST", "/api/meet", draft)).status).toBe(401);
    const [first, again] = [await create(draft), await create(draft)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    // Whoever has the unlocked phone cannot give a running plan other PINs or more time.
    for (const change of [{ fine: hashOf("0") }, { help: hashOf("0") }, { plan: makePlan().draft.plan }])
      expect((await create({ ...draft, ...change })).status).toBe(409);
    expect(await (await create({ ...draft, runsMs: 2 * HOUR_MS })).json()).toMatchObject({ deadline: NOW + HOUR_MS });
    const eager = await createMember(worker);
    const statuses: number[] = [];
    for (let count = 0; count <= MEETS_PER_DAY_MAX; count += 1)
      statuses.push((await create(makePlan().draft, eager, { "x-development-quotas": "on" })).status);
    expect(statuses).toEqual([...Array.from({ length: MEETS_PER_DAY_MAX }, () => 201), 429]);
  });

  it("limits the calls with a wrong token per network and hour, and none with the right one", async () => {
    const plan = await made();
    const ip = "198.51.100.20";
    const wrong = random(32);
    const send = (path: string, body: object) =>
      worker.fetch(`http://ember.localhost/api/meet${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: "http://ember.localhost",
          "cf-connecting-ip": ip,
          "x-development-now": String(NOW),
        },
        body: JSON.stringify({ id: plan.id, ...body }),
      });
    const calls = ({ reader, owner, fine }: Pick<Made, "reader" | "owner" | "fine">) =>
      Object.entries({
        "/status": { owner },
        "/position": { owner, position: random(MEET_POSITION_BYTES + MEET_SEAL_BYTES) },
        "/read": { reader },
        "/subscribe": { reader, device: device("network").device },
        "/answer": { reader, pin: fine, act: FINE },
      });
    await hitLimit(worker, `safe-meet:${ip}`, MEET_WRONG_CALLS_PER_NETWORK_MAX - 1, HOUR_MS);
    expect((await send("/status", { owner: wrong })).status).toBe(404);
    for (const [path, body] of calls({ reader: wrong, owner: wrong, fine: wrong })) {
      const refused = await send(path, body);
      expect(await refused.json(), path).toMatchObject({ error: { code: "TOO_MANY_REQUESTS" } });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    // Nothing of it reached the plan, and a neighbor with the right tokens is not affected.
    for (const [path, body] of calls(plan)) expect((await send(path, body)).status, path).toBe(200);
  });
});

it("cannot be found by making another one with its address, running, raised or ended", async () => {
  const [running, raised, ended] = [await made(), await made(), await made()];
  await answer(raised, raised.help, FINE);
  await answer(ended, ended.fine, FINE);
  const stranger = await createMember(worker);
  const responses = await Promise.all(
    [running, raised, ended, makePlan()].map(async ({ id }) => {
      const response = await create({ ...makePlan().draft, id }, stranger);
      return [response.status, await response.text()];
    }),
  );
  expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(responses[0]![0]).toBe(400);
});

describe("an attacker with the link", () => {
  const flood = <Answer>(count: number, call: () => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, call));

  it("who floods reads stops neither the friend nor the maker, and no one's read of a raised plan", async () => {
    const plan = await made();
    const attacker = createVisitor(worker);
    const readBy = async (from: TestVisitor, now = NOW) => (await post("/read", plan, now, {}, from)).status;
    // A stranger who has only the id uses up nothing.
    await flood(MEET_CALLS_PER_MINUTE_MAX + 3, () => post("/read", { ...plan, reader: random(32) }));
    const statuses = await flood(MEET_CALLS_PER_MINUTE_MAX + 3, () => readBy(attacker));
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    expect(await readBy(friend)).toBe(200);
    expect((await post("/status", plan)).status).toBe(200);
    const raised = await flood(MEET_CALLS_PER_MINUTE_MAX + 3, () => readBy(attacker, ALARM));
    expect(new Set(raised)).toEqual(new Set([200]));
    // Even from the attacker's network, such as the Wi-Fi of a bar.
    expect((await answer(plan, plan.fine, FINE, ALARM, attacker)).status).toBe(200);
    expect((await read(plan, ALARM)).state).toBe("safe");
  });

  it("who floods wrong PINs takes no try from the maker's device or another network, and guesses no more than 15", async () => {
    const plan = await made();
    const pins = (from: TestVisitor) =>
      flood(MEET_TRIES_MAX + 3, async () => {
        const { accepted, triesLeft } = (await (await answer(plan, random(32), FINE, NOW, from)).json()) as {
          accepted: boolean;
          triesLeft: number;
        };
        expect(accepted).toBe(false);
        return triesLeft;
      });
    await pins(createVisitor(worker));
    expect(await (await answer(plan, random(32), FINE)).json()).toEqual({
      accepted: false,
      triesLeft: MEET_TRIES_MAX - 1,
    });
    for (let used = MEET_TRIES_MAX; used < MEET_LINK_TRIES_MAX; used += MEET_TRIES_MAX)
      await pins(createVisitor(worker));
    expect(await (await answer(plan, plan.fine, FINE)).json()).toEqual({ accepted: false, triesLeft: 0 });
    expect((await answerAsMaker({ ...plan, owner: random(32) }, plan.fine, FINE)).status).toBe(404);
    expect(await (await answerAsMaker(plan, random(32), FINE)).json()).toMatchObject({ triesLeft: MEET_TRIES_MAX - 1 });
    expect(await (await answerAsMaker(plan, plan.fine, FINE)).json()).toMatchObject({ accepted: true });
    expect((await read(plan)).state).toBe("over");
  });

  it("whoever changes networks all the time removes no friend who came before the places were half full", async () => {
    const plan = makePlan();
    expect((await maker.send("POST", "/api/meet", plan.draft)).status).toBe(201);
    const subscribe = async (to: { device: object }) => {
      const body = { id: plan.id, reader: plan.reader, device: to.device };
      expect((await createVisitor(worker).send("POST", "/api/meet/subscribe", body)).status).toBe(200);
    };
    const phone = device("first-friend");
    await subscribe(phone);
    for (let at = 0; at < 200; at += 1) await subscribe(device(`network-${at}`));
    expect((await answer(plan, plan.help, FINE)).status).toBe(200);
    await service.waitForPush(phone.path);
  });

  it("who fills all places with devices of many networks makes room for each friend who comes, and all friends are woken", async () => {
    const plan = makePlan({ runsMs: 9000, graceMs: 500 });
    expect((await maker.send("POST", "/api/meet", plan.draft)).status).toBe(201);
    const subscribe = async (from: TestVisitor, to: { device: object }) =>
      (await from.send("POST", "/api/meet/subscribe", { id: plan.id, reader: plan.reader, device: to.device })).status;
    const [phone, tablet, second] = [device("phone"), device("tablet"), device("second-friend")];
    expect(await subscribe(friend, phone)).toBe(200);
    const attacker = createVisitor(worker);
    // The friend's address with keys that do not fit, and devices that do not answer or are gone.
    const broken = { device: { ...phone.device, auth_base64: "A".repeat(22) } };
    const attempts = [broken, ...Array.from({ length: 6 }, (_, at) => device(`attacker-${at}`))];
    for (const each of attempts) expect(await subscribe(attacker, each)).toBe(200);
    const others = Array.from({ length: 8 }, () => createVisitor(worker));
    const made = Array.from({ length: 5 * others.length }, (_, at) => device(`made-up-${at}`));
    for (const [at, each] of made.entries()) expect(await subscribe(others[at % others.length]!, each)).toBe(200);
    const phones = async () => ((await (await post("/status", plan)).json()) as { phones: number }).phones;
    expect(await phones()).toBe(MEET_FRIENDS_MAX);
    expect(await subscribe(friend, tablet)).toBe(200);
    expect(await subscribe(createVisitor(worker), second)).toBe(200);
    // Further ones of the attacker's displace their own, or the newest of another network that has most.
    for (let more = 0; more < 20; more += 1) expect(await subscribe(others[0]!, device(`more-${more}`))).toBe(200);
    expect(await phones()).toBe(MEET_FRIENDS_MAX);
    service.nextStatuses.set("/attacker-0", [503]);
    service.nextStatuses.set("/attacker-1", [410]);
    for (const each of [tablet, second]) {
      const push = await service.waitForPush(each.path);
      expect(each.decrypt(push.body)).toEqual({ title: "Un plan", body: "Abre la página ahora, por favor." });
    }
    // The entry with the broken keys also reaches the address, but the friend's device can read one.
    await service.waitForPush(phone.path, 2);
    const readable = service.received
      .filter(({ path }) => path === phone.path)
      .filter(({ body }) => {
        try {
          return phone.decrypt(body) !== undefined;
        } catch {
          return false;
        }
      });
    expect(readable).toHaveLength(1);
  });
});

describe("a plan in real time", () => {
  const send = (path: string, body: object) => friend.send("POST", `/api/meet${path}`, body);
  const subscribe = ({ id, reader }: Made, to: ReturnType<typeof device>["device"]) =>
    send("/subscribe", { id, reader, device: to });
  /** A plan of a few seconds, and the friend's device that subscribed to it in time. */
  const soon = async (friendDevice: ReturnType<typeof device>) => {
    const plan = makePlan({ runsMs: 4000, graceMs: 1500 });
    expect((await maker.send("POST", "/api/meet", plan.draft)).status).toBe(201);
    expect((await subscribe(plan, friendDevice.device)).status).toBe(200);
    return plan;
  };

  it("reminds the maker, pushes to the friend without saying what it is about, and is not stopped by a dead device", async () => {
    const phone = service.createDevice("maker-phone");
    expect((await maker.send("POST", "/api/push-subscription", phone.subscription)).status).toBe(201);
    // Neither switched-off notifications nor a page that is open elsewhere keep the reminder from the phone.
    await maker.send("PUT", "/api/notification-preferences", { off: NotificationKind.options });
    const laptop = await openSocket(worker, maker);
    const [awake, gone, busy] = [device("awake"), device("gone"), device("busy")];
    service.nextStatuses.set(gone.path, [410]);
    service.nextStatuses.set(busy.path, [503]);
    const [plan, dead, flaky] = [await soon(awake), await soon(gone), await soon(busy)];
    const foreign = { ...awake.device, endpoint: "https://example.com/push" };
    expect((await subscribe(plan, foreign)).status).toBe(400);

    const reminder = await service.waitForPush(phone.path);
    expect(reminder.headers).toMatchObject({ urgency: "high" });
    expect(phone.decrypt(reminder.body)).toMatchObject({
      kind: "plan",
      alarm: true,
      body: "You asked for a reminder",
      url: "/notifications#plan",
    });
    laptop.close();
    const push = await service.waitForPush(awake.path);
    expect(awake.decrypt(push.body)).toEqual({ title: "Un plan", body: "Abre la página ahora, por favor." });
    await service.waitForPush(gone.path);
    await service.waitForPush(busy.path);
    for (const each of [plan, dead, flaky])
      expect(await (await send("/read", { id: each.id, reader: each.reader })).json()).toMatchObject({
        answer: { state: "raised", plan: each.draft.plan },
      });
    const rows = await worker.run({
      query: "select body_text, url from notification where profile_id = ?",
      values: [maker.id],
    });
    expect(new Set(rows[0]!.map(({ body_text, url }) => `${body_text} ${url}`))).toEqual(
      new Set(["You asked for a reminder. /notifications#plan"]),
    );
  });
});

it("reminds the maker a minute later when a reminder fails, however often the plan is read meanwhile", async () => {
  const unlucky = await createMember(worker);
  const phone = service.createDevice("unlucky-phone");
  expect((await unlucky.send("POST", "/api/push-subscription", phone.subscription)).status).toBe(201);
  const plan = makePlan();
  expect((await create(plan.draft, unlucky)).status).toBe(201);
  const deadline = NOW + HOUR_MS;
  await worker.env.DB.exec(
    `create trigger broken before insert on notification
    when new.profile_id = ${unlucky.id} and new.ts_created < ${deadline + MINUTE_MS} begin select raise(abort, 'broken'); end`.replaceAll(
      "\n",
      " ",
    ),
  );
  for (const later of [0, 1, MINUTE_MS, MINUTE_MS + 1])
    expect((await read(plan, deadline + later)).state).toBe("waiting");
  await service.waitForPush(phone.path);
  await worker.env.DB.exec("drop trigger broken");
  expect(
    await worker.run({ query: "select ts_created from notification where profile_id = ?", values: [unlucky.id] }),
  ).toEqual([[{ ts_created: deadline + MINUTE_MS }]]);
});

describe("the friend's page", () => {
  it("is the same document for every link, names no site, and stays out of search indexes and referrers", async () => {
    const pages = await Promise.all([random(16), random(16)].map((id) => friend.fetch(`/meet/${id}`)));
    const [one, two] = await Promise.all(pages.map((page) => page.text()));
    expect(one).toBe(two);
    expect(one).not.toMatch(/ember|harbor|bramble|gay|\bmen\b|dating/i);
    const { headers } = pages[0]!;
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    const spanish = await friend.fetch(`/meet/${random(16)}`, { headers: { "accept-language": "es-MX,es;q=0.9" } });
    expect(await spanish.text()).toContain("<title>Un plan</title>");
    expect((await friend.fetch("/meet/short")).status).toBe(404);
  });
});
