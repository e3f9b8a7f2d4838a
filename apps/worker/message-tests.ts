/** Tests that read or write messages. `npm test` runs them with three message databases, `npm run test:nightly` with one as well. */
export const MESSAGE_TESTS = [
  "members/visibility/out-of-sight",
  "social/messages/{first-contact,messages,once-view,openings,reactions,remove,sockets,unsolicited-pictures}",
  "social/met/met",
  "social/voices/voices",
  "community/exposure/exposure",
  "data-rights/deletion/{deletion,open-cases}",
  "data-rights/export/export",
  "moderation/evidence/evidence",
].map((path) => `src/${path}.test.ts`);
