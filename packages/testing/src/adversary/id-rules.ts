/**
 * For tests: what every id that a call takes means. `allowed` makes an input that works; for each id in it, `foreign` makes the
 * values that must not. A call with an id that is not listed here fails ids.test.ts: whoever adds one says whose it must be.
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
import { as } from "../member.ts";
import { ABSENT_ID, OUT_OF_REACH, THINGS, type World } from "./world.ts";

/** Where a member without a position is. */
const FIRST_CITY = getBrand("ember").firstCity;

type Input = Record<string, unknown>;
type Making<Value> = (world: World) => Value | Promise<Value>;

export interface IdRule {
  /** Values that the caller has no right to; undefined: the id is only a place in an own list. */
  readonly foreign?: Making<Record<string, unknown>>;
  /** The one status that all of them get; a call that only ends something of the caller's own may say "done" and do nothing. */
  readonly status: readonly number[];
  /** Each answer names something that the call made, so that no two are alike. */
  readonly makes?: true;
  /** What else the input needs when this id is asked for. */
  readonly with?: Making<Input>;
}

export interface CallRule {
  readonly as?: "admin";
  readonly allowed: Making<Input>;
  readonly ids: Record<string, IdRule>;
}

const REFUSED = [403, 404];
const DONE = [200, 201, 204];

