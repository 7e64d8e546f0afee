import { fetchWithKey } from "./send";

/** Sends a request, reads at least so many bytes of its reply, and leaves. At the reply's end it has read them all. */
export async function leaveAfter(bytes: number, address: string, fields: Parameters<typeof fetchWithKey>[1]) {
  const leaving = new AbortController();
  const reply = await fetchWithKey(address, { ...fields, signal: leaving.signal });
  const reader = reply.body?.getReader();
  for (let read = 0; read < bytes; ) {
    const piece = await reader?.read();
    if (!piece?.value) break;
    read += piece.value.byteLength;
  }
  leaving.abort();
  return reply.headers;
}
