import { GAME_ROUTES } from "./community/games/routes.ts";
import { PERSON_CHECK_ROUTES } from "./community/person-check/routes.ts";
import { EXPORT_ROUTES } from "./data-rights/export/routes.ts";
import { NOTICE_ROUTES } from "./moderation/notice/routes.ts";
import { EVIDENCE_ROUTES } from "./moderation/routes.ts";
import { PERSON_CHECK_STAFF_ROUTES } from "./moderation/staff/person-checks.ts";
import type { ByteRoute } from "./platform/rest/byte-routes.ts";
import { ONCE_ROUTES } from "./social/messages/once-view-routes.ts";
import { PICTURE_ROUTES } from "./social/pictures/routes.ts";
import { VOICE_ROUTES } from "./social/voices/routes.ts";

export const BYTE_ROUTES: readonly ByteRoute[] = [
  ...PICTURE_ROUTES,
  ...ONCE_ROUTES,
  ...VOICE_ROUTES,
  ...GAME_ROUTES,
  ...PERSON_CHECK_ROUTES,
  ...EXPORT_ROUTES,
  ...EVIDENCE_ROUTES,
  ...PERSON_CHECK_STAFF_ROUTES,
  ...NOTICE_ROUTES,
];
