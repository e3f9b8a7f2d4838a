/** Requests as three engines send them to https pages with this site's headers, recorded on 28 November 2026: Chromium 156, Firefox ESR 153 and WebKitGTK 2.50. */
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { postIntroduction, webmRecording } from "@lambda/testing/recordings";
import { startWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

type Headers = Readonly<Record<string, string>>;
type Engine = "Chromium" | "Firefox" | "WebKit";

const HTML = "text/html,application/xhtml+xml,application/xml;q=0.9";
const CHROMIUM_IMAGES = "image/jxl,image/avif,image/webp,image/apng";
const FETCH = fetched("*/*", "empty", "cors");
const SOCKET = { upgrade: "websocket", "sec-websocket-version": "13", "cache-control": "no-cache" };

function fetched(accept: string, dest: string, mode: string, more: Headers = {}): Headers {
  const site = mode === "navigate" ? "none" : "same-origin";
  return { accept, "sec-fetch-dest": dest, "sec-fetch-mode": mode, "sec-fetch-site": site, ...more };
}

const REQUESTS: Readonly<Record<string, Partial<Record<Engine, Headers>>>> = {
  page: {
    Chromium: fetched(
      `${HTML},${CHROMIUM_IMAGES},*/*;q=0.8,application/signed-exchange;v=b3;q=0.7`,
      "document",
      "navigate",
    ),
    Firefox: fetched(`${HTML},*/*;q=0.8`, "document", "navigate", { "sec-fetch-user": "?1" }),
    WebKit: fetched(`${HTML},*/*;q=0.8`, "document", "navigate"),
  },
  "page through a service worker": { Firefox: fetched(`${HTML},*/*;q=0.8`, "empty", "same-origin") },
  manifest: { Chromium: fetched("*/*", "manifest", "cors") },
  call: { Chromium: FETCH, Firefox: FETCH, WebKit: FETCH },
  upload: {
    Chromium: { ...FETCH, "content-type": "multipart/form-data; boundary=----WebKitFormBoundary7JQTBYuAGX7gZpGP" },
    Firefox: {
      ...FETCH,
      "content-type": "multipart/form-data; boundary=----geckoformboundary43a2a5e38c547cecca73badb",
    },
    WebKit: { ...FETCH, "content-type": "multipart/form-data; boundary=----WebKitFormBoundaryvgxCD0cXhw8KuuVP" },
  },
  image: {
    Chromium: fetched(`${CHROMIUM_IMAGES},image/svg+xml,image/*,*/*;q=0.8`, "image", "no-cors"),
    Firefox: fetched("image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "image", "no-cors"),
    WebKit: fetched("image/webp,image/avif,video/*;q=0.8,image/png,image/*;q=0.8,*/*;q=0.5", "image", "no-cors"),
  },
  audio: {
    Chromium: fetched("*/*", "audio", "no-cors", { range: "bytes=0-" }),
    Firefox: fetched("audio/webm,audio/ogg,audio/*;q=0.9,video/*;q=0.6,*/*;q=0.5", "audio", "no-cors", {
      range: "bytes=0-",
    }),
    WebKit: fetched("*/*", "audio", "no-cors", { "icy-metadata": "1" }),
  },
  socket: {
    Chromium: SOCKET,
    Firefox: { ...SOCKET, ...fetched("*/*", "empty", "websocket") },
    WebKit: {
      ...SOCKET,
      "sec-fetch-dest": "websocket",
      "sec-fetch-mode": "websocket",
      "sec-fetch-site": "same-origin",
    },
  },
};

let member: TestMember;
let picture: number;
beforeAll(async () => {
  const worker = await startWorker();
  member = await createMember(worker);
  picture = (await uploadPicture(member)).id;
});

describe.each(Object.keys(REQUESTS))("%s", (kind) => {
  it.each(Object.entries(REQUESTS[kind] ?? {}))("of %s is answered", async (_engine, headers) => {
    for (const [path, status, init] of await listCalls(kind, headers)) {
      const response = await member.fetch(path, { ...init, headers });
      expect([path, response.status]).toEqual([path, status]);
    }
  });
});

type Call = readonly [path: string, status: number, init?: RequestInit];

async function listCalls(kind: string, headers: Headers): Promise<readonly Call[]> {
  switch (kind) {
    case "call":
      return [
        ["/api/settings", 200],
        ["/trpc/profiles.mine", 200],
        ["/api/settings/sharing", 400, { method: "PUT", body: "{}" }],
      ];
    case "upload":
      return [["/api/profile-voice", 201, { method: "POST", body: multipart(headers) }]];
    case "image":
      return [[`/api/profile-pic/${picture}?scale_x=128`, 200]];
    case "audio": {
      const { id } = (await (await postIntroduction(member)).json()) as { id: number };
      return [[`/api/profile-voice/${id}`, headers.range ? 206 : 200]];
    }
    case "socket":
      return ["/ws", "/ws/area", "/ws/map?lat=48&lon=16"].map((path) => [path, 101] as const);
    case "manifest":
      return [["/manifest.webmanifest", 200]];
    default:
      return [["/login", 200]];
  }
}

function multipart(headers: Headers): Buffer {
  const boundary = headers["content-type"]?.split("boundary=")[1];
  const field = (name: string, value: string, more = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const file = Buffer.from(webmRecording()).toString("latin1");
  const fields = field("durationMs", "3000") + field("peaks", "1,50") + field("audience", "public");
  const type = '; filename="voice"\r\nContent-Type: audio/webm;codecs=opus';
  return Buffer.from(`${fields}${field("file", file, type)}--${boundary}--\r\n`, "latin1");
}
