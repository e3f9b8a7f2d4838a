/** The eight questions of npm run setup to the operator, and the validation of the answers. */
import { EXAMPLE_BRANDS, type SiteBrand } from "@lambda/brands";
import { DATA_LOCATIONS, type DataLocation } from "../account/resources.ts";
import { findCity } from "./cities.ts";

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
type Check = (field: string, text: string) => string;

const NO_CONTACT: Contact = { post: "", authorities: "", languages: ["en", "es"], representative: "" };
const MAIL = /^[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}$/i;
const HOST = /^(?=.{4,253}$)(?!www\.)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const NAME = /^\p{L}[\p{L}\p{N} .&'-]{1,29}$/u;

const KNOWN = EXAMPLE_BRANDS.map(({ id }) => id as string);

/** A check that throws an error which names the field, and returns the text. */
function check(isValid: (text: string) => boolean, problem: (text: string) => string): Check {
  return (field, text) => {
    if (!isValid(text ?? "")) throw new Error(`${field}: ${problem(text)}`);
    return text;
  };
}

const checkLocation = check(
  (text) => DATA_LOCATIONS.includes(text as DataLocation),
  () => `one of ${DATA_LOCATIONS.join(", ")}`,
);
const checkMail = check(
  (text) => MAIL.test(text),
  (text) => `"${text}" is no mail address`,
);
const checkText = check(
  (text) => text.trim() !== "",
  () => "is empty",
);
const checkBrand = check(
  (id) => KNOWN.includes(id),
  () => `there are ${KNOWN.join(", ")}`,
);
const checkName = check(
  (text) => NAME.test(text),
  (text) => `"${text}" is no name of 2 to 30 letters`,
);
const checkHost = check(
  (text) => HOST.test(text) && !/\.example$/.test(text),
  (text) => (HOST.test(text) ? `${text} is nobody's` : `"${text}" is no host without www`),
);

/** Throws an error that names the invalid field. */
export function checkAnswers(answers: Answers): Answers {
  const { location, operator, legalName, brands, firstCity, streets } = answers;
  checkLocation("location", location);
  checkMail("operator", operator);
  checkText("legalName", legalName);
  checkCity("firstCity", firstCity);
  // A map without streets shows the first members nothing (docs/MAP.md).
  checkText("streets", streets);
  checkText("brands", Object.keys(brands ?? {}).join());
  const hosts = new Set<string>();
  for (const [id, { name, host, firstCity: ownCity, contact }] of Object.entries(brands)) {
    checkBrand(`brands.${id}`, id);
    checkName(`brands.${id}.name`, name);
    checkHost(`brands.${id}.host`, host);
    if (hosts.has(host)) throw new Error(`brands.${id}.host: another brand has ${host}`);
    hosts.add(host);
    if (ownCity) checkCity(`brands.${id}.firstCity`, ownCity);
    const authorities = contact?.authorities || answers.contact.authorities;
    if (authorities) checkMail(`brands.${id}.contact.authorities`, authorities);
  }
  return answers;
}

function checkCity(field: string, city: City | undefined): City {
  if (!city?.name.trim()) throw new Error(`${field}.name: is empty`);
  if (!(Math.abs(city.lat) <= 85)) throw new Error(`${field}.lat is no latitude`);
  if (!(Math.abs(city.lon) <= 180)) throw new Error(`${field}.lon is no longitude`);
  return city;
}

/** Asks until the answer is valid, so that a slip in the last does not cost the first. */
async function askFor<Value>(
  ask: Ask,
  question: string,
  suggestion: string,
  parse: (answer: string) => Value | Promise<Value>,
): Promise<Value> {
  for (let problem = ""; ; ) {
    try {
      return await parse(await ask(problem + question, suggestion));
    } catch (error) {
      problem = `${error instanceof Error ? error.message : error}\n`;
    }
  }
}

/**
 * Asks all questions, with known answers as suggestions. With one brand they are eight.
 *
 * @param checkStreets throws if the street map is not of the first city
 */
export async function askAll(
  ask: Ask,
  known?: Answers,
  checkStreets: (answers: Answers) => Promise<void> = async () => undefined,
): Promise<Answers> {
  const location = await askFor(
    ask,
    `Where should members' data be stored? It cannot be moved later. eu: guaranteed to stay in the EU; ${DATA_LOCATIONS.slice(1).join(", ")}: location hints`,
    known?.location ?? "eu",
    (text) => checkLocation("location", text) as DataLocation,
  );
  const operator = await askFor(
    ask,
    "Your mail address, for alerts, letters and the first admin",
    known?.operator ?? "",
    (text) => checkMail("operator", text),
  );
  const legalName = await askFor(ask, "Legal name of who runs the site", known?.legalName ?? "", (text) =>
    checkText("legalName", text),
  );
  const chosen = await askFor(
    ask,
    `Which brands: one or several of ${KNOWN.join(", ")}`,
    Object.keys(known?.brands ?? { ember: 0 }).join(", "),
    (text) =>
      checkText("brands", text)
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((id) => checkBrand("brands", id)),
  );
  const brands: Record<string, BrandAnswers> = {};
  for (const id of chosen) {
    const previous = known?.brands[id];
    const example = EXAMPLE_BRANDS.find((brand) => brand.id === id);
    const name = await askFor(ask, `${id}: its name`, previous?.name ?? example?.name ?? id, (text) =>
      checkName("name", text),
    );
    const host = await askFor(
      ask,
      `${id}: its host, in a zone of your account, without www`,
      previous?.host ?? "",
      (text) => {
        if (Object.values(brands).some((brand) => brand.host === text))
          throw new Error(`host: another brand has ${text}`);
        return checkHost("host", text);
      },
    );
    brands[id] = { ...previous, name, host };
  }
  const firstCity = await askFor(
    ask,
    'First city, as "Lyon", "Portland, US" or "Lyon, 45.76, 4.84"',
    known ? `${known.firstCity.name}, ${known.firstCity.lat}, ${known.firstCity.lon}` : "",
    (text) => checkCity("firstCity", findCity(text)),
  );
  const contact = known?.contact ?? NO_CONTACT;
  return askFor(
    ask,
    `File or URL of the streets around ${firstCity.name} (docs/MAP.md)`,
    known?.streets ?? "",
    async (streets) => {
      const answers = checkAnswers({
        ...known,
        ...{ location, operator, legalName, brands, firstCity, streets, contact },
      });
      await checkStreets(answers);
      return answers;
    },
  );
}
