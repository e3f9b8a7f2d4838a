/**
 * Says whose each id in a procedure's input must be. `allowed` creates a valid input; for each id in it, `foreign`
 * creates values that the procedure must refuse. ids.test.ts fails for an id that is missing here.
 */
import { createHash, randomBytes } from "node:crypto";
import { getBrand } from "@lambda/brands";
import {
  EXPOSURE_MESSAGES_EACH_MIN,
  HOUR_MS,
  MEET_PLAN_BYTES,
  MEET_POSITION_BYTES,
  MEET_SEAL_BYTES,
} from "@lambda/contract/limits";
import { createMember } from "../member.ts";
import { ABSENT_ID, fixtures, OUT_OF_REACH, type World } from "./world.ts";

/** The position of members who have reported none. */
const FIRST_CITY = getBrand("ember").firstCity;

type Input = Record<string, unknown>;
type Create<Value> = (world: World) => Value | Promise<Value>;

export interface IdRule {
  /** Values that the caller has no right to, by reason; undefined for a cursor in a list of the caller's own. */
  readonly foreign?: Create<Record<string, unknown>>;
  /** The allowed statuses. A call that only ends something of the caller's may succeed without effect. */
  readonly status: readonly number[];
  /** Whether the call writes even for foreign values, so that responses and the database differ. */
  readonly createsRows?: true;
  /** Other input fields that a test of this id needs. */
  readonly with?: Create<Input>;
}

export interface CallRule {
  readonly as?: "admin";
  readonly allowed: Create<Input>;
  readonly ids: Record<string, IdRule>;
}

const REFUSED = [403, 404];
const DONE = [200, 201, 204];

/** Must be a member whom the caller may see. */
const visibleMember = (extra: Partial<IdRule> = {}): IdRule => ({
  foreign: ({ unreachable }) => unreachable,
  status: REFUSED,
  ...extra,
});

/** Must be the caller. */
const self: IdRule = {
  foreign: ({ unreachable, other }) => ({ ...unreachable, other: other.id }),
  status: REFUSED,
};

/**
 * A member with whom the caller ends something. The response is the same if there is nothing to end, and other members
 * keep theirs.
 */
const ending: IdRule = { foreign: ({ unreachable }) => unreachable, status: DONE };
/** A cursor in a list of the caller's own, or an id that is ignored. */
const cursor: IdRule = { status: DONE };
/** Must be the caller's own. Another member's looks like one that does not exist. */
const owned = (create: (world: World, owner: number) => Promise<number>, status = REFUSED): IdRule => ({
  foreign: async (world) => ({ absent: ABSENT_ID, other: await create(world, world.other.id) }),
  status,
});

/** A list of the caller's own. */
const ownedList = (create: (world: World, owner: number) => Promise<number>, status = REFUSED): IdRule => ({
  foreign: async (world) => ({ absent: [ABSENT_ID], other: [await create(world, world.other.id)] }),
  status,
});

/** Must belong to the admin's brand. */
const ofBrand = (create: (world: World, brand: string) => Promise<number>): IdRule => ({
  foreign: async (world) => ({ absent: ABSENT_ID, elsewhere: await create(world, "harbor") }),
  status: REFUSED,
});

/** A call of staff that reports a case about a minor to the CyberTipline. */
function minorCaseRule(rest: Input = {}): CallRule {
  const createCase = async (world: World, subject: number, brand = "ember") => {
    const id = await fixtures.report(world, subject, brand);
    await world.sql("update report set category = 'minor' where id = ?", id);
    return id;
  };
  return {
    as: "admin",
    allowed: async (world) => ({ id: await createCase(world, world.other.id), ...rest }),
    ids: { id: ofBrand((world, brand) => createCase(world, world.unreachable.elsewhere, brand)) },
  };
}

/** Base64url of that many bytes. The server does not look at their content. */
const base64Bytes = (bytes: number) => "A".repeat(Math.ceil((bytes * 4) / 3));
const TOKEN = base64Bytes(32);
/** The public key of the private key 1. */
const P256_POINT = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";
const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");
const planIdOf = (owner: string) => hashOf(owner).slice(0, 22);
/** The input of a new plan. All its tokens are `token` except the one of the second PIN. */
function newPlan(token = TOKEN): Input {
  const tokens = { owner: token, reader: hashOf(token), fine: hashOf(token), help: hashOf(`${token}2`) };
  const plan = base64Bytes(MEET_PLAN_BYTES + MEET_SEAL_BYTES);
  return { id: planIdOf(token), ...tokens, runsMs: HOUR_MS, graceMs: 0, plan };
}

async function createPlan({ me }: World, token = TOKEN): Promise<string> {
  const response = await me.send("POST", "/api/meet", newPlan(token));
  if (response.status !== 201) throw new Error(await response.text());
  return planIdOf(token);
}

