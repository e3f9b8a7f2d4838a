import { createMember } from "@lambda/testing/member";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

it("joins a second report by the same member to the first", async () => {
  const worker = await startWorker();
  const [me, other, subject] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  const report = async (by: typeof me, text: string) => {
    const response = await by.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam", text });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: number; isRepeated: boolean };
  };
  const first = await report(me, "He sends the same link to everybody.");
  expect(first.isRepeated).toBe(false);
  expect(await report(me, "And again today.")).toMatchObject({ id: first.id, isRepeated: true });
  expect(await report(other, "A link, to me too.")).toMatchObject({ id: first.id, isRepeated: false });
  const [filings] = await worker.run({ query: "select reporter_id, text from report_filing order by id" });
  expect(filings).toEqual([
    { reporter_id: me.id, text: "He sends the same link to everybody.\nAnd again today." },
    { reporter_id: other.id, text: "A link, to me too." },
  ]);
});
