import { type HostileBody, hostileBodies } from "../hostile-bodies";

// A separate thread, so that making the bodies doesn't delay the thread that measures.

declare const self: Worker;

export interface FloodOrder {
  readonly baseUrl: string;
  readonly key: string;
  readonly count: number;
}

export interface FloodOutcome {
  readonly faults: readonly string[];
  readonly refused: number;
  readonly turnedAway: number;
}

const MAX_CONCURRENT = 8;
/** Under many large bodies some are rejected unread, which is correct, too. */
const turnedAway = new Set(["too_much_at_once", "too_many_slow_requests", "concurrency"]);

self.onmessage = async ({ data }: MessageEvent<FloodOrder>) => {
  const faults: string[] = [];
  let [sent, refused, away] = [0, 0, 0];
  const keepSending = async () => {
    while (sent < data.count) {
      const body = hostileBodies[sent++ % hostileBodies.length] as HostileBody;
      const code = await send(body, data);
      if (code !== null && turnedAway.has(code)) away++;
      else if (code !== null && body.codes.includes(code)) refused++;
      else faults.push(`${body.name}, ${body.isSigned ? "signed" : "unsigned"}, got ${code}`);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, keepSending));
  postMessage({ faults, refused, turnedAway: away } satisfies FloodOutcome);
};

/** The code of the refusal, or a word for another result. */
async function send(body: HostileBody, { baseUrl, key }: FloodOrder): Promise<string | null> {
  const made = body.make();
  try {
    const reply = await fetch(baseUrl + body.path, {
      method: "POST",
      headers: { ...body.headers, ...(body.isSigned && { authorization: `Bearer ${key}` }) },
      body: body.isChunked ? new Blob([made]).stream() : made,
      keepalive: false,
    });
    const text = await reply.text();
    return reply.ok ? "an answer" : (JSON.parse(text).error?.code ?? text.slice(0, 100));
  } catch (error) {
    // A client that is refused while it still sends may find its connection closed.
    return body.codes.includes("request_too_large") ? "request_too_large" : String(error);
  }
}
