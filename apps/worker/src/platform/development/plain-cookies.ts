/** Cookies of development builds on plain http, where WebKit keeps neither `Secure` nor `__Host-`. Over https they stay as in production. */
import { PLAIN_PREFIX, plainCookieName } from "@lambda/contract/headers";

/** Answers a request with plain cookies as if it had those of production, and the other way round. */
export async function withPlainCookies(
  request: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  if (!request.url.startsWith("http:")) return answer(request);
  const response = await answer(withProductionNames(request));
  const cookies = response.headers.getSetCookie();
  if (cookies.length === 0) return response;
  const plain = new Response(response.body, response);
  plain.headers.delete("set-cookie");
  for (const cookie of cookies) plain.headers.append("set-cookie", plainCookieName(cookie).replace("; Secure", ""));
  return plain;
}

/** Programs may send production's names; beside a plain one they are of an earlier login. */
function withProductionNames(request: Request): Request {
  const sent = request.headers.get("cookie");
  if (!sent?.includes(PLAIN_PREFIX)) return request;
  const pairs = sent.split("; ");
  const names = new Set(pairs.map((pair) => pair.split("=")[0]));
  const current = pairs.filter(
    (pair) => !names.has(plainCookieName(pair.split("=")[0] ?? "")) || !/^__Host-/.test(pair),
  );
  const headers = new Headers(request.headers);
  headers.set("cookie", current.map((pair) => pair.replace(PLAIN_PREFIX, "__Host-")).join("; "));
  return new Request(request, { headers });
}
