import { TILES_REFETCH_MS } from "@lambda/contract/limits";
import { useMemo } from "react";
import { trpc } from "../../api/trpc.ts";
import { useLocale } from "../../format/i18n.ts";
import { chunkIds } from "../MemberTile/chunk-ids.ts";

/** The month of the badge, as yyyy-mm, of those of these members who are checked. */
export function useChecked(ids: readonly number[], from = 0, to = ids.length): ReadonlyMap<number, string> {
  const options = { staleTime: TILES_REFETCH_MS };
  const results = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.personCheck.among({ profileIds }, options)),
  );
  const items = results.flatMap(({ data }) => data?.items ?? []);
  const key = items.map(({ profileId, month }) => `${profileId}:${month}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key tells when the items changed
  return useMemo(() => new Map(items.map(({ profileId, month }) => [profileId, month])), [key]);
}

/** "November 2026" */
export function useMonthName(): (month: string) => string {
  const [locale] = useLocale();
  return (month) =>
    new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale, { month: "long", year: "numeric", timeZone: "UTC" });
}
