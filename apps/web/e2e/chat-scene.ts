/** Realistic conversations with many kinds of names, texts, pictures and times. */
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { TestSite } from "@lambda/testing/browser";
import { apiFor, type BrowserMember, makeMember } from "./members.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

/** A message: whether the member wrote it, its text, and its age in milliseconds. */
type SeedMessage = readonly [own: boolean, text: string, age: number];

const LONG =
  "I have been walking along the canal all afternoon and could not stop thinking about what you said about the lighthouse. Do you still have the map? If so, let us go on Saturday, early, before everybody else is up, with coffee in the flask and nothing else to do.\n\nI will bring the bread.";

const READ_MESSAGES: readonly SeedMessage[] = [
  [false, "Hey! You like the sea too?", 2 * DAY_MS],
  [true, "More than is good for me", 2 * DAY_MS - MINUTE_MS],
  [false, LONG, DAY_MS],
  [true, "Yes", DAY_MS - 2 * MINUTE_MS],
  [true, "Saturday. Seven. The old pier.", DAY_MS - 3 * MINUTE_MS],
  [false, "مرحبا، كيف حالك اليوم؟ هل تريد أن نلتقي غدا؟", 90 * MINUTE_MS],
  [true, "שלום, מה שלומך?", 89 * MINUTE_MS],
  [false, "❤️", 60 * MINUTE_MS],
  [false, "👨‍👨‍👦 🏳️‍🌈 🌊", 59 * MINUTE_MS],
  [true, "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2), 30 * MINUTE_MS],
  [
    true,
    "https://example.test/a/very/long/address/that/does/not/want/to/break/anywhere?with=parameters",
    29 * MINUTE_MS,
  ],
];
const UNREAD_MESSAGES: readonly SeedMessage[] = [
  [false, "Are you there?", 4 * MINUTE_MS],
  [false, "The kettle is on.", 3 * MINUTE_MS],
];

/** Stores messages, oldest first, and the conversation rows of both members; the last `unread` are unread by `me`. */
export async function insertConversation(
  site: TestSite,
  me: BrowserMember,
  other: BrowserMember,
  messages: readonly SeedMessage[],
  unread = 0,
): Promise<void> {
  const now = Date.now();
  const [low, high] = [Math.min(me.id, other.id), Math.max(me.id, other.id)];
  for (const [index, [own, text, age]] of messages.entries()) {
    const read = index < messages.length - unread ? now - age + 1000 : null;
    await site.sql(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created, ts_delivered, ts_recipient_read)
       values (?, ?, ?, ?, ?, ?, 'ember', ?, ?, ?)`,
      own ? me.id : other.id,
      own ? other.id : me.id,
      low,
      high,
      crypto.randomUUID(),
      text,
      now - age,
      read,
      read,
    );
  }
  await site.sql(
    `insert into conversation select x.value ->> 0, x.value ->> 1, (select max(id) from message where low_id = ?3 and high_id = ?4), x.value ->> 2
     from json_each(json_array(json_array(?1, ?2, ?5), json_array(?2, ?1, 0))) x where true
     on conflict (profile_id, other_id) do update set last_message_id = excluded.last_message_id, unread = excluded.unread`,
    me.id,
    other.id,
    low,
    high,
    unread,
  );
}

export interface ChatScene {
  readonly me: BrowserMember;
  /** The member of the long conversation; two of their messages are unread. */
  readonly friend: BrowserMember;
  /** A member without any messages. */
  readonly stranger: BrowserMember;
}

export async function makeChat(site: TestSite): Promise<ChatScene> {
  const names = ["Bruno", "Maximilian-Alexander von Hohenzollern", "Ömer 🌈", "Iñaki", "李"];
  const me = await makeMember(site, { name: "Ansel" });
  const [friend, ...others] = await Promise.all(names.map((name) => makeMember(site, { name })));
  const stranger = await makeMember(site, { name: "Newcomer" });
  if (!friend) throw new Error("no friend was created");
  await insertConversation(site, me, friend, READ_MESSAGES);
  const texts = ["Same time next week? I can bring the others, if they are back by then.", "😂😂😂", "مرحبا", "Ok"];
  for (const [index, other] of others.entries()) {
    await insertConversation(
      site,
      me,
      other,
      [[index % 2 === 1, texts[index] ?? "", index * DAY_MS + 3 * 60 * MINUTE_MS]],
      index === 0 ? 1 : 0,
    );
  }
  // Conversations with hidden members stay, without the name.
  await site.sql("update profile set hidden = 1 where id = ?", others[3]?.id ?? 0);
  const [mine, theirs] = [await apiFor(site, me), await apiFor(site, friend)];
  const file = await makeQuartersPicture(160, 200, [RED, GREEN, BLUE, YELLOW]);
  for (const [api, to, bodyText] of [
    [theirs, me, "From the pier"],
    [mine, friend, ""],
  ] as const) {
    const { id } = await api.upload(file, { audience: "chat" });
    const response = await api.fetch("/api/message", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ recipientProfileId: to.id, bodyText, profilePicIds: [id] }),
    });
    if (response.status !== 201)
      throw new Error(`sending a picture failed with ${response.status}: ${await response.text()}`);
  }
  await insertConversation(site, me, friend, UNREAD_MESSAGES, 2);
  return { me, friend, stranger };
}
