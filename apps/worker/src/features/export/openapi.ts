/** The export, for the OpenAPI document: a plain Hono route, so nobody can walk to it. */
export const EXPORT_PATHS: Record<string, Record<string, unknown>> = {
  "/api/account/export": {
    get: {
      operationId: "account.export",
      summary: "The own data as one ZIP: JSON, a readable page and the pictures",
      security: [{ session: [] }],
      responses: {
        200: { description: "The archive", content: { "application/zip": {} } },
        401: { description: "No session" },
        429: { description: "Too often today" },
      },
    },
  },
};
