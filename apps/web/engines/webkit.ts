import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@lambda/testing/site";
import { type Driver, DriverHung, type Engine, type Point, pathBetween, STEP_MS } from "./driver.ts";
import { openScreen } from "./screen.ts";

const WINDOW = fileURLToPath(import.meta.resolve("./window.py"));
/** The keys of WebDriver's normative table. */
const KEYS = {
  Enter: "\uE007",
  Escape: "\uE00C",
  ArrowLeft: "\uE012",
  ArrowRight: "\uE014",
  Backspace: "\uE003",
  Home: "\uE011",
  Tab: "\uE004",
} as const;
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Debian's WebKitGTK over plain WebDriver, each window with a driver of its own, on one screen without a monitor. */
export async function startWebKit(): Promise<Engine> {
  const groups = new Set<ChildProcess>();
  /** Starts a program as the leader of a process group, so that its whole family ends with it. */
  const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess => {
    const child = spawn(command, args, {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, ...env },
    });
    groups.add(child);
    return child;
  };
  const end = (child: ChildProcess) => {
    groups.delete(child);
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const endAll = () => groups.forEach(end);
  process.once("exit", endAll);
  const screen = await openScreen();
  const env = {
    DISPLAY: screen.display,
    GSETTINGS_BACKEND: "memory",
    LANG: "en_US.UTF-8",
    LANGUAGE: "en_US",
    NO_AT_BRIDGE: "1",
    // Plays to nobody: there is no sound card.
    GST_PLUGIN_FEATURE_RANK: "fakeaudiosink:MAX",
  };
  return {
    name: "webkit",
    open: async ({ origin: _, ...options }) => {
      const port = await freePort();
      const folder = mkdtempSync(join(tmpdir(), "webkit-window-"));
      const file = join(folder, "options.json");
      // An argument holds 128 KB at most.
      writeFileSync(file, JSON.stringify(options));
      const driver = start("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], env);
      const clean = () => {
        end(driver);
        rmSync(folder, { recursive: true, force: true });
      };
      try {
        return await openWindow(port, file, clean);
      } catch (error) {
        clean();
        throw error;
      }
    },
    close: async () => {
      endAll();
      screen.close();
      process.off("exit", endAll);
    },
  };
}

async function openWindow(port: number, options: string, end: () => void): Promise<Driver> {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(STEP_MS),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw error.name === "TimeoutError" ? new DriverHung(`no answer to ${path}`) : error;
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const deadline = Date.now() + STEP_MS;
  while (!(await send("GET", "/status").catch(() => undefined))) {
    if (Date.now() > deadline) throw new DriverHung("WebKitWebDriver did not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const args = [WINDOW, "--automation", options];
  const { sessionId } = (await send("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: "/usr/bin/python3", args } } },
  })) as { sessionId: string };
  const command = (name: string, body?: object) => send(body ? "POST" : "GET", `/session/${sessionId}${name}`, body);
  await command("/timeouts", { script: STEP_MS, pageLoad: STEP_MS });
  const pointer = (...actions: readonly object[]) =>
    command("/actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  const move = ({ x, y }: Point) => ({ type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) });
  const [down, up] = [
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  const type = async (text: string) => {
    const actions = [...text].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await command("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  };
  return {
    goto: async (url) => void (await command("/url", { url })),
    evaluate: async (run, ...args) => {
      const script = `const done = arguments[arguments.length - 1];
        Promise.resolve().then(() => (${run})(...JSON.parse(arguments[0]))).then(
          (value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })));`;
      const answer = (await command("/execute/async", { script, args: [JSON.stringify(args)] })) as string;
      const { value, error } = JSON.parse(answer) as { value: Awaited<ReturnType<typeof run>>; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    },
    press: async (point) => void (await pointer(move(point), down, up)),
    drag: async (from, to) => void (await pointer(move(from), down, ...pathBetween(from, to).map(move), up)),
    type,
    key: (name) => type(KEYS[name]),
    choose: async (selector, file) => {
      const found = (await command("/element", { using: "css selector", value: selector })) as Record<string, string>;
      await command(`/element/${found[ELEMENT]}/value`, { text: file });
    },
    screenshot: async () => Buffer.from((await command("/screenshot")) as string, "base64"),
    close: async () => {
      await send("DELETE", `/session/${sessionId}`).catch(() => undefined);
      end();
    },
  };
}
