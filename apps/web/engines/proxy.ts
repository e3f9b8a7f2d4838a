/** Stands between one browser and the site: ends the connection, refuses paths, and keeps what was asked. */
import { type ClientRequest, createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";

export interface SiteProxy {
  readonly port: number;
  /** Method and path of each request so far, sockets with the method WS. */
  readonly requests: string[];
  /** Answers requests that match, as in `requests`, with 503, until it is called without a pattern. */
  refuse(refused?: RegExp): void;
  /** Serves another version of the service worker from now on. */
  updateWorker(): void;
  /** Drops every connection, and refuses new ones until called with false. */
  setOffline(isOffline: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(sitePort: number): Promise<SiteProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let refused: RegExp | undefined;
  let workerVersion = "";
  const forward = ({ method, url, headers }: IncomingMessage): ClientRequest =>
    request({ host: "127.0.0.1", port: sitePort, method, path: url, headers });
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${decodeURIComponent(incoming.url ?? "")}`;
    requests.push(line);
    if (refused?.test(line)) {
      incoming.resume();
      outgoing.writeHead(503).end();
      return;
    }
    const isUpdated = line === "GET /sw.js" && workerVersion !== "";
    if (isUpdated) for (const name of ["accept-encoding", "if-none-match"]) delete incoming.headers[name];
    const sent = forward(incoming);
    sent.on("response", (answer) => {
      if (isUpdated) {
        const { "content-length": _, etag: __, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        answer.on("end", () => outgoing.end(workerVersion));
      } else outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing, { end: !isUpdated });
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  server.on("upgrade", (incoming, socket, head) => {
    requests.push(`WS ${incoming.url}`);
    const upstream = connect(sitePort, "127.0.0.1", () => {
      const lines: string[] = [];
      for (let index = 0; index < incoming.rawHeaders.length; index += 2)
        lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`);
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    requests,
    refuse: (pattern) => {
      refused = pattern;
    },
    updateWorker: () => {
      workerVersion = `\n// ${Date.now()}`;
    },
    setOffline: (isOffline) => (isOffline ? stop() : listen(port)),
    close: () => (server.listening ? stop() : Promise.resolve()),
  };
}
