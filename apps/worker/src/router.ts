import { cancelNoticesQueries } from "./community/exposure/cancel-on-block.ts";
import { exposureRouter } from "./community/exposure/router.ts";
import { createGamesRouter } from "./community/games/router.ts";
import { personCheckRouter } from "./community/person-check/router.ts";
import { deletionRouter } from "./data-rights/deletion/router.ts";
import { createAccountsRouter } from "./members/accounts/router.ts";
import { ageRouter } from "./members/age/router.ts";
import { blocksRouter } from "./members/blocks/router.ts";
import { contactRouter } from "./members/contact/router.ts";
import { createPasskeysRouter } from "./members/passkeys/router.ts";
import { createProofsRouter } from "./members/proofs/router.ts";
import { pushRouter } from "./members/push/router.ts";
import { sessionsRouter } from "./members/sessions/router.ts";
import { lockdownRouter } from "./members/settings/lockdown-router.ts";
import { settingsRouter } from "./members/settings/router.ts";
import { arbitrationRouter } from "./moderation/jury/router.ts";
import { noticeDeskRouter } from "./moderation/notice/desk-router.ts";
import { noticesRouter } from "./moderation/notice/router.ts";
import { moderationRouter } from "./moderation/own-record/router.ts";
import { commitGameAnswer } from "./moderation/report/from-games.ts";
import { reportsRouter } from "./moderation/report/router.ts";
import { adminRouter } from "./moderation/staff/router.ts";
import { transparencyRouter } from "./moderation/transparency/router.ts";
import { travelRouter } from "./places/travel/router.ts";
import { metaRouter } from "./platform/meta/router.ts";
import { router } from "./platform/trpc.ts";
import { albumsRouter } from "./social/albums/router.ts";
import { healthRouter } from "./social/health/router.ts";
import { createLikesRouter } from "./social/likes/router.ts";
import { meetsRouter } from "./social/meets/router.ts";
import { messagesRouter } from "./social/messages/router.ts";
import { metRouter } from "./social/met/router.ts";
import { positionsRouter } from "./social/nearby/router.ts";
import { notesRouter } from "./social/notes/router.ts";
import { notify } from "./social/notifications/notify.ts";
import { notificationsRouter } from "./social/notifications/router.ts";
import { pictureLikesRouter } from "./social/picture-likes/router.ts";
import { picturesRouter } from "./social/pictures/router.ts";
import { profilesRouter } from "./social/profiles/router.ts";
import { tonightRouter } from "./social/tonight/router.ts";
import { voicesRouter } from "./social/voices/router.ts";

export const appRouter = router({
  transparency: transparencyRouter,
  reports: reportsRouter,
  moderation: moderationRouter,
  arbitration: arbitrationRouter,
  admin: adminRouter,
  notices: noticesRouter,
  noticeDesk: noticeDeskRouter,
  exposure: exposureRouter,
  games: createGamesRouter(commitGameAnswer),
  accounts: createAccountsRouter(notify),
  age: ageRouter,
  notes: notesRouter,
  likes: createLikesRouter(cancelNoticesQueries),
  health: healthRouter,
  blocks: blocksRouter,
  lockdown: lockdownRouter,
  contact: contactRouter,
  deletion: deletionRouter,
  meets: meetsRouter,
  messages: messagesRouter,
  albums: albumsRouter,
  pictureLikes: pictureLikesRouter,
  meta: metaRouter,
  notifications: notificationsRouter,
  passkeys: createPasskeysRouter(notify),
  personCheck: personCheckRouter,
  proofs: createProofsRouter(notify),
  push: pushRouter,
  pictures: picturesRouter,
  positions: positionsRouter,
  profiles: profilesRouter,
  sessions: sessionsRouter,
  settings: settingsRouter,
  met: metRouter,
  tonight: tonightRouter,
  travel: travelRouter,
  voices: voicesRouter,
});

export type AppRouter = typeof appRouter;
