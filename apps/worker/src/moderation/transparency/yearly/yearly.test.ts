/** The yearly report: public figures in both languages, as data and files, revealing nothing about open cases. */
import type { YearlyReport } from "@lambda/contract/transparency";
import { createMember } from "@lambda/testing/member";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";
import { toCsv, toHtml } from "./files.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const YEAR = new Date().getUTCFullYear();
const fetchReport = (year: number | string, locale = "en", brand?: string) =>
  (brand ? createVisitor(worker, brand as "harbor") : createVisitor(worker)).fetch(
    `/api/transparency/report/${year}?locale=${locale}`,
  );
const figureOf = (report: YearlyReport, id: string) =>
  report.sections.flatMap(({ rows }) => rows).find((row) => row.id === id)?.value;

it("counts decided cases by rule and origin, and reveals nothing about open ones", async () => {
  const admin = await createMember(worker, { adminBrand: "ember" });
  const [subject, other, reporter] = [
    await createMember(worker),
    await createMember(worker),
    await createMember(worker),
  ];
  const before = await (await fetchReport(YEAR)).text();
  const report = async (subjectProfileId: number, category: string) => {
    const response = await reporter.send("POST", "/api/report", {
      subjectProfileId,
      category,
      source: "profile",
      text: "x",
    });
    return ((await response.json()) as { id: number }).id;
  };
  const id = await report(subject.id, "threat");
  await report(other.id, "minor");
  expect(await (await fetchReport(YEAR)).text(), "an open case changes nothing").toBe(before);

  const act = { subjectProfileId: subject.id, kind: "ban", rule: "threat", reason: "Threats", reportId: id };
  expect((await admin.send("POST", "/api/admin/action", act)).status).toBe(201);
  const yearly = (await (await fetchReport(YEAR)).json()) as YearlyReport;
  expect(yearly).toMatchObject({ year: YEAR, complete: false });
  expect(figureOf(yearly, "reports.threat")).toBe(1);
  expect(figureOf(yearly, "reports.minor")).toBe(undefined);
  expect(figureOf(yearly, "detection.notice")).toBe(1);
  expect(figureOf(yearly, "decisions.all")).toBe(1);
  expect(figureOf(yearly, "decisions.by.staff")).toBe(1);
  expect(figureOf(yearly, "actions.ban.threat.notice")).toBe(1);
  expect(figureOf(yearly, "notices.received")).toBe(0);
  expect(yearly.sections.find(({ id: name }) => name === "automation")?.text).toContain("people do");
  expect(yearly.csv).toContain("actions,actions.ban.threat.notice,");
  expect(yearly.html).toContain("<h2>Appeals</h2>");
  expect(JSON.stringify(yearly)).not.toContain("hold");
  const spanish = (await (await fetchReport(YEAR, "es")).json()) as YearlyReport;
  expect(spanish.title).toContain("informe de transparencia");
  expect(spanish.html).toContain('<html lang="es">');
  const sister = (await (await fetchReport(YEAR, "en", "harbor")).json()) as YearlyReport;
  expect(figureOf(sister, "decisions.all")).toBe(0);
});

it("exists for each year up to the current one, and for no other", async () => {
  expect((await fetchReport(YEAR + 1)).status).toBe(404);
  for (const year of [2025, "2026.5", "x", "99999"]) expect((await fetchReport(year)).status).toBe(400);
  expect((await fetchReport(YEAR, "fr")).status).toBe(400);
});

it("escapes whatever a spreadsheet or a browser would run", () => {
  const sections = [
    { id: "s", title: "<b>", text: "</p><script>", rows: [{ id: "r", label: '=1+1,"x"', value: null }] },
  ];
  expect(toCsv(sections)).toBe(`section,id,label,value\r\ns,r,"'=1+1,""x""",`);
  const html = toHtml({ title: "<i>", note: "&", head: null, sections }, "en", "Ember");
  expect(html).not.toMatch(/<script>|<b>|<i>/);
  expect(html).toContain("–");
});
