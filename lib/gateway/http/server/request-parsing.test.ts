import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../simulation/seeded-random";
import { type RecordedRequest, recordRequests, settle } from "./testing/recording-server";
import {
  malformedBodies,
  malformedRequests,
  type RequestCase,
  validRequests,
} from "./testing/request-corpus";

const NEXT = "GET /next HTTP/1.1\r\nhost: gateway.test\r\n\r\n";

/** What is made of bytes that arrive cut at these places. */
async function readOutcome(sent: string, cuts: readonly number[]) {
  const { requests, socket, receive, faults } = recordRequests();
  const places = [0, ...cuts, sent.length];
  for (const [index, end] of places.slice(1).entries()) {
    receive(sent.slice(places[index], end));
    await settle();
  }
  expect(faults).toEqual([]);
  return { requests, isEnded: socket.isEnded, written: socket.written };
}

function expected({ method, url, body, headers, isPersistent = true, refused: refusedStatus }: RequestCase) {
  return ({ requests, isEnded }: Awaited<ReturnType<typeof readOutcome>>) => {
    const [first, next] = requests;
    if (refusedStatus !== undefined) {
      expect(requests).toHaveLength(1);
      expect(first).toMatchObject({ refused: refusedStatus });
      expect(isEnded).toBe(true);
      return;
    }
    const expectedRequest = {
      ...(method && { method }),
      ...(url && { url }),
      ...(body !== undefined && { body }),
    };
    expect(first).toMatchObject(expectedRequest);
    for (const [name, value] of Object.entries(headers ?? {}))
      expect([name, first?.head?.get(name)]).toEqual([name, value]);
    expect(next?.url).toBe(isPersistent ? "http://gateway.test/next" : undefined);
    expect(isEnded).toBe(!isPersistent);
  };
}

/** Every offset of a short text; some of a long one. */
function placesIn(sent: string): number[] {
  const step = sent.length > 1_000 ? 997 : 1;
  return Array.from({ length: Math.floor((sent.length - 1) / step) }, (_, index) => (index + 1) * step);
}

const byName = (cases: readonly RequestCase[]) => cases.map((one) => [one.name, one] as const);

describe("a request is read alike wherever it is cut", () => {
  test.each(byName([...validRequests, ...malformedRequests, ...malformedBodies]))("%s", async (_, one) => {
    const sent = one.refused === undefined ? one.sent + NEXT : one.sent;
    const check = expected(one);
    check(await readOutcome(sent, []));
    check(await readOutcome(sent, placesIn(sent)));
    for (const cutAt of placesIn(sent)) check(await readOutcome(sent, [cutAt]));
  });
});

test("requests in a row are read alike wherever they are cut", async () => {
  const all = validRequests.filter(({ isPersistent = true, sent }) => isPersistent && sent.length < 500);
  const sent = all.map((one) => one.sent).join("");
  const comparable = ({ requests }: Awaited<ReturnType<typeof readOutcome>>) => requests.map(withoutHead);
  const wholeOutcome = comparable(await readOutcome(sent, []));
  expect(wholeOutcome.map(({ url = "" }) => url.split("/").length > 3)).toEqual(all.map(() => true));
  for (const size of [1, 7, 64])
    expect(
      comparable(
        await readOutcome(
          sent,
          placesIn(sent).filter((offset) => offset % size === 0),
        ),
      ),
    ).toEqual(wholeOutcome);
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
    const insertion = Array.from(
      { length: random.between(0, 2) },
      () => spoilt[random.between(0, spoilt.length - 1)],
    );
    const damagedText = sent.slice(0, at) + insertion.join("") + sent.slice(at + random.between(0, 2)) + NEXT;
    const cuts = Array.from({ length: random.between(1, 5) }, () => random.between(0, damagedText.length));
    const wholeOutcome = await readOutcome(damagedText, []);
    const cutOutcome = await readOutcome(
      damagedText,
      cuts.toSorted((one, other) => one - other),
    );
    expect([damagedText, cutOutcome.requests.map(withoutHead)]).toEqual([
      damagedText,
      wholeOutcome.requests.map(withoutHead),
    ]);
  }
});

/** Whether a malformed body is refused by the server or by its reader depends on what has arrived with the head. */
function withoutHead({ method, url, body, refused: refusedStatus }: RecordedRequest) {
  return refusedStatus === undefined ? { method, url, body } : { refused: refusedStatus };
}
