/** Databases with member data, by name: emptied with a session, sealed under a lock. The code that fills them may never have been loaded on a page. */
export const DATABASES = ["drafts", "outbox"];