/** A plan whose tokens the caller lacks looks like one that does not exist, even to the member who created it. */
const foreignPlans = async (world: World) => ({
  absent: randomBytes(16).toString("base64url"),
  others: await createPlan(world, "B".repeat(TOKEN.length)),
});

function planRule(rest: Input): CallRule {
  return {
    allowed: async (world) => ({ id: await createPlan(world), ...rest }),
    ids: { id: { foreign: foreignPlans, status: REFUSED } },
  };
}

const NO_REF = "f".repeat(24);
const REASON = "The police asked for it.";
/**
 * Inserts a legal hold: `closed`, `asked` with a network admin's request to open it, or `open` to that admin and the
 * brand's.
 */
async function createHold(
  world: World,
  brand = "ember",
  state: "closed" | "asked" | "open" = "closed",
): Promise<string> {
  const { sql, admin, worker } = world;
  const report = await fixtures.report(world, world.unreachable.elsewhere, brand);
  const ref = report.toString(16).padStart(24, "a");
  await sql(
    `insert into legal_hold (hold_ref, report_id, case_ref, brand, rule, reason, key_version, salt, ts_started, ts_until)
     values (?, ?, ?, ?, 'minor', ?, 1, 'salt', ?, 9000000000000)`,
    ref,
    report,
    ref,
    brand,
    REASON,
    Date.now(),
  );
  if (state === "closed") return ref;
  const isOpen = state === "open";
  const requester = await createMember(worker, { adminBrand: "*", hidden: true });
  await sql(
    "insert into legal_hold_request values (?, ?, ?, ?, ?, ?, ?)",
    ref,
    ref,
    requester.id,
    isOpen ? admin.id : null,
    REASON,
    Date.now(),
    isOpen ? Date.now() : null,
  );
  return ref;
}

function holdRule(id: "holdRef" | "requestRef", state: "closed" | "asked" | "open", rest: Input = {}): CallRule {
  return {
    as: "admin",
    allowed: async (world) => ({ [id]: await createHold(world, "ember", state), ...rest }),
    ids: {
      [id]: {
        foreign: async (world) => ({ absent: NO_REF, elsewhere: await createHold(world, "harbor", state) }),
        status: REFUSED,
      },
    },
  };
}

/** A call of staff about a notice of their brand. */
function noticeRule(rest: Input = {}): CallRule {
  return {
    as: "admin",
    allowed: async (world) => ({ id: await fixtures.notice(world, world.other.id), ...rest }),
    ids: { id: ofBrand((world, brand) => fixtures.notice(world, world.other.id, brand)) },
  };
}

/** Must be a message that the caller can read, not one between two others or from a blocked member. */
const readableMessage: IdRule = {
  foreign: async (world) => ({
    absent: ABSENT_ID,
    others: await messageBetweenOthers(world),
    blocked: await fixtures.message(world, world.unreachable.blocked, world.me.id),
  }),
  status: REFUSED,
};

const messageBetweenOthers = (world: World) => fixtures.message(world, world.other.id, world.stranger.id);
const memberOfBrand: IdRule = {
  foreign: ({ unreachable: { absent, elsewhere } }) => ({ absent, elsewhere }),
  status: REFUSED,
};

/** Three pictures that were made to be seen once, and are in no message. */
async function createStills(world: World, owner: number): Promise<number[]> {
  const stills: number[] = [];
  for (let still = 0; still < 3; still += 1) {
    const id = await fixtures.picture(world, owner);
    await world.sql("update picture set audience = 'once', ts_created = ? where id = ?", Date.now(), id);
    await world.sql("insert into once_view (picture_id, sender_id, ts_due) values (?, ?, 9000000000000)", id, owner);
    stills.push(id);
  }
  return stills;
}

/** A list of members whom the caller sees. The response omits those who are out of reach. */
const visibleMembers = {
  allowed: ({ other }: World) => ({ profileIds: [other.id] }),
  ids: {
    profileIds: {
      foreign: ({ unreachable }: World) =>
        Object.fromEntries(Object.entries(unreachable).map(([whose, id]) => [whose, [id]])),
      status: DONE,
    },
  },
};

const messageCursors = { sinceMessageId: cursor, beforeMessageId: cursor };
const aboutMember = (rest: Input = {}) => ({
  allowed: ({ other }: World) => ({ profileId: other.id, ...rest }),
  ids: { profileId: visibleMember() },
});

