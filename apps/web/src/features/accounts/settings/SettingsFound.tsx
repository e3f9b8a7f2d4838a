import { Icon } from "@lambda/ui/icon";
import { ListRow } from "@lambda/ui/list-row";
import { useDisguiseCopy } from "../lock/settings/disguise-copy.ts";
import { useLockCopy } from "../lock/settings/lock-copy.ts";
import { usePasskeysCopy } from "../passkeys/passkeys-copy.ts";
import { ACCOUNT_PAGES, type AccountHash, type AccountPageId, accountPath } from "./account-pages.ts";
import { useSettingsCopy } from "./copy.ts";
import { usePagesCopy } from "./pages-copy.ts";
import { useFirstContactCopy } from "./sections/first-contact-copy.ts";
import { useLockdownListCopy } from "./sections/lockdown-list-copy.ts";
import { usePictureCoverCopy } from "./sections/picture-cover-copy.ts";
import { useTravelSectionCopy } from "./sections/travel-section-copy.ts";
import { useUnwantedCopy } from "./sections/unwanted-copy.ts";

/** In lower case and without accents, so that "bloqueo" and "Bloquéo" are one word. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The settings whose label, or whose page's name, has every word of the search. */
export default function SettingsFound({ search }: { search: string }) {
  const copy = usePagesCopy();
  const labels = useSettingLabels();
  const words = plain(search).split(/\s+/).filter(Boolean);
  const found = ACCOUNT_PAGES.flatMap((page) =>
    labels[page.id]
      .map(([hash, label]) => ({ page, hash, label }))
      .filter(({ label }) => words.every((word) => plain(`${label} ${copy.pages[page.id]}`).includes(word))),
  );
  return (
    <>
      <p role="status" className="muted">
        {found.length === 0 ? copy.nothing : copy.found(found.length)}
      </p>
      <ul className="plain-list edge-rows">
        {found.map(({ page, hash, label }) => (
          <li key={`${hash} ${label}`}>
            <ListRow
              href={accountPath(hash)}
              leading={<Icon name={page.icon} />}
              title={label}
              text={copy.pages[page.id]}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type Label = readonly [AccountHash, string];

/** What the account's pages call their settings, each with where it stands. */
function useSettingLabels(): Record<AccountPageId, readonly Label[]> {
  const copy = useSettingsCopy();
  const { plan } = usePagesCopy();
  const first = useFirstContactCopy();
  const covers = usePictureCoverCopy();
  const words = useUnwantedCopy();
  const travel = useTravelSectionCopy();
  const lock = useLockCopy();
  const disguise = useDisguiseCopy();
  const passkeys = usePasskeysCopy();
  const lockdown = useLockdownListCopy();
  const at = (hash: AccountHash, ...labels: string[]): Label[] => labels.map((label) => [hash, label]);
  const { visibility, position, account, device, notifications, sessions } = copy;
  return {
    visibility: [
      ...at("visibility", visibility.title, visibility.hide, visibility.discreet),
      ...at("position", position.title, position.label),
      ...at("places", position.places),
      ...at("sharing", copy.sharing.title),
      ...at("travel", travel.title, travel.trips, travel.here),
    ],
    contact: [
      ...at(
        "first",
        first.title,
        first.matchesOnly,
        first.checkedOnly,
        first.ageMin,
        first.ageMax,
        first.distanceMaxMetres,
      ),
      ...at("covers", covers.title, covers.label),
      ...at("words", words.title),
      ...at("blocked", copy.blocked.title),
    ],
    notifications: [
      ...at("notifications", ...Object.values(notifications.groups), ...Object.values(notifications.kinds)),
      ...at("notifications", notifications.devices),
    ],
    phone: [
      ...at("lock", lock.title, lock.second, lock.words),
      ...at("disguise", disguise.title),
      ...at("exit", disguise.exitTitle),
      ...at("plan", plan),
    ],
    look: at("look", device.theme, device.language, device.units, "NSFW"),
    login: [
      ...at("account", account.name, account.email, account.password, account.repeat, account.roles),
      ...at("passkeys", passkeys.title, passkeys.add),
      ...at("sessions", sessions.title, lockdown.show, sessions.endAll),
    ],
    data: [
      ...at("download", copy.data.download),
      ...at("deletion", copy.deletion.title),
      ...at("version", copy.version.title, copy.version.frontend, copy.version.backend),
      ...at("location", position.device),
    ],
  };
}
