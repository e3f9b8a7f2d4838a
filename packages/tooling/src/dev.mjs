import { install, run } from "./install.mjs";

install();
run("packages/tooling/src/dev.ts", { stopsWithParent: true });
