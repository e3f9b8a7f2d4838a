/** Starts the engines once for each test file. */
import { startChromium } from "./chromium.ts";
import { DriverHung, type Engine, type EngineName } from "./driver.ts";
import { startFirefox } from "./firefox.ts";
import { startWebKit } from "./webkit.ts";

const START = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };
const running = new Map<EngineName, Promise<Engine>>();

function getEngine(name: EngineName): Promise<Engine> {
  const started = running.get(name) ?? START[name]();
  running.set(name, started);
  return started;
}

async function stopEngine(name: EngineName): Promise<void> {
  const engine = await running.get(name)?.catch(() => undefined);
  running.delete(name);
  await engine?.close();
}

export async function stopEngines(): Promise<void> {
  await Promise.all([...running.keys()].map(stopEngine));
}

/** Runs a walk, and once more from its start with new drivers if one did not answer. */
export async function withEngines<Result>(
  names: readonly EngineName[],
  walk: (...engines: Engine[]) => Promise<Result>,
): Promise<Result> {
  const run = async () => walk(...(await Promise.all(names.map(getEngine))));
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DriverHung)) throw error;
    console.log(`${names.join(", ")}: ${error.message}; starts again`);
    await Promise.all(names.map(stopEngine));
    return run();
  }
}
