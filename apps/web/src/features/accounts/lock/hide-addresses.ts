/**
 * Keeps addresses, which name members, out of the browser's history and restored tabs while the lock is on. Every entry is the home page's;
 * its state holds the address, sealed, so that Back and reloading still lead to it, and so do links that are opened in another tab.
 */
import { fromBase64Url, toBase64Url } from "../../../device/base64.ts";
import { readDeviceValue, subscribeDeviceValue } from "../../../device/device-storage.ts";
import { LOCK } from "../../../device/lock-record.ts";
import { NEUTRAL_PAGE } from "../../../device/quick-exit.ts";
import { appLock } from "../../../device/vault.ts";
import { pageBrand } from "../../../format/site.ts";
import { type Address, setAddressSource } from "../../../routing/address.ts";

const SHOWN_PATH = "/";
const LINK = "#at=";
/** Sealed paths have the same length, unless they are longer than this. */
const PADDED_CHARS = 128;

const pathOf = ({ pathname, search, hash }: Address) => pathname + search + hash;
const sealedAddress = () => (history.state as { at?: string } | null)?.at;

/** By what is sealed. */
const addresses = new Map<string, Address>();
const sealedPaths = new Map<string, string>();
let isHidden = false;
let isWatching = false;
let last: Address = { pathname: SHOWN_PATH, search: "", hash: "" };

/** Call when the vault is open: after the PIN was entered, or once the lock is on. */
export async function hideAddresses(): Promise<void> {
  const { pathname, search, hash } = location;
  const sealed = sealedAddress() ?? (hash.startsWith(LINK) ? hash.slice(LINK.length) : undefined);
  // What an erased key has sealed leads home.
  last = sealed ? ((await open(sealed)) ?? last) : { pathname, search, hash };
  sealedPaths.clear();
  isHidden = true;
  setAddressSource({
    isHidden,
    read: readHidden,
    // The quick exit knows the mark by its address.
    hrefOf: (path) => (path === SHOWN_PATH || !/^\/(?!\/)/.test(path) ? path : SHOWN_PATH + LINK + seal(path)),
  });
  watch();
  history.replaceState(history.state, "", pathOf(last));
  document.title = pageBrand().name;
}

/** The lock was turned off, also by a logout. Entries from before still lead to their screens until the page is loaded again. */
function showAddresses(): void {
  if (!isHidden) return;
  const path = pathOf(readHidden());
  isHidden = false;
  const read = () => addresses.get(sealedAddress() ?? "") ?? location;
  setAddressSource({ isHidden, read, hrefOf: (next) => next });
  history.replaceState({ ...history.state, at: undefined }, "", path);
}

const readHidden = () => addresses.get(sealedAddress() ?? "") ?? last;

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  for (const type of ["pushState", "replaceState"] as const) {
    const change = history[type].bind(history);
    history[type] = (state, unused, url) => {
      if (!isHidden || url === NEUTRAL_PAGE) return change(state, unused, url);
      last = url == null ? readHidden() : new URL(url, location.origin + pathOf(readHidden()));
      const sealed = seal(pathOf(last));
      addresses.set(sealed, last);
      change({ ...state, at: sealed }, unused, SHOWN_PATH);
    };
  }
  subscribeDeviceValue(LOCK, () => readDeviceValue(LOCK) === null && showAddresses());
  // Before the router.
  addEventListener("popstate", onTraversal, { capture: true });
}

function onTraversal(): void {
  if (!isHidden) return;
  const sealed = sealedAddress();
  const known = addresses.get(sealed ?? "");
  if (known) last = known;
  else if (sealed) void openAndShow(sealed);
  else {
    // A link within the page, or an entry from before the lock.
    const { pathname, search, hash } = location;
    const isWithin = pathname === SHOWN_PATH && hash !== "";
    history.replaceState(history.state, "", isWithin ? hash : pathname + search + hash);
  }
}

/** The entry is from before the page was loaded again. */
async function openAndShow(sealed: string): Promise<void> {
  const address = await open(sealed);
  if (!address || sealedAddress() !== sealed) return;
  last = address;
  dispatchEvent(new Event("hashchange"));
}

function seal(path: string): string {
  const known = sealedPaths.get(path);
  if (known) return known;
  const bytes = appLock.vault?.sealer.seal(path.padEnd(PADDED_CHARS));
  // While much is sealed in the same moment, the address lasts as long as the page.
  const sealed = bytes instanceof Uint8Array ? toBase64Url(bytes) : crypto.randomUUID();
  sealedPaths.set(path, sealed);
  return sealed;
}

async function open(sealed: string): Promise<Address | undefined> {
  try {
    const path = await appLock.vault?.sealer.open(fromBase64Url(sealed));
    if (typeof path !== "string") return undefined;
    const address = new URL(path.trimEnd(), location.origin);
    addresses.set(sealed, address);
    return address;
  } catch {
    return undefined;
  }
}
