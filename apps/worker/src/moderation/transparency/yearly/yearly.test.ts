/** The yearly report: from what is public, in both languages, as figures and files; nothing in it tells of an open case. */
import type { YearlyReport } from "@lambda/contract/transparency";
import { as } from "@lambda/testing/member";
import { asVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";
import { toCsv, toHtml } from "./files.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const YEAR = new Date().getUTCFullYear();
const ask = (year: number | string, locale = "en", brand?: string) =>
  (brand ? asVisitor(worker, brand as "harbor") : asVisitor(worker)).fetch(
    `/api/transparency/report/${year}?locale=${locale}`,
  );
const figureOf = (report: YearlyReport, id: string) =>
  report.sections.flatMap(({ rows }) => rows).find((row) => row.id === id)?.value;

it("counts what is decided, by rule and by how it began, and says nothing of what is open", async () => {
  const admin = await as(worker, { adminBrand: "ember" });
  const [subject, other, reporter] = [await as(worker), await as(worker), await as(worker)];
  const before = await (await ask(YEAR)).text();
  const report = async (subjectProfileId: number, category: string) => {
    const answer = await reporter.send("POST", "/api/report", {
      subjectProfileId,
      category,
      source: "profile",
      text: "x",
    });
    return ((await answer.json()) as { id: number }).id;
  };
  const id = await report(subject.id, "threat");
  await report(other.id, "minor");
  expect(await (await ask(YEAR)).text(), "an open case changes nothing").toBe(before);

  const act = { subjectProfileId: subject.id, kind: "ban", rule: "threat", reason: "Threats", reportId: id };
  expect((await admin.send("POST", "/api/admin/action", act)).status).toBe(201);
  const answer = await ask(YEAR);
  const told = (await answer.json()) as YearlyReport;
  expect(told).toMatchObject({ year: YEAR, complete: false });
  expect(figureOf(told, "reports.threat")).toBe(1);
  expect(figureOf(told, "reports.minor")).toBe(undefined);
  expect(figureOf(told, "detection.notice")).toBe(1);
  expect(figureOf(told, "decisions.all")).toBe(1);
  expect(figureOf(told, "decisions.by.staff")).toBe(1);
  expect(figureOf(told, "actions.ban.threat.notice")).toBe(1);
  expect(figureOf(told, "notices.received")).toBe(0);
  expect(told.sections.find(({ id: name }) => name === "automation")?.text).toContain("people do");
  expect(told.csv).toContain("actions,actions.ban.threat.notice,");
  expect(told.html).toContain("<h2>Appeals</h2>");
  expect(JSON.stringify(told)).not.toContain("hold");
  const spanish = (await (await ask(YEAR, "es")).json()) as YearlyReport;
  expect(spanish.title).toContain("informe de transparencia");
  expect(spanish.html).toContain('<html lang="es">');
  const sister = (await (await ask(YEAR, "en", "harbor")).json()) as YearlyReport;
  expect(figureOf(sister, "decisions.all")).toBe(0);
});

it("is there for each year that was, and for no other", async () => {
  expect((await ask(YEAR + 1)).status).toBe(404);
  for (const year of [2025, "2026.5", "x", "99999"]) expect((await ask(year)).status).toBe(400);
  expect((await ask(YEAR, "fr")).status).toBe(400);
});

it("makes text of whatever a spreadsheet or a browser would run", () => {
  const sections = [
    { id: "s", title: "<b>", text: "</p><script>", rows: [{ id: "r", label: '=1+1,"x"', value: null }] },
  ];
  expect(toCsv(sections)).toBe(`section,id,label,value\r\ns,r,"'=1+1,""x""",`);
  const html = toHtml({ title: "<i>", note: "&", head: null, sections }, "en", "Ember");
  expect(html).not.toMatch(/<script>|<b>|<i>/);
  expect(html).toContain("–");
});
