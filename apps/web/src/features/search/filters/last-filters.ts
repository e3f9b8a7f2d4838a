/** Stores the filters that were last set in this tab. Logout clears them with the rest of session storage. */
const STORAGE_KEY = "search-filters";

/** "" or "?...". */
export function loadLastFilters(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

export function saveLastFilters(query: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, query);
  } catch {
    // Without storage, the filters exist only in the URL.
  }
}
