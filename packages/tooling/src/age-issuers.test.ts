import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEVELOPMENT_ISSUER, SIGNERS } from "@lambda/worker/development-issuers";
import { expect, it, vi } from "vitest";
import { parseIssuers, readIssuers, refreshIssuers } from "./age-issuers.ts";

const [issuer, expired, other] = [DEVELOPMENT_ISSUER, SIGNERS.expired.certificate, SIGNERS.stranger.certificate];
const service = (certificate: string, type = "Issuance", status = "granted") => ({
  ServiceInformation: {
    ServiceTypeIdentifier: `http://uri.etsi.org/19602/SvcType/${type}`,
    ServiceStatus: `http://uri.etsi.org/19602/Svcstatus/${status}`,
    ServiceDigitalIdentity: { X509Certificates: [{ val: certificate }] },
  },
});
const list = {
  LoTE: {
    TrustedEntitiesList: [
      { TrustedEntityServices: [service(issuer), service(expired), service("bm90aGluZw==")] },
      { TrustedEntityServices: [service(other, "Revocation"), service(other, "Issuance", "withdrawn")] },
    ],
  },
};
const tsp = (certificate: string, status: string) =>
  `<TSPService><ServiceInformation><ServiceDigitalIdentity><DigitalId><X509Certificate>
${certificate}</X509Certificate></DigitalId></ServiceDigitalIdentity><ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}</ServiceStatus></ServiceInformation></TSPService>`;

it.each([
  ["PEM", `-----BEGIN CERTIFICATE-----\n${issuer.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`],
  ["JSON", JSON.stringify(list)],
  ["signed JSON", `e30.${Buffer.from(JSON.stringify(list)).toString("base64url")}.c2ln`],
  [
    "XML",
    `<TrustServiceStatusList>${tsp(issuer, "granted")}${tsp(other, "withdrawn")}<ds:Signature><ds:X509Certificate>${other}</ds:X509Certificate></ds:Signature></TrustServiceStatusList>`,
  ],
])("parses the issuers of a list in %s, except withdrawn and expired ones", (_, text) => {
  expect(parseIssuers(text)).toEqual([issuer]);
});

it("keeps the previous list if the new one cannot be read or is empty", async () => {
  const root = mkdtempSync(join(tmpdir(), "issuers-"));
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  expect(readIssuers(root)).toEqual({ "eu-av": [], mdl: [] });
  const source = join(root, "list.json");
  writeFileSync(source, JSON.stringify(list));
  await refreshIssuers({ AGE_ISSUERS_EU_AV: source }, root);
  expect(readIssuers(root)).toEqual({ "eu-av": [issuer], mdl: [] });
  for (const text of ["{}", "<html></html>", "not a list"]) {
    writeFileSync(source, text);
    await refreshIssuers({ AGE_ISSUERS_EU_AV: source }, root);
  }
  await refreshIssuers({ AGE_ISSUERS_EU_AV: "http://plain.example/list" }, root);
  await refreshIssuers({ AGE_ISSUERS_EU_AV: "https://127.0.0.1:9/list" }, root);
  expect(readIssuers(root)).toEqual({ "eu-av": [issuer], mdl: [] });
  expect(warn).toHaveBeenCalledTimes(5);
  expect(warn).toHaveBeenLastCalledWith(expect.stringMatching(/\(bad port\); keeping 1 issuers until the next/));
  rmSync(root, { recursive: true });
});
