import { describe, expect, test } from "bun:test";
import { seededRandom } from "../simulation/seeded-random";
import { type Recorded, recordRequests, settle } from "./recording-server";
import { malformedBodies, malformedRequests, type RequestCase, validRequests } from "./request-corpus";

const NEXT = "GET /next HTTP/1.1\r\nhost: gateway.test\r\n\r\n";

/** What is made of bytes that arrive cut at these places. */
async function outcomeOf(sent: string, cuts: readonly number[]) {
  const { recorded, socket, receive, faults } = recordRequests();
  const places = [0, ...cuts, sent.length];
  for (const [index, end] of places.slice(1).entries()) {
    receive(sent.slice(places[index], end));
    await settle();
  }
  expect(faults).toEqual([]);
  return { recorded, isEnded: socket.isEnded, written: socket.written };
}

function expected({ method, url, body, headers, isKept = true, refused }: RequestCase) {
  return ({ recorded, isEnded }: Awaited<ReturnType<typeof outcomeOf>>) => {
    const [first, next] = recorded;
    if (refused !== undefined) {
      expect(recorded).toHaveLength(1);
      expect(first).toMatchObject({ refused });
      expect(isEnded).toBe(true);
      return;
    }
    const asked = { ...(method && { method }), ...(url && { url }), ...(body !== undefined && { body }) };
    expect(first).toMatchObject(asked);
    for (const [name, value] of Object.entries(headers ?? {}))
      expect([name, first?.head?.get(name)]).toEqual([name, value]);
    expect(next?.url).toBe(isKept ? "http://gateway.test/next" : undefined);
    expect(isEnded).toBe(!isKept);
  };
}

/** Every offset of a short text; some of a long one. */
function placesIn(sent: string): number[] {
  const step = sent.length > 1_000 ? 997 : 1;
  return Array.from({ length: Math.floor((sent.length - 1) / step) }, (_, index) => (index + 1) * step);
}

const named = (cases: readonly RequestCase[]) => cases.map((one) => [one.name, one] as const);

describe("a request is read alike wherever it is cut", () => {
  test.each(named([...validRequests, ...malformedRequests, ...malformedBodies]))("%s", async (_, one) => {
    const sent = one.refused === undefined ? one.sent + NEXT : one.sent;
    const check = expected(one);
    check(await outcomeOf(sent, []));
    check(await outcomeOf(sent, placesIn(sent)));
    for (const place of placesIn(sent)) check(await outcomeOf(sent, [place]));
  });
});

test("requests in a row are read alike wherever they are cut", async () => {
  const all = validRequests.filter(({ isKept = true, sent }) => isKept && sent.length < 500);
  const sent = all.map((one) => one.sent).join("");
  const comparable = ({ recorded }: Awaited<ReturnType<typeof outcomeOf>>) => recorded.map(withoutHead);
  const whole = comparable(await outcomeOf(sent, []));
  expect(whole.map(({ url = "" }) => url.split("/").length > 3)).toEqual(all.map(() => true));
  for (const size of [1, 7, 64])
    expect(
      comparable(
        await outcomeOf(
          sent,
          placesIn(sent).filter((place) => place % size === 0),
        ),
      ),
    ).toEqual(whole);
});

test("reads damaged requests the same way wherever they are cut", async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`SEED=${seed}`);
  const random = seededRandom(seed);
  const short = [...validRequests, ...malformedRequests].filter(({ sent }) => sent.length < 400);
  const spoilt = "\r\n\0 \t:;,0159afxAF-+\xff/?#";
  for (let round = 0; round < 1_500; round++) {
    const { sent } = random.pick(short as [RequestCase, ...RequestCase[]]);
    const at = random.between(0, sent.length - 1);
    const put = Array.from(
      { length: random.between(0, 2) },
      () => spoilt[random.between(0, spoilt.length - 1)],
    );
    const damaged = sent.slice(0, at) + put.join("") + sent.slice(at + random.between(0, 2)) + NEXT;
    const cuts = Array.from({ length: random.between(1, 5) }, () => random.between(0, damaged.length));
    const whole = await outcomeOf(damaged, []);
    const cut = await outcomeOf(
      damaged,
      cuts.toSorted((one, other) => one - other),
    );
    expect([damaged, cut.recorded.map(withoutHead)]).toEqual([damaged, whole.recorded.map(withoutHead)]);
  }
});

/** Whether a malformed body is refused by the server or by its reader depends on what has arrived with the head. */
function withoutHead({ method, url, body, refused }: Recorded) {
  return refused === undefined ? { method, url, body } : { refused };
}
