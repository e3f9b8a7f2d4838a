import { expect, it } from "vitest";
import { networkOf, siteOf } from "./network.ts";

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
])("takes %s for a part of %s", (address, site) => {
  expect(siteOf(address)).toBe(site);
});
