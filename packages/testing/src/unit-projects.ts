/** Packages whose tests need neither a worker nor a browser; each is a project of its own in a test run. */
export const UNIT_PACKAGES = ["brands", "contract", "geo", "testing", "tooling", "ui"] as const;
