/** Where researchers report vulnerabilities and password managers change a password. */
import type { Brand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import { originOf } from "../http/address.ts";

/** RFC 9116 wants the contact confirmed within a year; each response confirms it anew. */
const CONFIRMED_FOR_MS = 180 * DAY_MS;

export function securityTextResponse(brand: Brand, now: number): Response {
  const lines = [
    `Contact: mailto:${brand.operatorAddress}`,
    `Expires: ${new Date(now + CONFIRMED_FOR_MS).toISOString()}`,
    `Preferred-Languages: ${brand.contact.languages.join(", ")}`,
    `Canonical: ${originOf(brand)}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
}

/** W3C's well-known URL for changing passwords: the account's page, which asks for a login first. */
export function changePasswordResponse(): Response {
  return new Response(null, { status: 303, headers: { location: "/settings", "cache-control": "no-store" } });
}
