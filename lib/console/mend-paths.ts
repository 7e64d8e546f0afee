import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/** Mends the path of every request before anything reads it: Next.js answers a malformed one with a bare 500. */
export function mendPaths(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.includes("%")) request.url = mendPath(request.url);
  });
}

/** Where `%` begins no valid encoding, it stands for itself: `/roles/%ff` leads to a role "%ff", which is unknown. */
export function mendPath(url: string): string {
  const start = url.indexOf("?");
  const path = start < 0 ? url : url.slice(0, start);
  return path.split("/").map(mendSegment).join("/") + url.slice(path.length);
}

function mendSegment(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll("%", "%25");
  }
}
