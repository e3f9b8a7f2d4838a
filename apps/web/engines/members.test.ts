import { expect } from "vitest";
import { apiFor } from "../e2e/members.ts";
import { makeNearby, newPlace, reportPosition } from "../e2e/nearby.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "../e2e/picture-members.ts";
import { button, heading, label, link, text } from "./tab.ts";
import { inEachEngine } from "./walk.ts";

const NEAR = "maxDistanceMeters=160934";
const MAIN = { css: "main" };
const CARD = { css: "[data-depth='0']" };

const GAMES = [
  ["gptbuster", "GPT Buster!"],
  ["cooties", "You got Cooties!"],
  ["hotornot", "Hot! or Not!"],
  ["ratinggame", "The Rating Game"],
  ["photocrop", "Help my Photos"],
  ["identify", "3 2 1 Identify!"],
  ["ishim", "Is it him?"],
  ["health", "Health Incident Report"],
  ["arbitration", "Community Arbitration"],
  ["dungeon", "Bad Boy Dungeon"],
] as const;

inEachEngine("who is near: tiles, swype, a profile with note and tag, block, undo and report", async (tab, site) => {
  const place = newPlace();
  const me = await tab.logIn(site, "Ansel");
  await reportPosition(site, me, place);
  const [adam, ben, carl] = [
    await makeNearby(site, place, "Adam", 0.01),
    await makeNearby(site, place, "Ben", 0.02),
    await makeNearby(site, place, "Carl", 0.03),
  ];
  const likes = () =>
    site.sql("select liked_id, like_type from profile_like where liker_id = ? order by liked_id", me.id);
  const likesAre = (...wanted: readonly (readonly [number, string])[]) =>
    tab.until(`the likes ${wanted.join()}`, async () => {
      const stored = (await likes()) as { liked_id: number; like_type: string }[];
      return JSON.stringify(stored.map((row) => [row.liked_id, row.like_type])) === JSON.stringify(wanted);
    });

  await tab.goto(`/search/swype?${NEAR}`);
  const card = (name: string) => ({ role: "article", name: new RegExp(`^Card: ${name}`), within: CARD });
  await tab.see(card("Adam"));
  const from = await tab.find(CARD);
  await tab.drag(from, { x: from.x + 170, y: from.y + 5 });
  await tab.see(card("Ben"));
  await likesAre([adam.id, "LIKE"]);
  await tab.driver.key("ArrowLeft");
  await tab.see(card("Carl"));
  await likesAre([adam.id, "LIKE"], [ben.id, "DISLIKE"]);
  await tab.press(button("Undo"));
  await tab.see(card("Ben"));
  await likesAre([adam.id, "LIKE"], [ben.id, "UNDETERMINED"]);
  await tab.goto("/likes/youlikedprofile");
  await tab.see(link(/^Adam/, MAIN));
  const liked = await (await apiFor(site, carl)).fetch("/api/profile-like", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ likedProfileId: me.id, likeType: "LIKE" }),
  });
  expect(liked.ok).toBe(true);
  await tab.goto("/likes/profilelikedyou");
  await tab.see(link(/^Carl/, MAIN));
  expect(await tab.isShown(link(/^Adam/, MAIN))).toBe(false);

  await tab.goto(`/search/tile?${NEAR}`);
  await tab.press(link(/^Carl/, MAIN));
  await tab.at(new RegExp(`^/profile/${carl.id}`));
  await tab.press(button("Like", MAIN));
  await likesAre([adam.id, "LIKE"], [ben.id, "UNDETERMINED"], [carl.id, "LIKE"]);
  await tab.press(heading("Your notes"));
  await tab.fill(label("Note"), "met at the bar");
  await tab.fill({ role: "textbox", name: "Private tags" }, "kind");
  await tab.driver.key("Enter");
  await tab.see(button("Remove tag kind"));
  await tab.until("the note", async () => {
    const [row] = await site.sql("select body_text, private_tags from profile_note where author_id = ?", me.id);
    return row?.body_text === "met at the bar" && row.private_tags === '["kind"]';
  });

  await tab.goto(`/profile/${ben.id}`);
  await tab.press(button("Action"));
  await tab.press({ role: "menuitem", name: "Report Violation" });
  await tab.select(label("What's wrong?"), "spam");
  await tab.fill(label("What happened?"), "Sells watches.");
  await tab.press(button("Report"));
  await tab.see(text("Thank you. Your report is on its way."));
  const reports = await site.sql("select category from report where subject_id = ?", ben.id);
  expect(reports).toEqual([{ category: "spam" }]);

  await tab.goto(`/profile/${adam.id}`);
  const chat = link("Chat", MAIN);
  const block = async () => {
    await tab.see(chat);
    await tab.press(button("Action"));
    await tab.press({ role: "menuitem", name: "Block / Ignore" });
    await tab.see(text("Blocked and Redirecting..."));
  };
  await block();
  await tab.press(button("Undo"));
  await block();
  await tab.at(/^\/$/);
  await tab.goto(`/search/tile?${NEAR}`);
  await tab.see(link(/^Carl/, MAIN));
  expect(await tab.isShown(link(/^Adam/, MAIN))).toBe(false);
});

inEachEngine("every game opens, and one is answered", async (tab, site) => {
  const place = newPlace();
  const me = await tab.logIn(site, "Ansel");
  await reportPosition(site, me, place);
  const owner = await makeNearby(site, place, "Adam", 0.01);
  await (await apiFor(site, owner)).upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
  for (const [path, title] of GAMES) {
    await tab.goto("/games");
    await tab.press(link(new RegExp(`^${title}`), MAIN));
    await tab.at(new RegExp(`^/games/${path}`));
    await tab.see(heading(title));
  }
  await tab.goto("/games/hotornot");
  await tab.press(button("Hot!"));
  await tab.until("the like", async () => {
    const rows = await site.sql("select like_type from picture_like where liker_id = ?", me.id);
    return rows[0]?.like_type === "LIKE";
  });
});
