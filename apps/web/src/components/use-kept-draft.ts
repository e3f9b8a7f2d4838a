import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { onClearLocalData } from "../device/clear-local-data.ts";

/** What was typed and is not saved, by what it is for; in memory only. */
const drafts = createStore<Readonly<Record<string, unknown>>>(() => ({}));
onClearLocalData(() => drafts.setState({}, true));

/**
 * A draft that outlives its screen: it is in its field again when the member comes back, until it is saved or given up. `read` gives the
 * latest, for what answers later.
 */
export function useKeptDraft<Draft>(key: string) {
  const draft = useStore(drafts, (all) => all[key]) as Draft | undefined;
  const keep = (next: Draft | undefined) => drafts.setState({ [key]: next });
  const read = () => drafts.getState()[key] as Draft | undefined;
  return [draft, keep, read] as const;
}