/** A member whom the caller may see. */
const visible = (extra: Partial<IdRule> = {}): IdRule => ({
  foreign: ({ unreachable }) => unreachable,
  status: REFUSED,
  ...extra,
});
/** The caller. */
const self: IdRule = {
  foreign: ({ unreachable, other }) => ({ ...unreachable, other: other.id }),
  status: REFUSED,
};
/** Ending what is between the caller and whoever: the same answer whether or not there is anything, and nothing of others changes. */
const ending: IdRule = { foreign: ({ unreachable }) => unreachable, status: DONE };
/** Where to go on in a list of the caller's own. */
const place: IdRule = { status: DONE };
/** A thing of the caller's; the same thing of another member is as absent as none at all. */
const owned = (foreign: (world: World, owner: number) => Promise<number>, status = REFUSED): IdRule => ({
  foreign: async (world) => ({ absent: ABSENT_ID, other: await foreign(world, world.other.id) }),
  status,
});
/** Owned things in a list. */
const ownedList = (foreign: (world: World, owner: number) => Promise<number>, status = REFUSED): IdRule => ({
  foreign: async (world) => ({ absent: [ABSENT_ID], other: [await foreign(world, world.other.id)] }),
  status,
});
/** A thing of the brand that the admin administers. */
const ofBrand = (make: (world: World, brand: string) => Promise<number>): IdRule => ({
  foreign: async (world) => ({ absent: ABSENT_ID, elsewhere: await make(world, "harbor") }),
  status: REFUSED,
});
/** What staff do with a case about a minor: its report to the CyberTipline. */
function minorCase(rest: Input = {}): CallRule {
  const make = async (world: World, subject: number, brand = "ember") => {
    const id = await THINGS.report(world, subject, brand);
    await world.sql("update report set category = 'minor' where id = ?", id);
    return id;
  };
  return {
    as: "admin",
    allowed: async (world) => ({ id: await make(world, world.other.id), ...rest }),
    ids: { id: ofBrand((world, brand) => make(world, world.unreachable.elsewhere, brand)) },
  };
}
/** As many bytes as base64url; what they are means nothing to the server. */
const filled = (bytes: number) => "A".repeat(Math.ceil((bytes * 4) / 3));
const TOKEN = filled(32);
const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");
const makeMeetId = () => randomBytes(16).toString("base64url");
/** A new plan, all of whose tokens are TOKEN but the second PIN's. */
function newMeet(id = makeMeetId(), token = TOKEN): Input {
  const hashes = { reader: hashOf(token), owner: hashOf(token), fine: hashOf(token), help: hashOf(`${token}2`) };
  return { id, ...hashes, runsMs: HOUR_MS, graceMs: 0, plan: filled(MEET_PLAN_BYTES + MEET_SEAL_BYTES) };
}
async function makePlan({ me }: World, token = TOKEN): Promise<string> {
  const id = makeMeetId();
  const answer = await me.send("POST", "/api/meet", newMeet(id, token));
  if (answer.status !== 201) throw new Error(await answer.text());
  return id;
}
/** A plan whose tokens the caller has not is as absent as none, even to the member who made it. */
const foreignPlans = async (world: World) => ({ absent: makeMeetId(), others: await makePlan(world, filled(31)) });
function plan(rest: Input): CallRule {
  return {
    allowed: async (world) => ({ id: await makePlan(world), ...rest }),
    ids: { id: { foreign: foreignPlans, status: REFUSED } },
  };
}
const NO_REF = "f".repeat(24);
const REASON = "The police asked for it.";
/** A legal hold of a brand, with a request to open it by the network's admin, or open to that one and the brand's. */
async function makeHold(world: World, brand = "ember", state: "closed" | "asked" | "open" = "closed"): Promise<string> {
  const { sql, admin, worker } = world;
  const report = await THINGS.report(world, world.unreachable.elsewhere, brand);
  const ref = report.toString(16).padStart(24, "a");
  await sql(
    `insert into legal_hold (hold_ref, report_id, case_ref, brand, rule, reason, key_version, salt, ts_started, ts_until)
     values (?, ?, ?, ?, 'minor', ?, 1, 'salt', ?, 9000000000000)`,
    ...[ref, report, ref, brand, REASON, Date.now()],
  );
  if (state === "closed") return ref;
  const isOpen = state === "open";
  const asking = await as(worker, { adminBrand: "*", hidden: true });
  await sql(
    "insert into legal_hold_request values (?, ?, ?, ?, ?, ?, ?)",
    ...[ref, ref, asking.id, isOpen ? admin.id : null, REASON, Date.now(), isOpen ? Date.now() : null],
  );
  return ref;
}
function hold(id: "holdRef" | "requestRef", state: "closed" | "asked" | "open", rest: Input = {}): CallRule {
  return {
    as: "admin",
    allowed: async (world) => ({ [id]: await makeHold(world, "ember", state), ...rest }),
    ids: {
      [id]: {
        foreign: async (world) => ({ absent: NO_REF, elsewhere: await makeHold(world, "harbor", state) }),
        status: REFUSED,
      },
    },
  };
}
/** What staff do with a notice of their brand. */
function deskNotice(rest: Input = {}): CallRule {
  return {
    as: "admin",
    allowed: async (world) => ({ id: await THINGS.notice(world, world.other.id), ...rest }),
    ids: { id: ofBrand((world, brand) => THINGS.notice(world, world.other.id, brand)) },
  };
}
/** A message that the caller can not read: between two others, or from somebody whom the caller blocked. */
const unreadable: IdRule = {
  foreign: async (world) => ({
    absent: ABSENT_ID,
    others: await betweenOthers(world),
    blocked: await THINGS.message(world, world.unreachable.blocked, world.me.id),
  }),
  status: REFUSED,
};
const betweenOthers = (world: World) => THINGS.message(world, world.other.id, world.stranger.id);
const memberOfBrand: IdRule = {
  foreign: ({ unreachable: { absent, elsewhere } }) => ({ absent, elsewhere }),
  status: REFUSED,
};

/** Members whom the caller sees on a screen: of one who is out of sight the answer tells nothing. */
const shown = {
  allowed: ({ other }: World) => ({ profileIds: [other.id] }),
  ids: {
    profileIds: {
      foreign: ({ unreachable }: World) =>
        Object.fromEntries(Object.entries(unreachable).map(([whose, id]) => [whose, [id]])),
      status: DONE,
    },
  },
};
const messagePlaces = { sinceMessageId: place, beforeMessageId: place };
const about = (rest: Input = {}) => ({
  allowed: ({ other }: World) => ({ profileId: other.id, ...rest }),
  ids: { profileId: visible() },
});

