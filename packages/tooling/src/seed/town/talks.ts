import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { sectorOfPoint } from "@lambda/geo/sector";
import type { Statement } from "@lambda/testing/sql";
import { uploadShots } from "../pictures.ts";
import { hasStreets, type Resident } from "../residents.ts";
import type { SiteCalls } from "../site-calls.ts";
import { idOf, LOGINS } from "./cast.ts";
import { CONVERSATIONS, MAP_CHAT, SISTER_MAP_CHAT } from "./conversations.ts";

/** Shot number of chat pictures, distinct from those of the profile. */
const CHAT_SHOT = 50;
const PLACE = { type: "position", exact: false } as const;

/** Plays the demo member's conversations in chronological order; each message is read before it is answered. */
export async function holdConversations(site: SiteCalls, residents: readonly Resident[], now: number): Promise<void> {
  const lines = CONVERSATIONS.flatMap((talk) => talk.lines.map((line, index) => ({ talk, line, index }))).sort(
    (a, b) => b.line.ago - a.line.ago,
  );
  /** Last unread message id, by `reader<writer`. */
  const unread = new Map<string, number>();
  const sent = new Map<string, number>();
  for (const { talk, line, index } of lines) {
    const other = idOf(talk.other);
    const [sender, recipient] = line.by === "member" ? [LOGINS.member, other] : [other, LOGINS.member];
    const at = now - line.ago * MINUTE_MS;
    await read(site, unread, { reader: sender, writer: recipient, at: at - MINUTE_MS / 2 });
    const picture =
      line.with === "picture"
        ? await uploadShots(
            site,
            [{ resident: residents[sender - 1] as Resident, shot: CHAT_SHOT, audience: "chat" }],
            at,
          )
        : [];
    const { id } = await site.callAs<Message>(sender, at, {
      method: "POST",
      path: "/api/message",
      body: {
        recipientProfileId: recipient,
        bodyText: line.text,
        profilePicIds: picture,
        clientId: `demo-talk-${other}-${index}`,
        ...(line.with === "place" && { attachment: PLACE }),
        ...(line.answers !== undefined && { replyToId: sent.get(`${other}-${line.answers}`) }),
      },
    });
    sent.set(`${other}-${index}`, id);
    if (line.reaction) {
      const body = { reaction: line.reaction };
      await site.callAs(recipient, at + MINUTE_MS, { method: "PUT", path: `/api/message/${id}/reaction`, body });
    }
    unread.set(`${recipient}<${sender}`, id);
    if (index < talk.lines.length - 1) continue;
    if (talk.read !== undefined) {
      await read(site, unread, { reader: recipient, writer: sender, at: now - talk.read * MINUTE_MS });
    } else {
      const body = { messageIds: [id] };
      await site.callAs(recipient, at + 5000, { method: "PUT", path: "/api/messages/delivered", body });
    }
  }
}

async function read(
  site: SiteCalls,
  unread: Map<string, number>,
  { reader, writer, at }: { reader: number; writer: number; at: number },
): Promise<void> {
  const upToMessageId = unread.get(`${reader}<${writer}`);
  if (upToMessageId === undefined) return;
  unread.delete(`${reader}<${writer}`);
  await site.callAs(reader, at, {
    method: "PUT",
    path: "/api/messages/read",
    body: { profileId: writer, upToMessageId },
  });
}

/** Plays the map chat of the last hours; that of the sister brands is inserted, because their members have no sessions. */
export async function fillMapChat(site: SiteCalls, residents: readonly Resident[], now: number): Promise<void> {
  await site.run(...sisterPosts(residents, now));
  for (const { by, ago, text } of MAP_CHAT) {
    await site.callAs(idOf(by), now - ago * MINUTE_MS, {
      method: "POST",
      path: "/api/message",
      body: { bodyText: text, clientId: `demo-area-${ago}` },
    });
  }
}

function sisterPosts(residents: readonly Resident[], now: number): Statement[] {
  const near = residents.filter(hasStreets);
  return Object.entries(SISTER_MAP_CHAT).flatMap(([brandId, posts]) => {
    const senders = near.filter(({ brand }) => brand.id === brandId);
    return posts.map(([ago, text], index): Statement => {
      const { id, home } = senders[index] as Resident;
      return {
        query: `insert into message (sender_id, client_id, body_text, brand, sector, ts_created) values (?, ?, ?, ?, ?, ?)`,
        values: [id, `demo-area-${ago}`, text, brandId, sectorOfPoint(home), now - ago * MINUTE_MS],
      };
    });
  });
}

/**
 * Old messages between neighbors, as rows: each wrote to two others and got messages from two. They are invisible in the demo, but
 * jurors must have talked with others.
 */
export function acquaintanceStatements(ids: readonly number[], now: number): Statement[] {
  const pairs = ids.flatMap((id, index) =>
    [1, 3].map((step) => {
      const other = ids[(index + step) % ids.length] as number;
      const at = now - (70 + ((index * 7 + step) % 200)) * DAY_MS;
      return { s: id, r: other, c: `demo-known-${id}-${other}`, t: at };
    }),
  );
  const list = JSON.stringify(pairs);
  return [
    {
      query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created, ts_delivered, ts_recipient_read)
        select value ->> 's', value ->> 'r', min(value ->> 's', value ->> 'r'), max(value ->> 's', value ->> 'r'), value ->> 'c',
          'Good evening, neighbor.', 'ember', value ->> 't', value ->> 't', value ->> 't' from json_each(?)`,
      values: [list],
    },
    ...["s", "r"].map((side) => ({
      query: `insert into conversation (profile_id, other_id, last_message_id, unread)
        select x.value ->> '${side}', x.value ->> '${side === "s" ? "r" : "s"}', m.id, 0
        from json_each(?) x join message m on m.sender_id = x.value ->> 's' and m.client_id = x.value ->> 'c'`,
      values: [list],
    })),
  ];
}
