/**
 * Run by wrangler before it bundles the development worker (wrangler.toml), which has an SQL endpoint and public keys and must never be
 * deployed. Production has no such step.
 */
if (!["dev", undefined].includes(process.env.WRANGLER_COMMAND)) {
  console.error("This would be the development build. Deploy with: npm run deploy");
  // Wrangler prints a command's failure with a hundred lines of its process, and the end by a signal without.
  process.kill(process.pid, "SIGTERM");
}
