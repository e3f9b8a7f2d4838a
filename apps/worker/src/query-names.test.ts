/**
 * A function's name says whether it executes: findX, getX, listX, countX, insertX, updateX, upsertX and deleteX return a promise, and names
 * that end in Query or Queries return compiled queries for a batch. The type checker proves it for each module below; the test proves
 * that none is missing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Compiled } from "./platform/db/batch.ts";

type ExecutingName =
  `${"find" | "get" | "list" | "count" | "insert" | "update" | "upsert" | "delete"}${Capitalize<string>}`;
type CompiledName = `${string}${"Query" | "Queries"}`;

/** The name, when it does not match what the function returns. */
type Misnamed<Name, Returned> =
  Awaited<Returned> extends Compiled | readonly Compiled[]
    ? Name extends CompiledName
      ? never
      : Name
    : Name extends CompiledName
      ? Name
      : Name extends ExecutingName
        ? Returned extends PromiseLike<unknown>
          ? never
          : Name
        : never;

type MisnamedIn<Module> = {
  [Name in keyof Module]: Module[Name] extends (...args: never) => infer Returned ? Misnamed<Name, Returned> : never;
}[keyof Module];

interface Modules {
  "community/credits/ledger.ts": typeof import("./community/credits/ledger.ts");
  "community/exposure/cancel-on-block.ts": typeof import("./community/exposure/cancel-on-block.ts");
  "community/exposure/partners.ts": typeof import("./community/exposure/partners.ts");
  "community/exposure/send.ts": typeof import("./community/exposure/send.ts");
  "community/games/commit.ts": typeof import("./community/games/commit.ts");
  "community/games/cooties.ts": typeof import("./community/games/cooties.ts");
  "community/games/crops.ts": typeof import("./community/games/crops.ts");
  "community/games/draw.ts": typeof import("./community/games/draw.ts");
  "community/games/effects.ts": typeof import("./community/games/effects.ts");
  "community/games/hot.ts": typeof import("./community/games/hot.ts");
  "community/games/identify.ts": typeof import("./community/games/identify.ts");
  "community/games/items.ts": typeof import("./community/games/items.ts");
  "community/games/nearby-players.ts": typeof import("./community/games/nearby-players.ts");
  "community/games/open-item.ts": typeof import("./community/games/open-item.ts");
  "community/games/pack.ts": typeof import("./community/games/pack.ts");
  "community/games/pool.ts": typeof import("./community/games/pool.ts");
  "community/games/review-request.ts": typeof import("./community/games/review-request.ts");
  "community/games/review.ts": typeof import("./community/games/review.ts");
  "community/games/statements/draws.ts": typeof import("./community/games/statements/draws.ts");
  "community/games/statements/squares.ts": typeof import("./community/games/statements/squares.ts");
  "community/games/vote-collusion.ts": typeof import("./community/games/vote-collusion.ts");
  "community/games/vote.ts": typeof import("./community/games/vote.ts");
  "data-rights/deletion/purge.ts": typeof import("./data-rights/deletion/purge.ts");
  "data-rights/deletion/stand-in.ts": typeof import("./data-rights/deletion/stand-in.ts");
  "moderation/evidence/settled.ts": typeof import("./moderation/evidence/settled.ts");
  "data-rights/deletion/queries.ts": typeof import("./data-rights/deletion/queries.ts");
  "data-rights/deletion/router.ts": typeof import("./data-rights/deletion/router.ts");
  "data-rights/export/files.ts": typeof import("./data-rights/export/files.ts");
  "data-rights/export/sections.ts": typeof import("./data-rights/export/sections.ts");
  "members/accounts/login.ts": typeof import("./members/accounts/login.ts");
  "members/accounts/queries.ts": typeof import("./members/accounts/queries.ts");
  "members/accounts/session-context.ts": typeof import("./members/accounts/session-context.ts");
  "members/age/explicit-pictures.ts": typeof import("./members/age/explicit-pictures.ts");
  "members/age/queries.ts": typeof import("./members/age/queries.ts");
  "members/age/requests.ts": typeof import("./members/age/requests.ts");
  "members/age/require-proof.ts": typeof import("./members/age/require-proof.ts");
  "members/accounts/status.ts": typeof import("./members/accounts/status.ts");
  "members/bans/marks.ts": typeof import("./members/bans/marks.ts");
  "moderation/bans/open-cases.ts": typeof import("./moderation/bans/open-cases.ts");
  "moderation/bans/settled.ts": typeof import("./moderation/bans/settled.ts");
  "members/blocks/queries.ts": typeof import("./members/blocks/queries.ts");
  "members/blocks/kept-away.ts": typeof import("./members/blocks/kept-away.ts");
  "members/settings/kept-away-router.ts": typeof import("./members/settings/kept-away-router.ts");
  "members/blocks/router.ts": typeof import("./members/blocks/router.ts");
  "members/contact/queries.ts": typeof import("./members/contact/queries.ts");
  "members/lockdown/queries.ts": typeof import("./members/lockdown/queries.ts");
  "members/lockdown/check.ts": typeof import("./members/lockdown/check.ts");
  "members/settings/lockdown-router.ts": typeof import("./members/settings/lockdown-router.ts");
  "members/push/queries.ts": typeof import("./members/push/queries.ts");
  "members/passkeys/add.ts": typeof import("./members/passkeys/add.ts");
  "members/passkeys/options.ts": typeof import("./members/passkeys/options.ts");
  "members/passkeys/queries.ts": typeof import("./members/passkeys/queries.ts");
  "members/proofs/queries.ts": typeof import("./members/proofs/queries.ts");
  "members/sessions/queries.ts": typeof import("./members/sessions/queries.ts");
  "members/sessions/sessions.ts": typeof import("./members/sessions/sessions.ts");
  "members/sessions/viewer.ts": typeof import("./members/sessions/viewer.ts");
  "members/settings/change-email.ts": typeof import("./members/settings/change-email.ts");
  "members/settings/queries.ts": typeof import("./members/settings/queries.ts");
  "members/settings/router.ts": typeof import("./members/settings/router.ts");
  "members/travel/stay-rules.ts": typeof import("./members/travel/stay-rules.ts");
  "members/travel/queries.ts": typeof import("./members/travel/queries.ts");
  "members/travel/export-queries.ts": typeof import("./members/travel/export-queries.ts");
  "members/visibility/first-picture.ts": typeof import("./members/visibility/first-picture.ts");
  "members/visibility/visibility.ts": typeof import("./members/visibility/visibility.ts");
  "moderation/action/lift-due.ts": typeof import("./moderation/action/lift-due.ts");
  "moderation/action/actions.ts": typeof import("./moderation/action/actions.ts");
  "moderation/appeal/file-appeal.ts": typeof import("./moderation/appeal/file-appeal.ts");
  "moderation/action/detection.ts": typeof import("./moderation/action/detection.ts");
  "moderation/audit/log.ts": typeof import("./moderation/audit/log.ts");
  "moderation/audit/public-chain.ts": typeof import("./moderation/audit/public-chain.ts");
  "moderation/effects/case-queries.ts": typeof import("./moderation/effects/case-queries.ts");
  "moderation/effects/find-case.ts": typeof import("./moderation/effects/find-case.ts");
  "moderation/effects/jury-queries.ts": typeof import("./moderation/effects/jury-queries.ts");
  "moderation/effects/advance-case.ts": typeof import("./moderation/effects/advance-case.ts");
  "moderation/effects/notify-parties.ts": typeof import("./moderation/effects/notify-parties.ts");
  "moderation/effects/prepare-effects.ts": typeof import("./moderation/effects/prepare-effects.ts");
  "moderation/evidence/freeze.ts": typeof import("./moderation/evidence/freeze.ts");
  "moderation/evidence/withdrawn.ts": typeof import("./moderation/evidence/withdrawn.ts");
  "moderation/hold/automatic.ts": typeof import("./moderation/hold/automatic.ts");
  "moderation/hold/erase.ts": typeof import("./moderation/hold/erase.ts");
  "moderation/hold/record.ts": typeof import("./moderation/hold/record.ts");
  "moderation/hold/start.ts": typeof import("./moderation/hold/start.ts");
  "moderation/jury/close-jury.ts": typeof import("./moderation/jury/close-jury.ts");
  "moderation/jury/create-jury.ts": typeof import("./moderation/jury/create-jury.ts");
  "moderation/jury/draw.ts": typeof import("./moderation/jury/draw.ts");
  "moderation/jury/facts.ts": typeof import("./moderation/jury/facts.ts");
  "moderation/jury/maintain.ts": typeof import("./moderation/jury/maintain.ts");
  "moderation/notice/jobs.ts": typeof import("./moderation/notice/jobs.ts");
  "moderation/notice/apply-decision.ts": typeof import("./moderation/notice/apply-decision.ts");
  "moderation/notice/counter-decision.ts": typeof import("./moderation/notice/counter-decision.ts");
  "moderation/notice/decide.ts": typeof import("./moderation/notice/decide.ts");
  "moderation/notice/desk.ts": typeof import("./moderation/notice/desk.ts");
  "moderation/notice/figures.ts": typeof import("./moderation/notice/figures.ts");
  "moderation/notice/forward.ts": typeof import("./moderation/notice/forward.ts");
  "moderation/notice/match.ts": typeof import("./moderation/notice/match.ts");
  "moderation/notice/own-notices.ts": typeof import("./moderation/notice/own-notices.ts");
  "moderation/notice/receipt.ts": typeof import("./moderation/notice/receipt.ts");
  "moderation/notice/upload.ts": typeof import("./moderation/notice/upload.ts");
  "moderation/own-record/read-own-record.ts": typeof import("./moderation/own-record/read-own-record.ts");
  "moderation/report/from-games.ts": typeof import("./moderation/report/from-games.ts");
  "moderation/report/open-case.ts": typeof import("./moderation/report/open-case.ts");
  "moderation/report/queries.ts": typeof import("./moderation/report/queries.ts");
  "moderation/report/reporter.ts": typeof import("./moderation/report/reporter.ts");
  "moderation/staff/holds/content.ts": typeof import("./moderation/staff/holds/content.ts");
  "moderation/staff/holds/holds.ts": typeof import("./moderation/staff/holds/holds.ts");
  "moderation/staff/holds/opening.ts": typeof import("./moderation/staff/holds/opening.ts");
  "moderation/staff/holds/scope.ts": typeof import("./moderation/staff/holds/scope.ts");
  "moderation/staff/holds/tip.ts": typeof import("./moderation/staff/holds/tip.ts");
  "moderation/staff/act.ts": typeof import("./moderation/staff/act.ts");
  "moderation/staff/appeals.ts": typeof import("./moderation/staff/appeals.ts");
  "moderation/staff/cases.ts": typeof import("./moderation/staff/cases.ts");
  "moderation/staff/members.ts": typeof import("./moderation/staff/members.ts");
  "moderation/staff/queue.ts": typeof import("./moderation/staff/queue.ts");
  "moderation/staff/scope.ts": typeof import("./moderation/staff/scope.ts");
  "moderation/staff/test-users.ts": typeof import("./moderation/staff/test-users.ts");
  "moderation/transparency/yearly/cases.ts": typeof import("./moderation/transparency/yearly/cases.ts");
  "moderation/transparency/day-commitments.ts": typeof import("./moderation/transparency/day-commitments.ts");
  "moderation/staff/explicit-share.ts": typeof import("./moderation/staff/explicit-share.ts");
  "moderation/transparency/queries.ts": typeof import("./moderation/transparency/queries.ts");
  "moderation/transparency/totals.ts": typeof import("./moderation/transparency/totals.ts");
  "places/positions/aggregates.ts": typeof import("./places/positions/aggregates.ts");
  "places/positions/density.ts": typeof import("./places/positions/density.ts");
  "places/positions/distances.ts": typeof import("./places/positions/distances.ts");
  "places/positions/by-bounds.ts": typeof import("./places/positions/by-bounds.ts");
  "places/positions/by-ids.ts": typeof import("./places/positions/by-ids.ts");
  "places/positions/nearest.ts": typeof import("./places/positions/nearest.ts");
  "places/positions/places.ts": typeof import("./places/positions/places.ts");
  "places/positions/queries.ts": typeof import("./places/positions/queries.ts");
  "places/positions/report.ts": typeof import("./places/positions/report.ts");
  "places/positions/statements.ts": typeof import("./places/positions/statements.ts");
  "places/travel/coming.ts": typeof import("./places/travel/coming.ts");
  "places/travel/router.ts": typeof import("./places/travel/router.ts");
  "places/travel/whereabouts.ts": typeof import("./places/travel/whereabouts.ts");
  "platform/map/squares.ts": typeof import("./platform/map/squares.ts");
  "social/nearby/changes-by-session.ts": typeof import("./social/nearby/changes-by-session.ts");
  "platform/bucket/mark.ts": typeof import("./platform/bucket/mark.ts");
  "platform/bucket/sweep.ts": typeof import("./platform/bucket/sweep.ts");
  "platform/context.ts": typeof import("./platform/context.ts");
  "platform/db/batch.ts": typeof import("./platform/db/batch.ts");
  "platform/db/d1.ts": typeof import("./platform/db/d1.ts");
  "platform/db/database.ts": typeof import("./platform/db/database.ts");
  "platform/db/guard.ts": typeof import("./platform/db/guard.ts");
  "platform/db/choose-shard.ts": typeof import("./platform/db/choose-shard.ts");
  "platform/mail/waiting-mails.ts": typeof import("./platform/mail/waiting-mails.ts");
  "platform/viewer.ts": typeof import("./platform/viewer.ts");
  "social/albums/queries.ts": typeof import("./social/albums/queries.ts");
  "social/albums/router.ts": typeof import("./social/albums/router.ts");
  "social/health/queries.ts": typeof import("./social/health/queries.ts");
  "social/health/remind.ts": typeof import("./social/health/remind.ts");
  "social/health/rules.ts": typeof import("./social/health/rules.ts");
  "social/likes/forgotten-likes.ts": typeof import("./social/likes/forgotten-likes.ts");
  "social/likes/briefs.ts": typeof import("./social/likes/briefs.ts");
  "social/likes/nearest-liked.ts": typeof import("./social/likes/nearest-liked.ts");
  "social/likes/queries.ts": typeof import("./social/likes/queries.ts");
  "social/likes/set-like.ts": typeof import("./social/likes/set-like.ts");
  "social/likes/statements.ts": typeof import("./social/likes/statements.ts");
  "social/contact/wrote-to.ts": typeof import("./social/contact/wrote-to.ts");
  "social/voices/introduction.ts": typeof import("./social/voices/introduction.ts");
  "social/voices/store.ts": typeof import("./social/voices/store.ts");
  "social/messages/attachments.ts": typeof import("./social/messages/attachments.ts");
  "social/messages/audience.ts": typeof import("./social/messages/audience.ts");
  "social/messages/deliver.ts": typeof import("./social/messages/deliver.ts");
  "social/messages/first-contact.ts": typeof import("./social/messages/first-contact.ts");
  "social/messages/history.ts": typeof import("./social/messages/history.ts");
  "social/messages/mutual-messages.ts": typeof import("./social/messages/mutual-messages.ts");
  "social/messages/reportable.ts": typeof import("./social/messages/reportable.ts");
  "social/messages/member-messages.ts": typeof import("./social/messages/member-messages.ts");
  "social/messages/once-view.ts": typeof import("./social/messages/once-view.ts");
  "social/messages/preferences.ts": typeof import("./social/messages/preferences.ts");
  "social/messages/queries.ts": typeof import("./social/messages/queries.ts");
  "social/messages/receipts.ts": typeof import("./social/messages/receipts.ts");
  "social/messages/remove.ts": typeof import("./social/messages/remove.ts");
  "social/messages/send.ts": typeof import("./social/messages/send.ts");
  "social/messages/statements.ts": typeof import("./social/messages/statements.ts");
  "social/messages/unsolicited-pictures.ts": typeof import("./social/messages/unsolicited-pictures.ts");
  "social/notes/queries.ts": typeof import("./social/notes/queries.ts");
  "social/notifications/notify.ts": typeof import("./social/notifications/notify.ts");
  "social/notifications/queries.ts": typeof import("./social/notifications/queries.ts");
  "social/picture-likes/queries.ts": typeof import("./social/picture-likes/queries.ts");
  "social/picture-likes/router.ts": typeof import("./social/picture-likes/router.ts");
  "social/pictures/access.ts": typeof import("./social/pictures/access.ts");
  "platform/db/shards.ts": typeof import("./platform/db/shards.ts");
  "platform/db/time-cursor.ts": typeof import("./platform/db/time-cursor.ts");
  "social/messages/sync-content.ts": typeof import("./social/messages/sync-content.ts");
  "social/messages/change.ts": typeof import("./social/messages/change.ts");
  "social/messages/pair-state.ts": typeof import("./social/messages/pair-state.ts");
  "social/messages/missed.ts": typeof import("./social/messages/missed.ts");
  "social/messages/insert-message.ts": typeof import("./social/messages/insert-message.ts");
  "social/messages/unsend-in-shard.ts": typeof import("./social/messages/unsend-in-shard.ts");
  "social/messages/uploads.ts": typeof import("./social/messages/uploads.ts");
  "social/messages/search.ts": typeof import("./social/messages/search.ts");
  "social/messages/receive.ts": typeof import("./social/messages/receive.ts");
  "social/pictures/album-order.ts": typeof import("./social/pictures/album-order.ts");
  "social/pictures/arrange.ts": typeof import("./social/pictures/arrange.ts");
  "social/pictures/hidden.ts": typeof import("./social/pictures/hidden.ts");
  "social/pictures/garbage-collection.ts": typeof import("./social/pictures/garbage-collection.ts");
  "moderation/known-pictures/open-cases.ts": typeof import("./moderation/known-pictures/open-cases.ts");
  "social/pictures/known/held.ts": typeof import("./social/pictures/known/held.ts");
  "social/pictures/known/stored-copies.ts": typeof import("./social/pictures/known/stored-copies.ts");
  "social/pictures/known/known.ts": typeof import("./social/pictures/known/known.ts");
  "social/pictures/queries.ts": typeof import("./social/pictures/queries.ts");
  "social/pictures/router.ts": typeof import("./social/pictures/router.ts");
  "social/pictures/upload.ts": typeof import("./social/pictures/upload.ts");
  "social/profiles/old-names.ts": typeof import("./social/profiles/old-names.ts");
  "social/profiles/queries.ts": typeof import("./social/profiles/queries.ts");
  "social/profiles/relation.ts": typeof import("./social/profiles/relation.ts");
}

type MisnamedAnywhere = { [File in keyof Modules]: `${File}: ${MisnamedIn<Modules[File]> & string}` }[keyof Modules];

/** A misnamed function fails to compile; the error shows its file and name. */
const misnamed: MisnamedAnywhere[] = [];
misnamed satisfies readonly never[];

const LAYERS = ["platform", "members", "places", "social", "community", "moderation", "data-rights"];

it("checks every module that runs queries", () => {
  expect(misnamed).toEqual([]);
  const source = fileURLToPath(new URL(".", import.meta.url).href);
  const own = readFileSync(`${source}query-names.test.ts`, "utf8");
  const missing = LAYERS.flatMap((layer) =>
    (readdirSync(source + layer, { recursive: true }) as string[])
      .map((file) => `${layer}/${file}`)
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "platform/db/tables.ts")
      .filter((file) => /from "kysely"|db\/batch\.ts"|\bDatabase\b/.test(readFileSync(source + file, "utf8")))
      .filter((file) => !own.includes(`"${file}": typeof import("./${file}");`)),
  );
  expect(missing).toEqual([]);
});
