/** A local push service, and subscribed devices that decrypt its messages. */
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A browser's side of a subscription: the data it registers and the decryption of pushes (RFC 8291, RFC 8188). */
export interface PushDevice {
  readonly path: string;
  /** The site's public key that it subscribed with. */
  readonly key: string | undefined;
  readonly subscription: {
    readonly deviceName: string;
    readonly endpoint: string;
    readonly auth_base64: string;
    readonly p256dh_base64: string;
  };
  decrypt(body: Buffer): unknown;
}

export interface PushService {
  readonly received: ReceivedPush[];
  /** The statuses of the next responses, by path; 201 after the last one. */
  readonly nextStatuses: Map<string, number[]>;
  /** Pushes to a device that subscribed with a key are refused if they are signed with another. */
  createDevice(name: string, key?: string): PushDevice;
  /** Waits until a path has received `count` pushes, and returns the last of them. */
  waitForPush(path: string, count?: number): Promise<ReceivedPush>;
  /** Forgets received pushes and statuses. */
  clear(): void;
  close(): void;
}

export async function startPushService(): Promise<PushService> {
  const received: ReceivedPush[] = [];
  const nextStatuses = new Map<string, number[]>();
  const keys = new Map<string, string>();
  let waiters: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const key = keys.get(path);
      if (key && !request.headers.authorization?.includes(`k=${key}`)) return response.writeHead(403).end();
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(nextStatuses.get(path)?.shift() ?? 201).end();
      for (const wake of waiters.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    nextStatuses,
    createDevice: (name, key) => {
      if (key) keys.set(`/${name}`, key);
      return { ...deviceAt(`https://127.0.0.1:${port}/${name}`, name), key };
    },
    waitForPush: async (path, count = 1) => {
      for (;;) {
        const pushes = received.filter((push) => push.path === path);
        if (pushes.length >= count) return pushes[count - 1]!;
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    clear: () => {
      received.length = 0;
      nextStatuses.clear();
      waiters = [];
    },
    close: () => server.close(),
  };
}

function deviceAt(endpoint: string, name: string): Omit<PushDevice, "key"> {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    path: `/${name}`,
    subscription: {
      deviceName: name,
      endpoint,
      auth_base64: auth.toString("base64url"),
      p256dh_base64: publicKey.toString("base64url"),
    },
    decrypt: (body) => decryptPush(ecdh, auth, body),
  };
}

/** What a device with these secrets reads. */
export function decryptPush(ecdh: ECDH, auth: Uint8Array, body: Buffer): unknown {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const senderKey = body.subarray(21, 21 + keyLength);
  const shared = ecdh.computeSecret(senderKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync("sha256", shared, auth, info, 32));
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
  const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
  const ciphertext = body.subarray(21 + keyLength);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(ciphertext.subarray(-16));
  const plain = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]);
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
}
