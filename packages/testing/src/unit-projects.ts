/** Packages whose tests need no browser. Each is a separate vitest project. */
export const UNIT_PACKAGES = ["brands", "contract", "geo", "testing", "tooling", "ui"] as const;
