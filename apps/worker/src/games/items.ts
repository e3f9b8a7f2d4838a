/** Draws packs of items for the two voting games. */
import { BUSTER_ANSWERS, type BusterAnswer, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { BusterItem, RatingItem } from "@lambda/contract/games";
import { dayOf } from "@lambda/geo/time";
import { type RawBuilder, sql } from "kysely";
import { batch, indexedBy } from "../platform/db/database.ts";
import type { ProfileRow } from "../platform/db/tables.ts";
import { shuffle } from "../platform/shuffle.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { redact } from "../profiles/redact.ts";
import { DESCRIPTIONS } from "../profiles/test-user-texts.ts";
import { visibleTo } from "../visibility/visibility.ts";
import { dailyStart, drawWithRetry, isShowable, randomPictures } from "./draw.ts";
import {
  chooseItems,
  type IssuedItem,
  issueItems,
  type OpenPack,
  type PackItem,
  recentPacksQuery,
  requireAllowance,
  toOpenPack,
} from "./pack.ts";
import { type DrawnPicture, randomKnownPicturesQuery, randomMembers } from "./statements/draws.ts";

/** Test items per pack: enough to judge a player after a few days, too few to be recognized. */
const KNOWN_PER_PACK = 3;
const KNOWN_TEXTS_PER_ANSWER = 2;
/** Members read for a pack: with nine, some draws read 63 rows, and the goal is 60. */
const MEMBERS_READ = 8;
const TEXT_SHOWN_CHARS = 600;

function isJudged(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from game_vote v where v.item_id = i.id and v.voter_id = ${ctx.viewer.profileId})`;
}

/**
 * A pack of the Rating Game: the rest of the player's open pack, or a new one, in which settled pictures are drawn like others so that
 * later votes can overturn their answers. Throws TOO_MANY_REQUESTS when the player's share is used up.
 */
export async function drawRatingItems(ctx: MemberContext, nsfw: boolean): Promise<RatingItem[]> {
  const fits = sql<boolean>`not exists (select 1 from game_item i
    where i.game = 'rating' and i.picture_id = pic.id and i.version = pic.version and ${isJudged(ctx)})`;
  const from = dailyStart(ctx, "rating", dayOf(ctx.now));
  let known: readonly DrawnPicture[] = [];
  let pack: OpenPack | undefined;
  const open = await drawWithRetry({ size: MEMBERS_READ, enough: 1, from }, async (sample) => {
    if (pack && (showableItems(pack, nsfw).length > 0 || pack.openLeft === 0)) return [];
    const answers = shuffle(RATING_ANSWERS).slice(0, KNOWN_PER_PACK);
    const [packs, pictures, settled] = await batch(ctx.d1, [
      recentPacksQuery(ctx, "rating"),
      randomPictures(ctx, sample, { nsfw, fits, limit: sample.size }),
      randomKnownPicturesQuery(ctx, answers, from.pictureSeed, { judged: isJudged(ctx), shown: isShowable(ctx, nsfw) }),
    ]);
    pack = toOpenPack(ctx, packs);
    const inPack = new Set(pack.items.map(({ picture }) => picture));
    known = settled.filter((row) => !inPack.has(row.picture_id));
    return pictures.filter(
      (row) => !inPack.has(row.picture_id) && !settled.some((one) => one.picture_id === row.picture_id),
    );
  });
  if (!pack) return [];
  const openItems = showableItems(pack, nsfw);
  if (openItems.length > 0) return openItems;
  requireAllowance(pack, ctx.now);
  const chosen = chooseItems(pack, open.map(toPacked), shuffle(known).map(toPacked), KNOWN_PER_PACK);
  return (await issueItems(ctx, "rating", chosen)).map(toRatingItem);
}

const toPacked = (row: DrawnPicture) => ({ picture: row.picture_id, version: row.version, nsfw: row.nsfw === 1 });
const toRatingItem = ({ itemId, nsfw }: IssuedItem): RatingItem => ({ itemId, nsfw: nsfw === true });

function showableItems({ items }: OpenPack, nsfw: boolean): RatingItem[] {
  return items.map(toRatingItem).filter((item) => nsfw || !item.nsfw);
}

/** Members read in a second draw of texts, which cost five rows each; pictures cost four. */
const TEXT_RETRY_SIZE = 80;

/** A pack of GPT Buster!: redacted texts of visible members, mixed with texts of known origin. */
export async function drawBusterItems(ctx: MemberContext): Promise<BusterItem[]> {
  const candidates = BUSTER_ANSWERS.flatMap((answer) =>
    shuffle(KNOWN_TEXTS.filter((text) => text.known === answer)).slice(0, KNOWN_TEXTS_PER_ANSWER),
  );
  const judged = ctx.db
    .selectFrom(indexedBy("game_item", "i", "game_item_known_text"))
    .select("i.body")
    .where("i.game", "=", sql.lit("buster"))
    .where("i.subject_id", "is", null)
    .where(
      "i.body",
      "in",
      candidates.map(({ body }) => body),
    )
    .where(isJudged(ctx));
  /** JSON list of the versions of this member's text that the player has judged. */
  const judgedVersions = sql<string>`(select json_group_array(i.version) from game_item i indexed by game_item_text
    where i.game = 'buster' and i.subject_id = m.id and ${isJudged(ctx)})`;
  let known = candidates;
  let pack: OpenPack | undefined;
  let openItems: BusterItem[] = [];
  const from = dailyStart(ctx, "buster", dayOf(ctx.now));
  const open = await drawWithRetry({ size: MEMBERS_READ, enough: 1, from, second: TEXT_RETRY_SIZE }, async (sample) => {
    if (pack && (openItems.length > 0 || pack.openLeft === 0)) return [];
    const columns = sql`p.profile_name, p.description`;
    const members = randomMembers<{ profile_name: string; description: string }>(ctx, "described", columns, sample);
    const [packs, texts, seen, inPack] = await batch(ctx.d1, [
      recentPacksQuery(ctx, "buster"),
      ctx.db.selectFrom(members).selectAll("m").select(judgedVersions.as("judged")),
      judged,
      ctx.db
        .selectFrom("game_pack as g")
        .crossJoin(sql<{ value: string }>`json_each(g.items)`.as("e"))
        .crossJoin("profile as p")
        .select(["p.id", "p.profile_name", "p.description", sql.lit("[]").as("judged")])
        .where("p.id", "=", sql<number>`e.value ->> 'subject'`)
        .where("g.profile_id", "=", ctx.viewer.profileId)
        .where("g.game", "=", "buster")
        .where("g.day", "=", dayOf(ctx.now))
        .where(visibleTo(ctx)),
    ]);
    pack = toOpenPack(ctx, packs);
    openItems = shownTexts(pack, inPack);
    const inOpenPack = new Set(pack.items.map(({ subject }) => subject));
    known = candidates.filter(({ body }) => !seen.some((row) => row.body === body));
    return texts
      .map((row) => ({ ...row, version: versionOf(row.description) }))
      .filter((row) => !inOpenPack.has(row.id) && !(JSON.parse(row.judged) as number[]).includes(row.version));
  });
  if (!pack) return [];
  if (openItems.length > 0) return openItems;
  requireAllowance(pack, ctx.now);
  const chosen = chooseItems<PackItem>(
    pack,
    open.map(({ id: subject, version }) => ({ subject, version })),
    shuffle(known).map((text) => ({ ...text, version: 0 })),
    KNOWN_PER_PACK,
  );
  return shownTexts({ items: await issueItems(ctx, "buster", chosen) }, open);
}

function shownTexts(
  { items }: Pick<OpenPack, "items">,
  texts: readonly Pick<ProfileRow, "id" | "profile_name" | "description">[],
): BusterItem[] {
  return items.flatMap(({ itemId, body, subject, version }) => {
    if (body !== undefined) return [{ itemId, text: body }];
    const row = texts.find(({ id, description }) => id === subject && versionOf(description) === version);
    return row ? [{ itemId, text: shownText(row) }] : [];
  });
}

function shownText({ description, profile_name: name }: Pick<ProfileRow, "profile_name" | "description">): string {
  return redact(description, [name], TEXT_SHOWN_CHARS);
}

/** A hash of a text, so that an edited description is a new item. */
export function versionOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

/** Texts of known origin for GPT Buster!: one kind is generated below, the other was written by people. */
const OPENERS = [
  "Hello dear, I am a passionate and easy-going individual with a zest for life.",
  "As someone who values authenticity and meaningful connections, I believe every day is a new journey.",
  "I'm an open-minded, adventurous soul who loves exploring new cultures and cuisines.",
  "Greetings! I consider myself a well-rounded gentleman with a great sense of humor.",
  "Life is a beautiful tapestry, and I am here to weave unforgettable moments with someone special.",
  "I am a loyal, caring and honest person, seeking a genuine bond built on trust and mutual respect.",
];
const MIDDLES = [
  "Whether it's a cozy night in or an exciting night out, I truly cherish quality time.",
  "In my free time I enjoy traveling, fitness, good food, and staying positive.",
  "I work in international trade and crypto investment, so I can be generous with the right one.",
  "From sunrise hikes to candlelit dinners, I embrace every opportunity to grow.",
  "My hobbies include music, movies, the gym, and deep conversations about the universe.",
];
const CLOSERS = [
  "Let's embark on this adventure together!",
  "Feel free to reach out, and let us see where destiny takes us.",
  "Message me on the other app, I am rarely here, kisses.",
  "If this resonates with you, don't hesitate to say hello!",
];

const HANDWRITTEN: readonly string[] = [
  "honestly just want someone to watch bad horror with. I talk through the whole thing, sorry in advance",
  "40s, beard, mortgage. my knees click. good at fixing sinks and bad at texting back before noon",
  "not here for long so lets skip the weather. im near the old brewery, you?",
  "My niece set this up and picked the photos. I approve of two of them.",
  "looking for: a guy who can parallel park. everything else we can work on",
  "ok so I deleted this three times already. if youre reading it i was bored again on a tuesday",
  "Sober 6 yrs. Dont ask me to the bar, ask me to the diner across from it",
  "Bottom half of a pantomime horse (really, twice). Will explain over a beer.",
  "i like em tall and grumpy. i am short and loud. it works out more often than youd think",
  "Widower. Learning to cook for one and failing, always too much left. Come eat.",
];

const GENERATED = OPENERS.flatMap((opener, a) =>
  MIDDLES.map((middle, b) => `${opener} ${middle} ${CLOSERS[(a + b) % CLOSERS.length]}`),
);

const KNOWN_TEXTS: readonly { readonly body: string; readonly known: BusterAnswer }[] = [
  ...GENERATED.map((body) => ({ body, known: "bot" as const })),
  ...[...HANDWRITTEN, ...DESCRIPTIONS].map((body) => ({ body, known: "person" as const })),
];