export const ID_RULES: Record<string, CallRule> = {
  // -------------------------------------------------------------------------------- profiles, likes, blocks, notes
  "profiles.get": { allowed: ({ other }) => ({ id: other.id }), ids: { id: visibleMember() } },
  "profiles.relation": { allowed: ({ other }) => ({ id: other.id }), ids: { id: visibleMember() } },
  "profiles.update": {
    allowed: ({ me }) => ({ id: me.id, height: "180 cm" }),
    ids: {
      id: self,
      profilePicIds: ownedList(fixtures.picture, [400]),
      profilePicIdsPrivate: ownedList((world, owner) => fixtures.picture(world, owner, "private"), [400]),
    },
  },
  "likes.byLiker": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  "likes.byLiked": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  "likes.among": visibleMembers,
  "likes.get": {
    allowed: async ({ me, other, sql }) => {
      await sql("insert into profile_like values (?, ?, 'LIKE', 1, 0) on conflict do nothing", me.id, other.id);
      return { likerProfileId: me.id, likedProfileId: other.id };
    },
    ids: {
      likerProfileId: { ...self, with: ({ stranger }) => ({ likedProfileId: stranger.id }) },
      likedProfileId: visibleMember(),
    },
  },
  "likes.put": {
    allowed: ({ me, other }) => ({ likerProfileId: me.id, likedProfileId: other.id, likeType: "LIKE" }),
    ids: { likerProfileId: self, likedProfileId: visibleMember() },
  },
  "blocks.list": { allowed: () => ({ cursor: 1 }), ids: { cursor } },
  "blocks.undo": {
    allowed: ({ other }) => ({ profileId: other.id }),
    ids: { profileId: { ...ending, foreign: withoutOwnBlock } },
  },
  "travel.showTrip": {
    allowed: async (world) => ({ id: await fixtures.trip(world, world.me.id), shown: true }),
    ids: { id: { ...owned(fixtures.trip), with: () => ({ shown: true }) } },
  },
  "travel.removeTrip": {
    allowed: async (world) => ({ id: await fixtures.trip(world, world.me.id) }),
    ids: { id: owned(fixtures.trip) },
  },
  "notes.get": {
    allowed: ({ me, other }) => ({ authorProfileId: me.id, aboutProfileId: other.id }),
    ids: { authorProfileId: self, aboutProfileId: visibleMember() },
  },
  "notes.put": {
    allowed: ({ me, other }) => ({ authorProfileId: me.id, aboutProfileId: other.id, bodyText: "Met once" }),
    ids: { authorProfileId: self, aboutProfileId: visibleMember() },
  },
  "notes.list": { allowed: ({ me }) => ({ authorProfileId: me.id }), ids: { authorProfileId: self } },

  // -------------------------------------------------------------------------------- pictures and albums
  // The list is empty for members out of reach.
  "pictures.list": { ...aboutMember(), ids: { profileId: ending } },
  "pictures.arrange": {
    allowed: async (world) => ({ profilePicIds: [await fixtures.picture(world, world.me.id)] }),
    ids: {
      profilePicIds: ownedList(fixtures.picture, [400]),
      profilePicIdsPrivate: ownedList((world, owner) => fixtures.picture(world, owner, "private"), [400]),
      movedId: owned(fixtures.picture, [400]),
    },
  },
  "pictures.update": {
    allowed: async (world) => ({ id: await fixtures.picture(world, world.me.id), nsfw: true }),
    ids: { id: owned(fixtures.picture) },
  },
  "pictures.delete": {
    allowed: async (world) => ({ id: await fixtures.picture(world, world.me.id) }),
    ids: { id: owned(fixtures.picture) },
  },
  "pictureLikes.put": {
    allowed: async (world) => ({
      likerProfileId: world.me.id,
      profilePicId: await fixtures.picture(world, world.other.id),
      profilePicProfileId: world.other.id,
      likeType: "LIKE",
    }),
    ids: {
      likerProfileId: self,
      profilePicId: { foreign: picturesOutOfReach, status: REFUSED },
      // Ignored: the picture's row names its owner.
      profilePicProfileId: cursor,
    },
  },
  "pictureLikes.byLiker": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  "pictureLikes.byLiked": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  // The caller's own ratings, of which members out of reach have none that the caller may see.
  "pictureLikes.about": { ...aboutMember(), ids: { profileId: ending } },
  "albums.status": aboutMember(),
  "albums.given": { allowed: () => ({ cursor: 1 }), ids: { cursor } },
  "albums.received": { allowed: () => ({ cursor: 1 }), ids: { cursor } },
  "albums.request": {
    allowed: ({ other }) => ({ ownerProfileId: other.id }),
    ids: { ownerProfileId: visibleMember() },
  },
  "albums.withdraw": { allowed: ({ other }) => ({ ownerProfileId: other.id }), ids: { ownerProfileId: ending } },
  "albums.grant": {
    allowed: ({ other }) => ({ memberProfileId: other.id }),
    ids: { memberProfileId: visibleMember() },
  },
  "albums.revoke": { allowed: ({ other }) => ({ memberProfileId: other.id }), ids: { memberProfileId: ending } },

  // -------------------------------------------------------------------------------- messages
  "messages.send": {
    allowed: async (world) => ({
      senderProfileId: world.me.id,
      recipientProfileId: world.other.id,
      bodyText: "Good evening",
      profilePicIds: [await fixtures.picture(world, world.me.id)],
    }),
    ids: {
      senderProfileId: self,
      recipientProfileId: visibleMember(),
      profilePicIds: ownedList(fixtures.picture),
      // Unique per sender only.
      clientId: cursor,
      // A message that the caller does not have is left out.
      replyToId: { foreign: readableMessage.foreign, status: DONE, createsRows: true },
    },
  },
  "messages.mostRecentWith": { ...aboutMember(), ids: { profileId: visibleMember(), ...messageCursors } },
  "messages.between": {
    allowed: ({ me, other }) => ({ a: me.id, b: other.id }),
    ids: { a: { ...self, with: ({ stranger }) => ({ b: stranger.id }) }, b: visibleMember(), ...messageCursors },
  },
  "messages.conversations": { allowed: () => ({}), ids: messageCursors },
  "messages.history": {
    ...aboutMember(),
    ids: {
      profileId: visibleMember(),
      messageId: { ...readableMessage, with: () => ({ profileId: undefined }) },
      ...messageCursors,
    },
  },
  "messages.read": {
    allowed: async (world) => ({
      profileId: world.other.id,
      upToMessageId: await fixtures.message(world, world.other.id, world.me.id),
    }),
    ids: {
      profileId: visibleMember(),
      messageId: { ...readableMessage, with: () => ({ profileId: undefined }) },
      upToMessageId: cursor,
    },
  },
  "messages.delivered": {
    allowed: async (world) => ({ messageIds: [await fixtures.message(world, world.other.id, world.me.id)] }),
    // Ids of messages that the caller did not receive are ignored.
    ids: { messageIds: ownedList(messageBetweenOthers, DONE), upToMessageId: cursor },
  },
  "messages.remove": {
    allowed: async (world) => ({ id: await fixtures.message(world, world.me.id, world.other.id) }),
    ids: { id: readableMessage },
  },
  "tonight.among": visibleMembers,
  "positions.newAmong": visibleMembers,
  "met.state": aboutMember(),
  "met.say": { allowed: prepareAcquaintance, ids: { profileId: visibleMember() } },
  "met.takeBack": { allowed: ({ other }) => ({ profileId: other.id }), ids: { profileId: ending } },
  "personCheck.among": visibleMembers,
  "personCheck.submit": {
    allowed: async (world) => {
      const { me, sql } = world;
      await fixtures.personCheck(world, me.id);
      await sql("update person_check set state = 'posing', ts_started = ? where profile_id = ?", Date.now(), me.id);
      await fixtures.picture(world, me.id);
      return { pictures: await createStills(world, me.id) };
    },
    ids: {
      pictures: {
        foreign: async (world) => ({
          absent: [ABSENT_ID, ABSENT_ID - 1, ABSENT_ID - 2],
          other: await createStills(world, world.other.id),
        }),
        status: [400],
      },
    },
  },
  "personCheck.vote": {
    allowed: async (world) => ({ itemId: await fixtures.gameItem(world, world.me.id, "check"), answer: "him" }),
    ids: { itemId: owned((world, player) => fixtures.gameItem(world, player, "check")) },
  },
  "messages.react": {
    allowed: async (world) => ({ id: await fixtures.message(world, world.other.id, world.me.id), reaction: "heart" }),
    ids: { id: readableMessage },
  },
  "messages.closeOnce": {
    allowed: async (world) => ({ id: await fixtures.openedOnce(world, world.other.id, world.me.id) }),
    ids: {
      id: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          others: await fixtures.openedOnce(world, world.other.id, world.stranger.id),
        }),
        status: REFUSED,
      },
    },
  },
  "messages.declinePictures": {
    allowed: async (world) => ({ id: await fixtures.pictureMessage(world, world.other.id, world.me.id) }),
    ids: {
      id: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          others: await fixtures.pictureMessage(world, world.other.id, world.stranger.id),
          blocked: await fixtures.pictureMessage(world, world.unreachable.blocked, world.me.id),
        }),
        status: REFUSED,
      },
    },
  },
  "messages.missed": { allowed: () => ({ sinceMessageId: 0 }), ids: { sinceMessageId: cursor } },
  "messages.search": { allowed: () => ({ query: "Hello" }), ids: { beforeMessageId: cursor } },
  "messages.area": { allowed: () => ({}), ids: messageCursors },
  "messages.bySector": {
    allowed: async ({ me, sql }) => {
      await sql("delete from position where profile_id = ?", me.id);
      return { sector: `${Math.floor(FIRST_CITY.lat)}:${Math.floor(FIRST_CITY.lon)}` };
    },
    ids: messageCursors,
  },

  // -------------------------------------------------------------------------------- the member's own data
  "positions.report": {
    allowed: ({ me }) => ({ profileId: me.id, session: 1, use: "RANDOM", hide: false }),
    ids: { profileId: self },
  },
  "positions.distances": visibleMembers,
  "positions.byIds": visibleMembers,
  "pictures.previews": visibleMembers,
  "positions.mine": { allowed: ({ me }) => ({ profileId: me.id }), ids: { profileId: self } },
  "positions.places": { allowed: ({ me }) => ({ profileId: me.id }), ids: { profileId: self } },
  "positions.forgetPlaces": { allowed: ({ me }) => ({ profileId: me.id }), ids: { profileId: self } },
  "notifications.list": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self, beforeId: cursor } },
  "notifications.delete": {
    allowed: async (world) => ({ id: await fixtures.notification(world, world.me.id) }),
    ids: { id: owned(fixtures.notification) },
  },
  "push.unsubscribe": {
    allowed: async (world) => {
      await world.sql("update session set ts_proved = 9e15 where account_id = ?", world.me.id);
      return { id: await fixtures.push(world, world.me.id) };
    },
    ids: { id: owned(fixtures.push) },
  },
  "passkeys.rename": {
    allowed: async (world) => ({ id: await fixtures.passkey(world, world.me.id), name: "Old phone" }),
    ids: { id: owned(fixtures.passkey) },
  },
  "passkeys.remove": {
    allowed: async (world) => {
      await world.sql("update session set ts_proved = 9e15 where account_id = ?", world.me.id);
      return { id: await fixtures.passkey(world, world.me.id) };
    },
    ids: { id: owned(fixtures.passkey) },
  },
  "lockdown.removeSignal": {
    allowed: async (world) => {
      await world.sql("update session set ts_proved = 9e15 where account_id = ?", world.me.id);
      return { id: await fixtures.lockdownSignal(world, world.me.id) };
    },
    ids: { id: owned(fixtures.lockdownSignal) },
  },
  "sessions.end": {
    allowed: async (world) => ({ id: await fixtures.session(world, world.me.id) }),
    ids: { id: owned(fixtures.session) },
  },

  // -------------------------------------------------------------------------------- reports and arbitration
  "reports.file": {
    allowed: ({ other }) => ({ subjectProfileId: other.id, category: "threat", text: "Threatens me." }),
    ids: {
      subjectProfileId: visibleMember({
        foreign: ({ unreachable: { absent, hidden, discreet, elsewhere, unnamed } }) => ({
          absent,
          hidden,
          discreet,
          elsewhere,
          unnamed,
        }),
      }),
      sourceId: { ...owned(messageBetweenOthers), with: () => ({ source: "message" }) },
      messageIds: { ...cursor, foreign: unseenEvidence, createsRows: true },
      pictureIds: { ...cursor, foreign: unseenPictures, createsRows: true },
      voiceId: { ...cursor, foreign: unseenVoice, createsRows: true },
    },
  },
  "reports.fileCheck": {
    allowed: async (world) => ({
      itemId: await fixtures.gameItem(world, world.me.id, "check"),
      category: "spam",
    }),
    ids: { itemId: owned((world, player) => fixtures.gameItem(world, player, "check")) },
  },
  "reports.appeal": {
    allowed: async (world) => ({
      reportId: await fixtures.report(world, world.me.id, "ember", "decided", "warn"),
      text: "That was not me, and I can show it.",
    }),
    ids: { reportId: owned((world, owner) => fixtures.report(world, owner, "ember", "decided", "warn")) },
  },
  "transparency.case": {
    allowed: () => ({ caseRef: "0".repeat(24) }),
    ids: { caseRef: { ...cursor, foreign: createOthersCase } },
  },
  "arbitration.vote": {
    allowed: async (world) => ({
      juryId: await fixtures.jury(world, world.me.id),
      verdict: "no_violation",
      reason: "Rude, but no rule is broken here.",
    }),
    ids: { juryId: owned(fixtures.jury) },
  },
  "arbitration.recuse": {
    allowed: async (world) => ({ juryId: await fixtures.jury(world, world.me.id) }),
    ids: { juryId: owned(fixtures.jury) },
  },

  // -------------------------------------------------------------------------------- games
  "games.ratingVote": {
    allowed: async (world) => ({ itemId: await fixtures.gameItem(world, world.me.id, "rating"), answer: "safe" }),
    ids: { itemId: owned((world, player) => fixtures.gameItem(world, player, "rating")) },
  },
  "games.requestReview": {
    allowed: async (world) => ({ pictureId: await createMarkedPicture(world, world.me.id) }),
    ids: {
      pictureId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          other: await createMarkedPicture(world, world.other.id),
          unmarked: await fixtures.picture(world, world.me.id),
        }),
        status: REFUSED,
      },
    },
  },
  "games.decideReview": {
    as: "admin",
    allowed: async (world) => ({ itemId: await createReviewItem(world, world.other.id), answer: "safe" }),
    ids: {
      itemId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await createReviewItem(world, world.unreachable.elsewhere),
          hidden: await createReviewItem(world, world.unreachable.hidden),
          discreet: await createReviewItem(world, world.unreachable.discreet),
        }),
        status: REFUSED,
      },
    },
  },
  "games.busterVote": {
    allowed: async (world) => ({ itemId: await fixtures.gameItem(world, world.me.id, "buster"), answer: "person" }),
    ids: { itemId: owned((world, player) => fixtures.gameItem(world, player, "buster")) },
  },
  "games.identifyAnswer": {
    allowed: async (world) => {
      const { me, other, stranger, sql } = world;
      await sql(
        "insert into identify_round values (?, ?, ?, ?, ?) on conflict do update set answer_id = excluded.answer_id",
        me.id,
        other.id,
        await fixtures.picture(world, other.id),
        JSON.stringify([other.id, stranger.id]),
        Date.now(),
      );
      return { profileId: other.id };
    },
    // Without a round, every id gets the same response.
    ids: { profileId: { ...visibleMember(), with: deleteRound } },
  },
  "games.cropSuggest": {
    allowed: async (world) => ({
      pictureId: await createCroppablePicture(world, world.other.id),
      x: 0,
      y: 0,
      width: 0.8,
      height: 0.8,
    }),
    ids: { pictureId: { foreign: picturesOutOfReach, status: REFUSED } },
  },
  "games.cropClose": {
    allowed: async (world) => ({
      id: await fixtures.cropSuggestion(world, world.me.id, world.other.id),
      applied: false,
    }),
    ids: { id: owned((world, owner) => fixtures.cropSuggestion(world, owner, world.stranger.id)) },
  },
  "games.cootiesTag": { allowed: prepareTag, ids: { profileId: visibleMember() } },
  "exposure.send": {
    allowed: async (world) => {
      const { me, other, sql } = world;
      await exchangeMessages(world);
      await sql("update message set ts_created = ? where sender_id in (?, ?)", Date.now(), me.id, other.id);
      return { recipientProfileIds: [other.id] };
    },
    ids: { recipientProfileIds: visibleMember({ foreign: listsOutOfReach }) },
  },

  // -------------------------------------------------------------------------------- admin
  "admin.case": {
    as: "admin",
    allowed: async (world) => ({ id: await fixtures.report(world, world.other.id) }),
    ids: { id: ofBrand((world, brand) => fixtures.report(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.member": { as: "admin", allowed: ({ other }) => ({ id: other.id }), ids: { id: memberOfBrand } },
  "admin.act": {
    as: "admin",
    allowed: ({ other }) => ({ subjectProfileId: other.id, kind: "warn", rule: "spam", reason: "Stop that." }),
    ids: {
      subjectProfileId: memberOfBrand,
      pictureId: {
        foreign: async (world) => ({ absent: ABSENT_ID, stranger: await fixtures.picture(world, world.stranger.id) }),
        status: REFUSED,
        with: () => ({ kind: "hide_picture" }),
      },
      reportId: ofBrand((world, brand) => fixtures.report(world, world.unreachable.elsewhere, brand)),
    },
  },
  "admin.decidePersonCheck": {
    as: "admin",
    allowed: async (world) => ({ profileId: await fixtures.personCheck(world, world.other.id), answer: "him" }),
    ids: {
      profileId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await fixtures.personCheck(world, world.unreachable.elsewhere),
          self: await fixtures.personCheck(world, world.admin.id),
        }),
        status: REFUSED,
      },
    },
  },
  "admin.dismiss": {
    as: "admin",
    allowed: async (world) => ({ id: await fixtures.report(world, world.other.id), reason: "Nothing in it." }),
    ids: { id: ofBrand((world, brand) => fixtures.report(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.lift": {
    as: "admin",
    allowed: async (world) => ({ id: await fixtures.action(world, world.other.id) }),
    ids: { id: ofBrand((world, brand) => fixtures.action(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.decideAppeal": {
    as: "admin",
    allowed: async (world) => ({ id: await createAppealedCase(world, world.other.id, "ember"), reversed: false }),
    ids: { id: ofBrand((world, brand) => createAppealedCase(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.closeContact": {
    as: "admin",
    allowed: async (world) => ({ id: await fixtures.contact(world, "ember") }),
    ids: { id: ofBrand(fixtures.contact) },
  },
  "admin.holds.list": {
    as: "admin",
    allowed: async (world) => ({ reportId: await fixtures.report(world, world.other.id) }),
    ids: {
      reportId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await fixtures.report(world, world.unreachable.elsewhere, "harbor"),
        }),
        status: DONE,
      },
    },
  },
  "admin.holds.start": {
    as: "admin",
    allowed: async (world) => ({ id: await fixtures.report(world, world.other.id), reason: "The police asked." }),
    ids: { id: ofBrand((world, brand) => fixtures.report(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.holds.extend": holdRule("holdRef", "closed", { reason: REASON }),
  "admin.holds.ask": holdRule("holdRef", "closed", { reason: REASON }),
  "admin.holds.agree": holdRule("requestRef", "asked"),
  "admin.holds.refuse": holdRule("requestRef", "asked"),
  "admin.holds.read": holdRule("holdRef", "open"),
  "admin.holds.tipDraft": minorCaseRule(),
  "admin.holds.tipFile": minorCaseRule({
    incidentType: "Child Sex Trafficking",
    incidentDateTime: "2026-01-01T00:00:00.000Z",
    reporterFirstName: "Ann",
    reporterLastName: "Staff",
    reporterEmail: "staff@example.test",
    additionalInfo: "",
    filesViewed: false,
  }),
  "admin.holds.tipSent": minorCaseRule({ tipNumber: "12345678" }),
  "noticeDesk.get": noticeRule(),
  "noticeDesk.remove": {
    ...noticeRule({ reason: "It is so." }),
    ids: {
      ...noticeRule().ids,
      // Only the notice's own pictures can be chosen.
      pictureIds: ownedList(fixtures.picture),
    },
  },
  "noticeDesk.reject": noticeRule({ reason: "It is not so." }),
  "noticeDesk.ask": noticeRule({ text: "Where is it?" }),
  "noticeDesk.namePicture": {
    as: "admin",
    allowed: async (world) => ({
      id: await fixtures.notice(world, world.other.id),
      pictureId: await fixtures.picture(world, world.stranger.id),
    }),
    ids: {
      id: ofBrand((world, brand) => fixtures.notice(world, world.other.id, brand)),
      // Staff, too, cannot name a picture that members do not see.
      pictureId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await fixtures.picture(world, world.unreachable.elsewhere),
          hidden: await fixtures.picture(world, world.unreachable.hidden),
          discreet: await fixtures.picture(world, world.unreachable.discreet),
          private: await fixtures.picture(world, world.other.id, "private"),
        }),
        status: REFUSED,
      },
    },
  },
  "noticeDesk.forward": {
    as: "admin",
    allowed: async (world) => ({
      id: await fixtures.notice(world, world.other.id),
      subjectProfileId: world.other.id,
      rule: "intimate",
      text: "It is so.",
    }),
    ids: {
      id: ofBrand((world, brand) => fixtures.notice(world, world.other.id, brand)),
      subjectProfileId: memberOfBrand,
    },
  },
  "noticeDesk.decideCounter": {
    as: "admin",
    allowed: async (world) => ({
      id: await fixtures.counter(world, world.other.id),
      subjectProfileId: world.other.id,
      upheld: false,
      reason: "It is so.",
    }),
    ids: {
      id: ofBrand((world, brand) => fixtures.counter(world, world.other.id, brand)),
      subjectProfileId: memberOfBrand,
    },
  },
  "notices.counter": {
    allowed: async (world) => ({ id: await fixtures.notice(world, world.me.id), text: "It shows me alone." }),
    ids: { id: owned((world, owner) => fixtures.notice(world, owner)) },
  },
  // By the address of a plan nobody can try whether there is one.
  "meets.create": { allowed: () => newPlan(), ids: { id: { foreign: foreignPlans, status: [400] } } },
  "meets.status": planRule({ owner: TOKEN }),
  "meets.addPosition": planRule({ owner: TOKEN, position: base64Bytes(MEET_POSITION_BYTES + MEET_SEAL_BYTES) }),
  "meets.answer": planRule({ reader: TOKEN, pin: TOKEN, act: { type: "extend", from: 0, byMs: HOUR_MS } }),
  "meets.read": {
    ...planRule({ reader: TOKEN }),
    // An ended plan, another member's and a missing one get the same successful response.
    ids: { id: { foreign: foreignPlans, status: DONE, createsRows: true } },
  },
  "meets.subscribe": planRule({
    reader: TOKEN,
    device: {
      endpoint: "https://fcm.googleapis.com/fcm/send/test",
      auth_base64: "A".repeat(22),
      p256dh_base64: P256_POINT,
      locale: "en",
    },
  }),
  "admin.audit": { as: "admin", allowed: () => ({ cursor: 5 }), ids: { cursor } },
};

// ------------------------------------------------------------------------------------------------ foreign values

function withoutOwnBlock({ unreachable }: World): Record<string, number> {
  return Object.fromEntries(Object.entries(unreachable).filter(([name]) => name !== "blocked"));
}

async function picturesOutOfReach(world: World): Promise<Record<string, number>> {
  const pictures: Record<string, number> = { absent: ABSENT_ID };
  for (const name of OUT_OF_REACH) {
    if (name !== "absent") pictures[name] = await createCroppablePicture(world, world.unreachable[name]);
  }
  pictures.ungranted = await fixtures.picture(world, world.other.id, "private");
  pictures.own = await createCroppablePicture(world, world.me.id);
  pictures.hiddenByStaff = await createCroppablePicture(world, world.other.id);
  pictures.heldByStaff = await createCroppablePicture(world, world.other.id);
  await world.sql("update picture set hidden_by_staff = 1 where id = ?", pictures.hiddenByStaff);
  await world.sql("update picture set hidden_by_staff = 2 where id = ?", pictures.heldByStaff);
  return pictures;
}

async function createCroppablePicture(world: World, owner: number): Promise<number> {
  const id = await fixtures.picture(world, owner);
  await world.sql("update picture set wants_crop = 1 where id = ?", id);
  return id;
}

async function createReviewItem(world: World, owner: number): Promise<number> {
  return world.sql(
    `insert into game_item (game, picture_id, subject_id, version, staff_reason, ts_staff, ts_created)
     values ('rating', ?, ?, 1, 'divided', 1, 1) returning id`,
    await fixtures.picture(world, owner),
    owner,
  );
}

async function createMarkedPicture(world: World, owner: number): Promise<number> {
  const picture = await fixtures.picture(world, owner);
  await world.sql("update picture set nsfw_community = 1 where id = ?", picture);
  await world.sql(
    `insert into game_item (game, picture_id, subject_id, version, answer, ts_created, ts_decided)
     values ('rating', ?, ?, 1, 'explicit', 1, 1)`,
    picture,
    owner,
  );
  return picture;
}

function listsOutOfReach({ unreachable }: World): Record<string, number[]> {
  return Object.fromEntries(Object.entries(unreachable).map(([name, id]) => [name, [id]]));
}

/** Accepted but ignored: what the caller cannot see does not become evidence. */
async function unseenEvidence(world: World): Promise<Record<string, number[]>> {
  return { absent: [ABSENT_ID], other: [await messageBetweenOthers(world)] };
}

async function unseenPictures(world: World): Promise<Record<string, number[]>> {
  return { absent: [ABSENT_ID], other: [await fixtures.picture(world, world.other.id, "private")] };
}

async function unseenVoice(world: World): Promise<Record<string, number>> {
  return { absent: ABSENT_ID, other: await fixtures.introduction(world, world.other.id, "private") };
}

async function createOthersCase(world: World): Promise<Record<string, string>> {
  const id = await fixtures.report(world, world.other.id);
  const row = await world.worker.env.DB.prepare("select case_ref from report where id = ?")
    .bind(id)
    .first<{ case_ref: string }>();
  return { absent: "f".repeat(24), other: row?.case_ref ?? "" };
}

async function deleteRound({ me, sql }: World): Promise<Input> {
  await sql("delete from identify_round where profile_id = ?", me.id);
  return {};
}

/** Makes the caller carry the cooties, with everybody playing at the same place. */
async function prepareTag({ me, other, unreachable, sql }: World): Promise<Input> {
  for (const id of [me.id, other.id, ...Object.values(unreachable)]) {
    if (id === ABSENT_ID) continue;
    const carrier = id === me.id ? 1 : 0;
    await sql(
      "insert or replace into cooties_player (profile_id, brand, carrier, ts_joined) values (?, 1, ?, 1)",
      id,
      carrier,
    );
    await sql(
      `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
       values (?, 'RANDOM', 'street', 1, 1, 1, 9e15) on conflict do update set key = 1`,
      id,
    );
  }
  return { profileId: other.id };
}

async function exchangeMessages(world: World): Promise<void> {
  const { me, other } = world;
  for (let count = 0; count < EXPOSURE_MESSAGES_EACH_MIN; count += 1) {
    await fixtures.message(world, other.id, me.id);
    await fixtures.message(world, me.id, other.id);
  }
}

/** Makes caller and other talk for days. */
async function prepareAcquaintance(world: World): Promise<Input> {
  const { other, sql } = world;
  await fixtures.picture(world, other.id);
  await exchangeMessages(world);
  await sql("update message set ts_created = 1 where sender_id = ?", other.id);
  return { profileId: other.id };
}

async function createAppealedCase(world: World, subject: number, brand: string): Promise<number> {
  const id = await fixtures.report(world, subject, brand, "decided", "warn");
  await world.sql(
    "insert into appeal (report_id, side, profile_id, text, ts_created) values (?, 'subject', ?, 'It was not me.', 1)",
    id,
    subject,
  );
  return id;
}
