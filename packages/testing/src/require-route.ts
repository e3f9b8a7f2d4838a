/**
 * Throws if the worker has no such route, since a test of nothing passes. Paths that begin with "nothing" or are malformed have none on
 * purpose, and so may requests with the header.
 */
export function requireRoute(response: Response, path: string, request: Headers): Response {
  const mayMiss = request.has("x-development-no-route") || /^\/api\/(nothing|%)/.test(path);
  if (response.headers.has("x-development-no-route") && !mayMiss)
    throw new Error(`the worker has no route for ${path}`);
  return response;
}
