import { type ChildProcess, spawn } from "node:child_process";
import { inTime } from "./driver.ts";

/** A screen without a monitor, for engines that need a window. */
interface Screen {
  /** What `DISPLAY` must be. */
  readonly display: string;
  readonly close: () => void;
}

export async function openScreen(): Promise<Screen> {
  const xvfb: ChildProcess = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const close = () => void xvfb.kill("SIGKILL");
  process.once("exit", close);
  const number = await inTime(
    "the start of Xvfb",
    new Promise<string>((resolve, reject) => {
      xvfb.stdio[3]!.once("data", (data) => resolve(String(data).trim()));
      xvfb.once("error", reject);
    }),
  );
  return {
    display: `:${number}`,
    close: () => {
      process.off("exit", close);
      close();
    },
  };
}
