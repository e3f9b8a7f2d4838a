/**
 * Run by wrangler before it bundles the development worker (wrangler.toml). That one has a door to the database and known keys: it runs on this
 * machine and goes nowhere else. Production has no such step.
 */
if (!["dev", undefined].includes(process.env.WRANGLER_COMMAND)) {
  console.error("This would be the development build. Deploy with: npm run deploy");
  process.exit(1);
}
