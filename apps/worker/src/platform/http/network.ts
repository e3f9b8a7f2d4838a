import { type Keys, mac } from "../keys.ts";

/**
 * What rate limits count as one network: an IPv4 address, or the /64 of an IPv6 address, which one household or server controls entirely
 * and can change with each request. Anything else is returned unchanged.
 */
export const networkOf = (address: string): string => prefixOf(address, 4) ?? address;

/** The /48 of an IPv6 address, which a provider assigns to one site: 65,536 networks of one owner. Undefined for anything else. */
export const siteOf = (address: string): string | undefined => prefixOf(address, 3);

function prefixOf(address: string, groupsKept: number): string | undefined {
  if (!address.includes(":") || address.includes(".")) return undefined;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const all = tail === undefined ? before : [...before, ...zeros, ...after];
  return `${all
    .slice(0, groupsKept)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/${groupsKept * 16}`;
}

/**
 * 16 bits of a keyed hash of an account's /24 or /48, so that no two jurors of a case come from the same network. About 256 networks share
 * each value, so that not even the key reveals which one it was.
 */
export function hashNetwork(env: Keys, network: string): number {
  const prefix = siteOf(network) ?? network.split(".").slice(0, 3).join(".");
  return mac(env, "network", prefix).readUInt16BE();
}
