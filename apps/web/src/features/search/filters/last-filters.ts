/** The filters that were set last in this tab; logout empties its storage with all else. */
const LAST = "search-filters";

/** "" or "?...". */
export function lastFilters(): string {
  try {
    return sessionStorage.getItem(LAST) ?? "";
  } catch {
    return "";
  }
}

export function keepFilters(query: string): void {
  try {
    sessionStorage.setItem(LAST, query);
  } catch {
    // Without a storage they live in the address alone.
  }
}
