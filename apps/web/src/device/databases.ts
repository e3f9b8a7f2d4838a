/**
 * Names of the IndexedDB databases with member data: cleared when the session ends, encrypted under an app lock. Listed here because
 * the features that fill them may not be loaded on a page.
 */
export const DATABASES = ["drafts", "outbox"];
