import { expect, it } from "vitest";
import { hashNetwork, networkOf, siteOf } from "./network.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8:1:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
  ["local", "local"],
])("counts %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:DB8:0001:ffff::9", "2001:db8:1::/48"],
  ["203.0.113.7", undefined],
  ["local", undefined],
])("assigns %s to the site %s", (address, site) => {
  expect(siteOf(address)).toBe(site);
});

it("hashes a /24 or a /48 to 16 bits that depend on the key", () => {
  const hash = (address: string, key = "key") => hashNetwork({ SITE_KEY: key }, networkOf(address));
  expect(hash("203.0.113.7")).toBe(hash("203.0.113.250"));
  expect(hash("203.0.113.7")).not.toBe(hash("203.0.114.7"));
  expect(hash("2001:db8:1:2::9")).toBe(hash("2001:db8:1:ffff::1"));
  expect(hash("2001:db8:1:2::9")).not.toBe(hash("2001:db8:2:2::9"));
  expect(hash("203.0.113.7", "other")).not.toBe(hash("203.0.113.7"));
  expect(hash("203.0.113.7")).toBeLessThan(2 ** 16);
});
