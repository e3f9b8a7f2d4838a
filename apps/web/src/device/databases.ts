/** IndexedDB databases with member data, all encrypted. Listed here because the features that fill them may not be loaded on a page. */
export const MEMBER_DATABASES = ["drafts", "outbox"];
/** The key of this device, under which they are encrypted unless there is an app lock. */
export const KEY_DATABASE = "device";
/** Cleared when the session ends. */
export const DATABASES = [...MEMBER_DATABASES, KEY_DATABASE];
/** The key of the record of the lock, which outlives the other. */
export const GATE_DATABASE = "gate";
