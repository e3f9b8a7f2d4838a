/** The export, for the OpenAPI document: a plain Hono route, so nobody can walk to it. */
export const EXPORT_PATHS: Record<string, Record<string, unknown>> = {
  "/api/account/export": {
    post: {
      operationId: "account.export",
      summary: "The own data as one ZIP: JSON, a readable page and the pictures",
      security: [{ session: [] }],
      requestBody: {
        description: "The current password; not needed where the session began with a login link a moment ago",
        content: {
          "application/json": { schema: { type: "object", properties: { currentPassword: { type: "string" } } } },
        },
      },
      responses: {
        200: { description: "The archive", content: { "application/zip": {} } },
        401: { description: "No session" },
        403: { description: "Neither the current password nor a fresh login link" },
        429: { description: "Too often today" },
      },
    },
  },
};
