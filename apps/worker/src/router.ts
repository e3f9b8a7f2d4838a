import { ageRouter } from "./accounts/age/router.ts";
import { passkeysRouter } from "./accounts/passkeys/router.ts";
import { proofsRouter } from "./accounts/proofs/router.ts";
import { accountsRouter } from "./accounts/router.ts";
import { sessionsRouter } from "./accounts/sessions/router.ts";
import { lockdownRouter } from "./accounts/settings/lockdown-router.ts";
import { settingsRouter } from "./accounts/settings/router.ts";
import { deletionRouter } from "./data-rights/deletion/router.ts";
import { exportRouter } from "./data-rights/export/router.ts";
import { cancelNoticesQueries } from "./games/exposure/cancel-on-block.ts";
import { exposureRouter } from "./games/exposure/router.ts";
import { personCheckRouter } from "./games/person-check/router.ts";
import { createGamesRouter } from "./games/router.ts";
import { albumsRouter } from "./messaging/albums/router.ts";
import { meetsRouter } from "./messaging/meets/router.ts";
import { messagesRouter } from "./messaging/messages/router.ts";
import { voicesRouter } from "./messaging/voices/router.ts";
import { contactRouter } from "./moderation/contact/router.ts";
import { arbitrationRouter } from "./moderation/jury/router.ts";
import { noticeDeskRouter } from "./moderation/notices/desk-router.ts";
import { noticesRouter } from "./moderation/notices/router.ts";
import { moderationRouter } from "./moderation/own-record/router.ts";
import { commitGameAnswer } from "./moderation/report/from-games.ts";
import { reportsRouter } from "./moderation/report/router.ts";
import { adminRouter } from "./moderation/staff/router.ts";
import { transparencyRouter } from "./moderation/transparency/router.ts";
import { pushRouter } from "./notifications/push/router.ts";
import { notificationsRouter } from "./notifications/router.ts";
import { picturesRouter } from "./pictures/router.ts";
import { tonightRouter } from "./places/tonight/router.ts";
import { travelRouter } from "./places/travel/router.ts";
import { metaRouter } from "./platform/meta/router.ts";
import { router } from "./platform/trpc.ts";
import { healthRouter } from "./profiles/health/router.ts";
import { createLikesRouter } from "./profiles/likes/router.ts";
import { metRouter } from "./profiles/met/router.ts";
import { notesRouter } from "./profiles/notes/router.ts";
import { pictureLikesRouter } from "./profiles/picture-likes/router.ts";
import { profilesRouter } from "./profiles/router.ts";
import { positionsRouter } from "./profiles/search/router.ts";
import { blocksRouter } from "./visibility/blocks/router.ts";

export const appRouter = router({
  transparency: transparencyRouter,
  reports: reportsRouter,
  moderation: moderationRouter,
  arbitration: arbitrationRouter,
  admin: adminRouter,
  notices: noticesRouter,
  noticeDesk: noticeDeskRouter,
  export: exportRouter,
  exposure: exposureRouter,
  games: createGamesRouter(commitGameAnswer),
  accounts: accountsRouter,
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
  passkeys: passkeysRouter,
  personCheck: personCheckRouter,
  proofs: proofsRouter,
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
