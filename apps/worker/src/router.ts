import { accountsRouter } from "./features/accounts/router.ts";
import { adminRouter } from "./features/admin/router.ts";
import { albumsRouter } from "./features/albums/router.ts";
import { arbitrationRouter } from "./features/arbitration/router.ts";
import { blocksRouter } from "./features/blocks/router.ts";
import { contactRouter } from "./features/contact/router.ts";
import { deletionRouter } from "./features/deletion/router.ts";
import { exposureRouter } from "./features/exposure/router.ts";
import { gamesRouter } from "./features/games/router.ts";
import { healthRouter } from "./features/health/router.ts";
import { likesRouter } from "./features/likes/router.ts";
import { messagesRouter } from "./features/messages/router.ts";
import { metaRouter } from "./features/meta/router.ts";
import { moderationRouter } from "./features/moderation/router.ts";
import { notesRouter } from "./features/notes/router.ts";
import { notificationsRouter } from "./features/notifications/router.ts";
import { pictureLikesRouter } from "./features/picture-likes/router.ts";
import { picturesRouter } from "./features/pictures/router.ts";
import { positionsRouter } from "./features/positions/router.ts";
import { profilesRouter } from "./features/profiles/router.ts";
import { pushRouter } from "./features/push/router.ts";
import { reportsRouter } from "./features/reports/router.ts";
import { sessionsRouter } from "./features/sessions/router.ts";
import { settingsRouter } from "./features/settings/router.ts";
import { transparencyRouter } from "./features/transparency/router.ts";
import { createCallerFactory, router } from "./trpc.ts";

/** One line a feature. */
export const appRouter = router({
  transparency: transparencyRouter,
  reports: reportsRouter,
  moderation: moderationRouter,
  arbitration: arbitrationRouter,
  admin: adminRouter,
  exposure: exposureRouter,
  games: gamesRouter,
  accounts: accountsRouter,
  notes: notesRouter,
  likes: likesRouter,
  health: healthRouter,
  blocks: blocksRouter,
  contact: contactRouter,
  deletion: deletionRouter,
  messages: messagesRouter,
  albums: albumsRouter,
  pictureLikes: pictureLikesRouter,
  meta: metaRouter,
  notifications: notificationsRouter,
  push: pushRouter,
  pictures: picturesRouter,
  positions: positionsRouter,
  profiles: profilesRouter,
  sessions: sessionsRouter,
  settings: settingsRouter,
});

export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
