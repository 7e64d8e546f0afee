import {
  type CallOptions,
  type ClientCall,
  findPath,
  interpretReply,
  type Received,
  requestBody,
} from "./call-gateway";

interface Racer {
  readonly asked: ClientCall;
  readonly lastByte: Buffer;
  readonly reply: Buffer[];
  readonly ended: ReturnType<typeof Promise.withResolvers<void>>;
  socket: Bun.Socket | null;
  elapsedMs: number;
}

/**
 * Sends all calls except for their last bytes, each on its own connection, and then all last bytes in one go. The
 * gateway has to decide on all of them at the same moment; several gateways get them in turn.
 */
export async function raceCalls(
  asked: readonly ClientCall[],
  { baseUrls, key }: { readonly baseUrls: readonly string[]; readonly key: string },
): Promise<Promise<Received>[]> {
  const racers = await Promise.all(
    asked.map((one, index) => lineUp(one, { baseUrl: baseUrls[index % baseUrls.length] ?? "", key })),
  );
  const startedAt = performance.now();
  for (const { socket, lastByte } of racers) socket?.write(lastByte);
  return racers.map(async (racer) => {
    await racer.ended.promise;
    return interpretReply(racer.asked, { ...readReply(racer), elapsedMs: racer.elapsedMs - startedAt });
  });
}

async function lineUp(
  asked: ClientCall,
  { baseUrl, key }: Pick<CallOptions, "baseUrl" | "key">,
): Promise<Racer> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const body = Buffer.from(requestBody(asked));
  const head = [
    `POST ${pathname}${findPath(asked)} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${body.byteLength}`,
    "connection: close",
    ...(asked.idempotencyKey ? [`idempotency-key: ${asked.idempotencyKey}`] : []),
  ];
  const racer: Racer = {
    asked,
    lastByte: body.subarray(-1),
    reply: [],
    ended: Promise.withResolvers(),
    socket: null,
    elapsedMs: 0,
  };
  const end = () => {
    racer.elapsedMs = performance.now();
    racer.ended.resolve();
  };
  racer.socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_, bytes) => void racer.reply.push(Buffer.from(bytes)), close: end, error: end },
  });
  racer.socket.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body.subarray(0, -1)]));
  return racer;
}

/** Parses a reply whose end is the end of its connection. */
function readReply({ reply }: Racer) {
  const [head = "", body = ""] = Buffer.concat(reply)
    .toString()
    .split(/\r\n\r\n([^]*)/, 2);
  const [statusLine = "", ...fields] = head.split("\r\n");
  const status = Number(statusLine.split(" ")[1] ?? Number.NaN);
  if (Number.isNaN(status)) return { status: null, headers: null, text: "", isEnded: false };
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  const isChunked = headers.get("transfer-encoding") === "chunked";
  return { status, headers, text: isChunked ? joinChunks(body) : body, isEnded: true };
}

/** The text of all chunks. Chunk sizes are in bytes, which works because raced replies are ASCII. */
function joinChunks(body: string): string {
  let text = "";
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.slice(at, lineEnd), 16);
    if (!(size > 0)) break;
    text += body.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
  return text;
}
