import { install, run } from "./install.mjs";

install();
run("packages/tooling/src/start.ts", { stopsWithParent: true });
