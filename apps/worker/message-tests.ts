/** Tests that read or write messages. `npm test` runs them with three message databases, `npm run test:nightly` with one as well. */
export const MESSAGE_TESTS = [
  "visibility/out-of-sight",
  "messaging/messages/{first-contact,messages,once-view,openings,reactions,remove,sockets,unsolicited-pictures}",
  "profiles/met/met",
  "messaging/voices/voices",
  "games/exposure/exposure",
  "data-rights/deletion/{deletion,open-cases}",
  "data-rights/export/export",
  "moderation/evidence/evidence",
].map((path) => `src/${path}.test.ts`);
