/**
 * What caps count as one network: an IPv4 address, or the 64 bits of an IPv6 address that a household or a rented machine is
 * given; the other 64 its holder chooses at will, a new address for each request. Anything else stands for itself.
 */
export function networkOf(address: string): string {
  return prefixOf(address, 4) ?? address;
}

/** The 48 bits of an IPv6 address that a provider gives to one site: 65,536 networks in one hand. Undefined for anything else. */
export function siteOf(address: string): string | undefined {
  return prefixOf(address, 3);
}

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
 * The network of an account, so that no two jurors of a case come from one: 16 bits of a keyed hash of its /24 or /48. Some 256
 * networks of the world share each value, so that not even the key tells which one it was.
 */
export async function hashNetwork(secret: string, network: string): Promise<number> {
  const prefix = siteOf(network) ?? network.split(".").slice(0, 3).join(".");
  const encode = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, encode(`network:${prefix}`));
  return new DataView(mac).getUint16(0);
}
