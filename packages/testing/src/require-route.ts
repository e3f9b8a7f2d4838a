/** Throws if the worker has no such route, since a test of nothing passes. Paths that begin with "nothing" or are malformed have none on purpose. */
export function requireRoute(response: Response, path: string): Response {
  if (response.headers.has("x-development-no-route") && !/^\/api\/(nothing|%)/.test(path))
    throw new Error(`the worker has no route for ${path}`);
  return response;
}
