/** Bytes of frozen pictures, for the OpenAPI document: a plain Hono route, so nobody can walk to it. */
export const EVIDENCE_PATHS: Record<string, Record<string, unknown>> = {
  "/api/evidence/{id}": {
    get: {
      operationId: "reports.evidence",
      summary: "A frozen picture, for jurors of an open jury on its case and for staff",
      security: [{ session: [] }],
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: {
        200: { description: "The picture", content: { "image/webp": {} } },
        404: { description: "Absent, or not for this member" },
      },
    },
  },
};
