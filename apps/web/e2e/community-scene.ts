import { type BrandId, getBrand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import { PHONE, type TestSite } from "@lambda/testing/browser";
import { insertMember, insertSession } from "@lambda/testing/members";
import { makePng } from "@lambda/testing/png";
import type { BrowserContext, Page } from "playwright-core";
import { apiFor } from "./members.ts";

/** A member of a running site, with a browser that is logged in. */
export interface Actor {
  readonly id: number;
  readonly name: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly errors: string[];
  /** Sends an /api request as this member. */
  send(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  addPicture(color?: readonly [number, number, number]): Promise<number>;
}

interface ActorOptions {
  /** An existing member; a new one is created without it. */
  readonly id?: number;
  readonly name?: string;
  readonly brand?: BrandId;
  readonly adminBrand?: BrandId | "*";
  readonly description?: string;
  readonly viewport?: { width: number; height: number };
}

let actorCount = 0;

/** Opens actors on a site, and closes them together. */
interface Actors {
  addActor(options?: ActorOptions): Promise<Actor>;
  /** Closes all actors and returns the errors of their pages. */
  closeActors(): Promise<string[]>;
}

/** @param getSite called when an actor is added, because tests open their site in `beforeAll` */
export function createActors(getSite: () => TestSite): Actors {
  const actors: Actor[] = [];
  return {
    addActor: async (options) => {
      const actor = await openActor(getSite(), options);
      actors.push(actor);
      return actor;
    },
    closeActors: async () => {
      const errors = actors.flatMap((actor) => actor.errors);
      await Promise.all(actors.splice(0).map(({ context }) => context.close()));
      return errors;
    },
  };
}

/** Creates a member, or takes an existing one, and opens a browser that is logged in as this member. */
export async function openActor(site: TestSite, options: ActorOptions = {}): Promise<Actor> {
  actorCount += 1;
  const name = options.name ?? `Actor ${actorCount}`;
  const id = options.id ?? (await insertActor(site, name, options));
  return openBrowser(site, id, name, options);
}

async function insertActor(site: TestSite, name: string, options: ActorOptions): Promise<number> {
  const now = Date.now();
  const { id } = await insertMember(site.run, {
    name,
    ...(options.brand && { brand: options.brand }),
    realName: `Real ${name}`,
    adminBrand: options.adminBrand ?? null,
    birthdate: "1988-03-14",
    description: options.description ?? "",
    sharingChosen: now,
    created: now - 30 * DAY_MS,
    seen: now,
  });
  return id;
}

async function openBrowser(site: TestSite, id: number, name: string, options: ActorOptions): Promise<Actor> {
  const brand = getBrand(options.brand ?? "ember");
  const token = await insertSession(site.run, id, { brand: brand.id, device: "Browser" });
  const { context, page, errors } = await site.open({ viewport: options.viewport ?? PHONE, brand: brand.id });
  const browserOrigin = new URL(site.url("/", brand.id)).origin;
  await context.addCookies([
    { name: "plain_session", value: token, url: browserOrigin, httpOnly: true },
    { name: "logged_in", value: "1", url: browserOrigin },
  ]);
  const api = await apiFor(site, { id }, token);
  const send: Actor["send"] = async (method, path, body) => {
    const response = await api.fetch(path, {
      method,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? null : (JSON.parse(text) as unknown) };
  };
  const addPicture: Actor["addPicture"] = async (color = [180, 110, 70]) => {
    const png = makePng(400, 500, (x, y) => [color[0], (color[1] + x / 4) % 256, (color[2] + y / 5) % 256]);
    return (await api.upload(png)).id;
  };
  return { id, name, context, page, errors, send, addPicture };
}
