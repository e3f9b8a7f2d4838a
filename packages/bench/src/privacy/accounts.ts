/**
 * What several accounts of one member reveal together. Seen at one place, their markers locate it better than one does.
 * Seen at different places, they must not show that they belong together.
 */
import { distanceMeters, METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { gridCellBounds, ROWS_PER_DEGREE, snapToGrid, wrapLongitude } from "@lambda/geo/grid";
import { LATTICE_LAT_SPAN } from "@lambda/geo/lattice";
import { mean } from "./observers.ts";
import { bestOf, type Found } from "./score.ts";
import { offset, PRODUCT, SimulatedTown } from "./simulated-town.ts";

export type Mailboxes = "one mailbox" | "other mailboxes";

const TOWN_METERS = 12_000;

const somewhere = ({ center, random }: SimulatedTown): Point =>
  offset(center, (random.next() - 0.5) * TOWN_METERS, (random.next() - 0.5) * TOWN_METERS);

/** The middle between the outermost markers: the best guess at the center of a cell that all of them lie in. */
function midrange(points: readonly Point[]): Point {
  const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return { lat: middle(points.map(({ lat }) => lat)), lon: middle(points.map(({ lon }) => lon)) };
}

/** Members who report their home with up to `accounts[n]` accounts each. Returns what each number of accounts reveals. */
export async function locateByAccounts(
  mailboxes: Mailboxes,
  { members, accounts }: { members: number; accounts: readonly number[] },
): Promise<ReadonlyMap<number, Found>> {
  const town = await SimulatedTown.open(PRODUCT, 0);
  const errors = new Map(accounts.map((count) => [count, [[], []] as [number[], number[]]]));
  for (let member = 0; member < members; member += 1) {
    const home = somewhere(town);
    const markers: Point[] = [];
    while (markers.length < Math.max(...accounts)) {
      const email = `${mailboxes === "one mailbox" ? `m${member}+` : `m${member}.`}${markers.length}@example.test`;
      markers.push(await town.report(await town.addAccount(email), home, "DEVICE_GPS"));
    }
    for (const [count, [byMean, byMidrange]] of errors) {
      byMean.push(distanceMeters(mean(markers.slice(0, count)), home));
      byMidrange.push(distanceMeters(midrange(markers.slice(0, count)), home));
    }
  }
  town.close();
  return new Map([...errors].map(([count, guessers]) => [count, bestOf(guessers)]));
}

const ROW_DEGREES = 1 / ROWS_PER_DEGREE.street;

/** What markers reveal of the lattice they lie on: a latitude, and for each width of cells a longitude, modulo the cell. */
interface Phases {
  readonly lat: number;
  /** By possible latitude of the lattice, as several rows fit into its span. */
  readonly lonsByWidth: readonly ReadonlyMap<number, number>[];
}

const modulo = (value: number, size: number) => ((value % size) + size) % size;
const apart = (one: number, other: number, size: number) => {
  const difference = modulo(one - other, size);
  return Math.min(difference, size - difference);
};

/** How far apart two accounts' lattices seem to be, in meters. */
function latticeMeters(one: Phases, other: Phases): number {
  const north = apart(one.lat, other.lat, ROW_DEGREES) * METERS_PER_DEGREE;
  let east = Number.POSITIVE_INFINITY;
  for (const [rows, lons] of one.lonsByWidth.entries()) {
    for (const [width, lon] of lons) {
      const same = other.lonsByWidth[rows]!.get(width);
      if (same !== undefined) east = Math.min(east, apart(lon, same, width) * METERS_PER_DEGREE);
    }
  }
  return north + (Number.isFinite(east) ? east : 0);
}

/**
 * Pairs of accounts of one mailbox at different places of one city. Returns the share of first accounts whose second
 * one an attacker picks among all of them, by the lattices that their markers lie on.
 *
 * @param sharesShown gives both accounts the same published points, as a control
 */
export async function linkAccounts({
  rounds,
  pairs,
  markers = 5,
  sharesShown = false,
}: {
  rounds: number;
  pairs: number;
  markers?: number;
  sharesShown?: boolean;
}): Promise<number> {
  const town = await SimulatedTown.open(PRODUCT, 0);
  let linked = 0;
  const watch = (id: number) => {
    const seen: Point[] = [];
    while (seen.length < markers) seen.push(town.markerAt(id, somewhere(town)));
    const lat = modulo(seen[0]!.lat - ROW_DEGREES / 2, ROW_DEGREES);
    const lonsByWidth = Array.from({ length: LATTICE_LAT_SPAN / ROW_DEGREES }, (_, rows) => {
      const lons = new Map<number, number>();
      for (const marker of seen) {
        const cell = gridCellBounds(snapToGrid(marker.lat - lat - rows * ROW_DEGREES, 0, "street"));
        const width = cell.lonMax - cell.lonMin;
        lons.set(width, modulo(wrapLongitude(marker.lon) + 180 - width / 2, width));
      }
      return lons;
    });
    return { lat, lonsByWidth };
  };
  for (let round = 0; round < rounds; round += 1) {
    const firsts: Phases[] = [];
    const seconds: Phases[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const [first, second] = [
        await town.addAccount(`${round}-${pair}@example.test`),
        await town.addAccount(`${round}-${pair}+tag@example.test`),
      ];
      if (sharesShown) town.copyLattices(first, second);
      firsts.push(watch(first));
      seconds.push(watch(second));
    }
    for (const [pair, first] of firsts.entries()) {
      const distances = seconds.map((second) => latticeMeters(first, second));
      if (distances.indexOf(Math.min(...distances)) === pair) linked += 1;
    }
  }
  town.close();
  return linked / (rounds * pairs);
}

/** What guessing yields, and one percent. */
export const linkedMax = (pairs: number) => 1 / pairs + 0.01;
