import { EXPORT_ROUTES } from "./data-rights/export/routes.ts";
import { GAME_ROUTES } from "./games/routes.ts";
import { ONCE_ROUTES } from "./messaging/messages/once-view-routes.ts";
import { VOICE_ROUTES } from "./messaging/voices/routes.ts";
import { NOTICE_ROUTES } from "./moderation/notices/routes.ts";
import { EVIDENCE_ROUTES } from "./moderation/routes.ts";
import { PERSON_CHECK_STAFF_ROUTES } from "./moderation/staff/person-checks.ts";
import { PICTURE_ROUTES } from "./pictures/routes.ts";
import type { ByteRoute } from "./platform/rest/byte-routes.ts";

export const BYTE_ROUTES: readonly ByteRoute[] = [
  ...PICTURE_ROUTES,
  ...ONCE_ROUTES,
  ...VOICE_ROUTES,
  ...GAME_ROUTES,
  ...EXPORT_ROUTES,
  ...EVIDENCE_ROUTES,
  ...PERSON_CHECK_STAFF_ROUTES,
  ...NOTICE_ROUTES,
];
