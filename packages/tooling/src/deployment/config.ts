/** Wrangler's configuration of the deployed site: [env.production] of wrangler.toml with what is in deployment/site.json. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig, type WranglerConfig } from "@lambda/testing/wrangler-config";
import { readIssuers } from "../age-issuers.ts";
import { DEPLOYMENT, listBrands, readSite, requireSite, type SiteFile, siteBrands } from "./site-file.ts";

export const messageDatabaseName = (number: number | string) => `lambda-messages-${number}`;

/** The configuration of the examples before npm run setup. */
export function readDeployedConfig(root = ROOT): WranglerConfig {
  const config = readWranglerConfig(root);
  const site = readSite(root);
  return site ? configOf(root, config, site) : config;
}

function configOf(root: string, config: WranglerConfig, site: SiteFile): WranglerConfig {
  const { account = "", database = "", messageDatabases = {}, answers, pushKey = "", vars, otherHosts = [] } = site;
  const { production } = config.env;
  const hosts = [...listBrands(site).flatMap((brand) => brand.hosts), ...otherHosts];
  const messages = Object.entries(messageDatabases).toSorted(([one], [other]) => Number(one) - Number(other));
  return {
    ...config,
    // Otherwise wrangler asks for the user's memberships, which the token may not read.
    ...(account && { account_id: account }),
    env: {
      production: {
        ...production,
        routes: hosts.map((pattern) => ({ pattern, custom_domain: true })),
        define: {
          ...production.define,
          __SITE_BRANDS__: JSON.stringify(siteBrands(answers)),
          __AGE_ISSUERS__: JSON.stringify(readIssuers(root)),
        },
        vars: {
          ...production.vars,
          VAPID_PUBLIC_KEY: pushKey,
          VAPID_SUBJECT: `mailto:${answers.operator}`,
          ALERT_ADDRESS: answers.operator,
          BACKUP_ACCOUNT: account,
          BACKUP_DATABASE: database,
          BACKUP_MESSAGES: messages.map(([number, id]) => `${number}:${id}`).join(" "),
          ...vars,
        },
        d1_databases: [
          { ...production.d1_databases[0], database_id: database },
          ...messages.map(([number, id]) => ({
            binding: `MESSAGES_${number}`,
            database_name: messageDatabaseName(number),
            database_id: id,
          })),
        ],
        r2_buckets: production.r2_buckets.map((bucket) =>
          answers.location === "eu" ? { ...bucket, jurisdiction: "eu" } : bucket,
        ),
      },
    },
  };
}

/**
 * Writes the configuration for wrangler, with absolute paths and without its part for development, and returns the file.
 */
export function writeDeployedConfig(root = ROOT, folder = join(root, DEPLOYMENT)): string {
  const { env, vars: _vars, define: _define, ...shared } = readDeployedConfig(root);
  const { production } = env;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "wrangler.json");
  const placed = {
    ...shared,
    ...production,
    name: deployedName(shared),
    main: join(root, shared.main),
    assets: { ...production.assets, directory: join(root, production.assets.directory) },
  };
  writeFileSync(file, `${JSON.stringify(placed, null, 2)}\n`, { mode: 0o600 });
  return file;
}

/** The worker's name in the account. */
export const deployedName = ({ name }: Pick<WranglerConfig, "name">): string => `${name}-production`;

/** The flags with which wrangler works on the deployed site. Throws before npm run setup. */
export function deployedFlags(root = ROOT): string[] {
  requireSite(root);
  return ["--config", writeDeployedConfig(root)];
}

/** The flags with which wrangler finds a deployed bucket, which may have a jurisdiction. */
export function bucketFlags(bucket: string): string[] {
  const { r2_buckets } = readDeployedConfig().env.production;
  const jurisdiction = r2_buckets.find(({ bucket_name }) => bucket_name === bucket)?.jurisdiction;
  return [
    "--remote",
    // The drill also runs where there is no deployment, from the account alone.
    ...(readSite(ROOT) ? deployedFlags() : []),
    ...(jurisdiction ? ["--jurisdiction", jurisdiction] : []),
  ];
}