export const ID_RULES: Record<string, CallRule> = {
  // -------------------------------------------------------------------------------- profiles, likes, blocks, notes
  "profiles.get": { allowed: ({ other }) => ({ id: other.id }), ids: { id: visible() } },
  "profiles.relation": { allowed: ({ other }) => ({ id: other.id }), ids: { id: visible() } },
  "profiles.update": {
    allowed: ({ me }) => ({ id: me.id, height: "180 cm" }),
    ids: {
      id: self,
      profilePicIds: ownedList(THINGS.picture, [400]),
      profilePicIdsPrivate: ownedList((world, owner) => THINGS.picture(world, owner, "private"), [400]),
    },
  },
  "likes.byLiker": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  "likes.byLiked": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  "likes.among": shown,
  "likes.get": {
    allowed: async ({ me, other, sql }) => {
      await sql("insert into profile_like values (?, ?, 'LIKE', 1, 0) on conflict do nothing", me.id, other.id);
      return { likerProfileId: me.id, likedProfileId: other.id };
    },
    ids: {
      likerProfileId: { ...self, with: ({ stranger }) => ({ likedProfileId: stranger.id }) },
      likedProfileId: visible(),
    },
  },
  "likes.put": {
    allowed: ({ me, other }) => ({ likerProfileId: me.id, likedProfileId: other.id, likeType: "LIKE" }),
    ids: { likerProfileId: self, likedProfileId: visible() },
  },
  "blocks.list": { allowed: () => ({ cursor: 1 }), ids: { cursor: place } },
  "blocks.undo": {
    allowed: ({ other }) => ({ profileId: other.id }),
    ids: { profileId: { ...ending, foreign: withoutOwnBlock } },
  },
  "keptAway.remove": {
    allowed: async (world) => ({ id: await THINGS.keptAwayAddress(world, world.me.id) }),
    ids: { id: owned(THINGS.keptAwayAddress) },
  },
  "travel.showTrip": {
    allowed: async (world) => ({ id: await THINGS.trip(world, world.me.id), shown: true }),
    ids: { id: { ...owned(THINGS.trip), with: () => ({ shown: true }) } },
  },
  "travel.removeTrip": {
    allowed: async (world) => ({ id: await THINGS.trip(world, world.me.id) }),
    ids: { id: owned(THINGS.trip) },
  },
  "notes.get": {
    allowed: ({ me, other }) => ({ authorProfileId: me.id, aboutProfileId: other.id }),
    ids: { authorProfileId: self, aboutProfileId: visible() },
  },
  "notes.put": {
    allowed: ({ me, other }) => ({ authorProfileId: me.id, aboutProfileId: other.id, bodyText: "Met once" }),
    ids: { authorProfileId: self, aboutProfileId: visible() },
  },
  "notes.list": { allowed: ({ me }) => ({ authorProfileId: me.id }), ids: { authorProfileId: self } },

  // -------------------------------------------------------------------------------- pictures and albums
  // An empty list, for whoever shows nothing.
  "pictures.list": { ...about(), ids: { profileId: ending } },
  "pictures.arrange": {
    allowed: async (world) => ({ profilePicIds: [await THINGS.picture(world, world.me.id)] }),
    ids: {
      profilePicIds: ownedList(THINGS.picture, [400]),
      profilePicIdsPrivate: ownedList((world, owner) => THINGS.picture(world, owner, "private"), [400]),
    },
  },
  "pictures.update": {
    allowed: async (world) => ({ id: await THINGS.picture(world, world.me.id), nsfw: true }),
    ids: { id: owned(THINGS.picture) },
  },
  "pictures.delete": {
    allowed: async (world) => ({ id: await THINGS.picture(world, world.me.id) }),
    ids: { id: owned(THINGS.picture) },
  },
  "pictureLikes.put": {
    allowed: async (world) => ({
      likerProfileId: world.me.id,
      profilePicId: await THINGS.picture(world, world.other.id),
      profilePicProfileId: world.other.id,
      likeType: "LIKE",
    }),
    ids: {
      likerProfileId: self,
      profilePicId: { foreign: picturesOutOfReach, status: REFUSED },
      // Ignored: whose picture it is, the picture says.
      profilePicProfileId: place,
    },
  },
  "pictureLikes.byLiker": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  "pictureLikes.byLiked": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self } },
  // The caller's own ratings: nobody out of reach has any that the caller may see.
  "pictureLikes.about": { ...about(), ids: { profileId: ending } },
  "albums.status": about(),
  "albums.given": { allowed: () => ({ cursor: 1 }), ids: { cursor: place } },
  "albums.received": { allowed: () => ({ cursor: 1 }), ids: { cursor: place } },
  "albums.request": { allowed: ({ other }) => ({ ownerProfileId: other.id }), ids: { ownerProfileId: visible() } },
  "albums.withdraw": { allowed: ({ other }) => ({ ownerProfileId: other.id }), ids: { ownerProfileId: ending } },
  "albums.grant": { allowed: ({ other }) => ({ memberProfileId: other.id }), ids: { memberProfileId: visible() } },
  "albums.revoke": { allowed: ({ other }) => ({ memberProfileId: other.id }), ids: { memberProfileId: ending } },

  // -------------------------------------------------------------------------------- messages
  "messages.send": {
    allowed: async (world) => ({
      senderProfileId: world.me.id,
      recipientProfileId: world.other.id,
      bodyText: "Good evening",
      profilePicIds: [await THINGS.picture(world, world.me.id)],
    }),
    ids: {
      senderProfileId: self,
      recipientProfileId: visible(),
      profilePicIds: ownedList(THINGS.picture),
      // Counts together with its sender alone.
      clientId: place,
    },
  },
  "messages.mostRecentWith": { ...about(), ids: { profileId: visible(), ...messagePlaces } },
  "messages.between": {
    allowed: ({ me, other }) => ({ a: me.id, b: other.id }),
    ids: { a: { ...self, with: ({ stranger }) => ({ b: stranger.id }) }, b: visible(), ...messagePlaces },
  },
  "messages.conversations": { allowed: () => ({}), ids: messagePlaces },
  "messages.history": {
    ...about(),
    ids: {
      profileId: visible(),
      messageId: { ...unreadable, with: () => ({ profileId: undefined }) },
      ...messagePlaces,
    },
  },
  "messages.read": {
    allowed: async (world) => ({
      profileId: world.other.id,
      upToMessageId: await THINGS.message(world, world.other.id, world.me.id),
    }),
    ids: {
      profileId: visible(),
      messageId: { ...unreadable, with: () => ({ profileId: undefined }) },
      upToMessageId: place,
    },
  },
  "messages.delivered": {
    allowed: async (world) => ({ messageIds: [await THINGS.message(world, world.other.id, world.me.id)] }),
    // Devices say what reached them; what did not is ignored.
    ids: { messageIds: ownedList(betweenOthers, DONE), upToMessageId: place },
  },
  "messages.remove": {
    allowed: async (world) => ({ id: await THINGS.message(world, world.me.id, world.other.id) }),
    ids: { id: unreadable },
  },
  "messages.closeOnce": {
    allowed: async (world) => ({ id: await THINGS.message(world, world.other.id, world.me.id) }),
    ids: {
      // The same answer whether anything was open: once-view.test.ts shows that others close nothing.
      id: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          others: await THINGS.message(world, world.other.id, world.stranger.id),
        }),
        status: DONE,
      },
    },
  },
  "messages.declinePictures": {
    allowed: async (world) => ({ id: await THINGS.pictureMessage(world, world.other.id, world.me.id) }),
    ids: {
      id: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          others: await THINGS.pictureMessage(world, world.other.id, world.stranger.id),
          blocked: await THINGS.pictureMessage(world, world.unreachable.blocked, world.me.id),
        }),
        status: REFUSED,
      },
    },
  },
  "messages.missed": { allowed: () => ({ sinceMessageId: 0 }), ids: { sinceMessageId: place } },
  "messages.search": { allowed: () => ({ query: "Hello" }), ids: { beforeMessageId: place } },
  "messages.area": { allowed: () => ({}), ids: messagePlaces },
  "messages.bySector": {
    allowed: async ({ me, sql }) => {
      await sql("delete from position where profile_id = ?", me.id);
      return { sector: `${Math.floor(FIRST_CITY.lat)}:${Math.floor(FIRST_CITY.lon)}` };
    },
    ids: messagePlaces,
  },

  // -------------------------------------------------------------------------------- the member's own things
  "positions.report": {
    allowed: ({ me }) => ({ profileId: me.id, session: 1, use: "RANDOM", hide: false }),
    ids: { profileId: self },
  },
  "positions.distances": shown,
  "positions.byIds": shown,
  "pictures.previews": shown,
  "positions.mine": { allowed: ({ me }) => ({ profileId: me.id }), ids: { profileId: self } },
  "positions.places": { allowed: ({ me }) => ({ profileId: me.id }), ids: { profileId: self } },
  "positions.forgetPlaces": { allowed: ({ me }) => ({ profileId: me.id }), ids: { profileId: self } },
  "notifications.list": { allowed: ({ me }) => ({ id: me.id }), ids: { id: self, beforeId: place } },
  "notifications.delete": {
    allowed: async (world) => ({ id: await THINGS.notification(world, world.me.id) }),
    ids: { id: owned(THINGS.notification) },
  },
  "push.unsubscribe": {
    allowed: async (world) => ({ id: await THINGS.push(world, world.me.id) }),
    ids: { id: owned(THINGS.push) },
  },
  "passkeys.rename": {
    allowed: async (world) => ({ id: await THINGS.passkey(world, world.me.id), name: "Old phone" }),
    ids: { id: owned(THINGS.passkey) },
  },
  "passkeys.remove": {
    allowed: async (world) => {
      await world.sql("update session set ts_proved = 9e15 where account_id = ?", world.me.id);
      return { id: await THINGS.passkey(world, world.me.id) };
    },
    ids: { id: owned(THINGS.passkey) },
  },
  "sessions.end": {
    allowed: async (world) => ({ id: await THINGS.session(world, world.me.id) }),
    ids: { id: owned(THINGS.session) },
  },

  // -------------------------------------------------------------------------------- reports and arbitration
  "reports.file": {
    allowed: ({ other }) => ({ subjectProfileId: other.id, category: "threat", text: "Threatens me." }),
    ids: {
      subjectProfileId: visible({
        foreign: ({ unreachable: { absent, hidden, elsewhere, unnamed } }) => ({ absent, hidden, elsewhere, unnamed }),
      }),
      sourceId: { ...owned(betweenOthers), with: () => ({ source: "message" }) },
      messageIds: { ...place, foreign: unseenEvidence, makes: true },
      pictureIds: { ...place, foreign: unseenPictures, makes: true },
      voiceId: { ...place, foreign: unseenVoice, makes: true },
    },
  },
  "reports.appeal": {
    allowed: async (world) => ({
      reportId: await THINGS.report(world, world.me.id, "ember", "decided", "warn"),
      text: "That was not me, and I can show it.",
    }),
    ids: { reportId: owned((world, owner) => THINGS.report(world, owner, "ember", "decided", "warn")) },
  },
  "transparency.case": {
    allowed: () => ({ caseRef: "0".repeat(24) }),
    ids: { caseRef: { ...place, foreign: othersCase } },
  },
  "arbitration.vote": {
    allowed: async (world) => ({
      juryId: await THINGS.jury(world, world.me.id),
      verdict: "no_violation",
      reason: "Rude, but no rule is broken here.",
    }),
    ids: { juryId: owned(THINGS.jury) },
  },
  "arbitration.recuse": {
    allowed: async (world) => ({ juryId: await THINGS.jury(world, world.me.id) }),
    ids: { juryId: owned(THINGS.jury) },
  },

  // -------------------------------------------------------------------------------- games
  "games.ratingVote": {
    allowed: async (world) => ({ itemId: await THINGS.gameItem(world, world.me.id, "rating"), answer: "safe" }),
    ids: { itemId: owned((world, player) => THINGS.gameItem(world, player, "rating")) },
  },
  "games.requestReview": {
    allowed: async (world) => ({ pictureId: await markedPicture(world, world.me.id) }),
    ids: {
      pictureId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          other: await markedPicture(world, world.other.id),
          unmarked: await THINGS.picture(world, world.me.id),
        }),
        status: REFUSED,
      },
    },
  },
  "games.decideReview": {
    as: "admin",
    allowed: async (world) => ({ itemId: await waitingItem(world, world.other.id), answer: "safe" }),
    ids: {
      itemId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await waitingItem(world, world.unreachable.elsewhere),
          hidden: await waitingItem(world, world.unreachable.hidden),
        }),
        status: REFUSED,
      },
    },
  },
  "games.busterVote": {
    allowed: async (world) => ({ itemId: await THINGS.gameItem(world, world.me.id, "buster"), answer: "person" }),
    ids: { itemId: owned((world, player) => THINGS.gameItem(world, player, "buster")) },
  },
  "games.identifyAnswer": {
    allowed: async (world) => {
      const { me, other, stranger, sql } = world;
      await sql(
        "insert into identify_round values (?, ?, ?, ?, ?) on conflict do update set answer_id = excluded.answer_id",
        ...[
          me.id,
          other.id,
          await THINGS.picture(world, other.id),
          JSON.stringify([other.id, stranger.id]),
          Date.now(),
        ],
      );
      return { profileId: other.id };
    },
    // Without a round of one's own, every id gets the same; with one, only its three are answers.
    ids: { profileId: { ...visible(), with: dropRound } },
  },
  "games.cropSuggest": {
    allowed: async (world) => ({
      pictureId: await wantsCrop(world, world.other.id),
      x: 0,
      y: 0,
      width: 0.8,
      height: 0.8,
    }),
    ids: { pictureId: { foreign: picturesOutOfReach, status: REFUSED } },
  },
  "games.cropClose": {
    allowed: async (world) => ({ id: await THINGS.cropSuggestion(world, world.me.id, world.other.id), applied: false }),
    ids: { id: owned((world, owner) => THINGS.cropSuggestion(world, owner, world.stranger.id)) },
  },
  "games.cootiesTag": { allowed: playTag, ids: { profileId: visible() } },
  "exposure.send": {
    allowed: async (world) => {
      const { me, other, sql } = world;
      for (let written = 0; written < EXPOSURE_MESSAGES_EACH_MIN; written += 1) {
        await THINGS.message(world, other.id, me.id);
        await THINGS.message(world, me.id, other.id);
      }
      await sql("update message set ts_created = ? where sender_id in (?, ?)", Date.now(), me.id, other.id);
      return { recipientProfileIds: [other.id] };
    },
    ids: { recipientProfileIds: visible({ foreign: listsOutOfReach }) },
  },

  // -------------------------------------------------------------------------------- admin
  "admin.case": {
    as: "admin",
    allowed: async (world) => ({ id: await THINGS.report(world, world.other.id) }),
    ids: { id: ofBrand((world, brand) => THINGS.report(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.member": { as: "admin", allowed: ({ other }) => ({ id: other.id }), ids: { id: memberOfBrand } },
  "admin.act": {
    as: "admin",
    allowed: ({ other }) => ({ subjectProfileId: other.id, kind: "warn", rule: "spam", reason: "Stop that." }),
    ids: {
      subjectProfileId: memberOfBrand,
      pictureId: {
        foreign: async (world) => ({ absent: ABSENT_ID, stranger: await THINGS.picture(world, world.stranger.id) }),
        status: REFUSED,
        with: () => ({ kind: "hide_picture" }),
      },
      reportId: ofBrand((world, brand) => THINGS.report(world, world.unreachable.elsewhere, brand)),
    },
  },
  "admin.dismiss": {
    as: "admin",
    allowed: async (world) => ({ id: await THINGS.report(world, world.other.id), reason: "Nothing in it." }),
    ids: { id: ofBrand((world, brand) => THINGS.report(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.lift": {
    as: "admin",
    allowed: async (world) => ({ id: await THINGS.action(world, world.other.id) }),
    ids: { id: ofBrand((world, brand) => THINGS.action(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.decideAppeal": {
    as: "admin",
    allowed: async (world) => ({ id: await appealed(world, world.other.id, "ember"), reversed: false }),
    ids: { id: ofBrand((world, brand) => appealed(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.closeContact": {
    as: "admin",
    allowed: async (world) => ({ id: await THINGS.contact(world, "ember") }),
    ids: { id: ofBrand(THINGS.contact) },
  },
  "admin.holds.list": {
    as: "admin",
    allowed: async (world) => ({ reportId: await THINGS.report(world, world.other.id) }),
    ids: {
      reportId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await THINGS.report(world, world.unreachable.elsewhere, "harbor"),
        }),
        status: DONE,
      },
    },
  },
  "admin.holds.start": {
    as: "admin",
    allowed: async (world) => ({ id: await THINGS.report(world, world.other.id), reason: "The police asked." }),
    ids: { id: ofBrand((world, brand) => THINGS.report(world, world.unreachable.elsewhere, brand)) },
  },
  "admin.holds.extend": hold("holdRef", "closed", { reason: REASON }),
  "admin.holds.ask": hold("holdRef", "closed", { reason: REASON }),
  "admin.holds.agree": hold("requestRef", "asked"),
  "admin.holds.refuse": hold("requestRef", "asked"),
  "admin.holds.read": hold("holdRef", "open"),
  "admin.holds.tipDraft": minorCase(),
  "admin.holds.tipFile": minorCase({
    incidentType: "Child Sex Trafficking",
    incidentDateTime: "2026-01-01T00:00:00.000Z",
    reporterFirstName: "Ann",
    reporterLastName: "Staff",
    reporterEmail: "staff@example.test",
    additionalInfo: "",
    filesViewed: false,
  }),
  "admin.holds.tipSent": minorCase({ tipNumber: "12345678" }),
  "noticeDesk.get": deskNotice(),
  "noticeDesk.remove": deskNotice({ reason: "It is so." }),
  "noticeDesk.reject": deskNotice({ reason: "It is not so." }),
  "noticeDesk.ask": deskNotice({ text: "Where is it?" }),
  "noticeDesk.namePicture": {
    as: "admin",
    allowed: async (world) => ({
      id: await THINGS.notice(world, world.other.id),
      pictureId: await THINGS.picture(world, world.stranger.id),
    }),
    ids: {
      id: ofBrand((world, brand) => THINGS.notice(world, world.other.id, brand)),
      // A picture that members do not see is as absent to staff as to anybody.
      pictureId: {
        foreign: async (world) => ({
          absent: ABSENT_ID,
          elsewhere: await THINGS.picture(world, world.unreachable.elsewhere),
          hidden: await THINGS.picture(world, world.unreachable.hidden),
          private: await THINGS.picture(world, world.other.id, "private"),
        }),
        status: REFUSED,
      },
    },
  },
  "noticeDesk.forward": {
    as: "admin",
    allowed: async (world) => ({
      id: await THINGS.notice(world, world.other.id),
      subjectProfileId: world.other.id,
      rule: "intimate",
      text: "It is so.",
    }),
    ids: {
      id: ofBrand((world, brand) => THINGS.notice(world, world.other.id, brand)),
      subjectProfileId: memberOfBrand,
    },
  },
  "noticeDesk.decideCounter": {
    as: "admin",
    allowed: async (world) => ({
      id: await THINGS.counter(world, world.other.id),
      subjectProfileId: world.other.id,
      upheld: false,
      reason: "It is so.",
    }),
    ids: {
      id: ofBrand((world, brand) => THINGS.counter(world, world.other.id, brand)),
      subjectProfileId: memberOfBrand,
    },
  },
  "notices.counter": {
    allowed: async (world) => ({ id: await THINGS.notice(world, world.me.id), text: "It shows me alone." }),
    ids: { id: owned((world, owner) => THINGS.notice(world, owner)) },
  },
  "meets.create": { allowed: () => newMeet(), ids: { id: { status: DONE } } },
  "meets.status": plan({ owner: TOKEN }),
  "meets.addPosition": plan({ owner: TOKEN, position: filled(MEET_POSITION_BYTES + MEET_SEAL_BYTES) }),
  "meets.answer": plan({ reader: TOKEN, pin: TOKEN, act: { type: "extend", deadline: Date.now() + HOUR_MS } }),
  "meets.read": {
    ...plan({ reader: TOKEN }),
    // A plan that is over, another's and none are one answer, which is no error.
    ids: { id: { foreign: foreignPlans, status: DONE, makes: true } },
  },
  "meets.subscribe": plan({
    reader: TOKEN,
    device: {
      ...{ endpoint: "https://fcm.googleapis.com/fcm/send/test", auth_base64: "A".repeat(22) },
      ...{ p256dh_base64: "B".repeat(87), locale: "en" },
    },
  }),
  "admin.audit": { as: "admin", allowed: () => ({ cursor: 5 }), ids: { cursor: place } },
};

// ------------------------------------------------------------------------------------------------ foreign values

function withoutOwnBlock({ unreachable }: World): Record<string, number> {
  return Object.fromEntries(Object.entries(unreachable).filter(([name]) => name !== "blocked"));
}

async function picturesOutOfReach(world: World): Promise<Record<string, number>> {
  const pictures: Record<string, number> = { absent: ABSENT_ID };
  for (const name of OUT_OF_REACH) {
    if (name !== "absent") pictures[name] = await wantsCrop(world, world.unreachable[name]);
  }
  pictures.ungranted = await THINGS.picture(world, world.other.id, "private");
  pictures.own = await wantsCrop(world, world.me.id);
  pictures.hiddenByStaff = await wantsCrop(world, world.other.id);
  pictures.heldByStaff = await wantsCrop(world, world.other.id);
  await world.sql("update picture set hidden_by_staff = 1 where id = ?", pictures.hiddenByStaff);
  await world.sql("update picture set hidden_by_staff = 2 where id = ?", pictures.heldByStaff);
  return pictures;
}

async function wantsCrop(world: World, owner: number): Promise<number> {
  const id = await THINGS.picture(world, owner);
  await world.sql("update picture set wants_crop = 1 where id = ?", id);
  return id;
}

async function waitingItem(world: World, owner: number): Promise<number> {
  return world.sql(
    `insert into game_item (game, picture_id, subject_id, version, staff_reason, ts_staff, ts_created)
     values ('rating', ?, ?, 1, 'divided', 1, 1) returning id`,
    ...[await THINGS.picture(world, owner), owner],
  );
}

async function markedPicture(world: World, owner: number): Promise<number> {
  const picture = await THINGS.picture(world, owner);
  await world.sql("update picture set nsfw_community = 1 where id = ?", picture);
  await world.sql(
    `insert into game_item (game, picture_id, subject_id, version, answer, ts_created, ts_decided)
     values ('rating', ?, ?, 1, 'explicit', 1, 1)`,
    ...[picture, owner],
  );
  return picture;
}

function listsOutOfReach({ unreachable }: World): Record<string, number[]> {
  return Object.fromEntries(Object.entries(unreachable).map(([name, id]) => [name, [id]]));
}

/** Taken and left out: what the caller cannot see does not become evidence. */
async function unseenEvidence(world: World): Promise<Record<string, number[]>> {
  return { absent: [ABSENT_ID], other: [await betweenOthers(world)] };
}
async function unseenPictures(world: World): Promise<Record<string, number[]>> {
  return { absent: [ABSENT_ID], other: [await THINGS.picture(world, world.other.id, "private")] };
}

async function unseenVoice(world: World): Promise<Record<string, number>> {
  return { absent: ABSENT_ID, other: await THINGS.introduction(world, world.other.id, "private") };
}

async function othersCase(world: World): Promise<Record<string, string>> {
  const id = await THINGS.report(world, world.other.id);
  const row = await world.worker.env.DB.prepare("select case_ref from report where id = ?")
    .bind(id)
    .first<{ case_ref: string }>();
  return { absent: "f".repeat(24), other: row?.case_ref ?? "" };
}

async function dropRound({ me, sql }: World): Promise<Input> {
  await sql("delete from identify_round where profile_id = ?", me.id);
  return {};
}

/** The caller carries the cooties; everyone plays, and stands at the same place. */
async function playTag({ me, other, unreachable, sql }: World): Promise<Input> {
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

async function appealed(world: World, subject: number, brand: string): Promise<number> {
  const id = await THINGS.report(world, subject, brand, "decided", "warn");
  await world.sql(
    "insert into appeal (report_id, side, profile_id, text, ts_created) values (?, 'subject', ?, 'It was not me.', 1)",
    ...[id, subject],
  );
  return id;
}
