import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../simulation/seeded-random";
import { brokenReplies, cutReplies } from "./broken-reply-corpus";
import { type ReplyCase, wholeReplies } from "./reply-corpus";
import { MalformedReply, type ReplyHead } from "./reply-head";
import { ReplyParser } from "./reply-parser";

const replyCases = [...wholeReplies, ...brokenReplies, ...cutReplies];

interface Outcome {
  status?: number;
  body: string;
  isEnded: boolean;
  isKept?: boolean;
  surplus: number;
  fault?: string;
}

/** Parses bytes that are split at these offsets, each part with its own memory. */
function outcomeOf(
  { sent, isClosed }: Pick<ReplyCase, "sent" | "isClosed">,
  cuts: readonly number[],
): Outcome {
  const outcome: Outcome = { body: "", isEnded: false, surplus: 0 };
  const pieces: Buffer[] = [];
  const parser = new ReplyParser({
    onHead: (head: ReplyHead) => Object.assign(outcome, { status: head.status, isKept: head.isKept }),
    onPiece: (bytes) => pieces.push(bytes),
    onEnd: () => {
      if (outcome.isEnded) throw new Error("It ended twice");
      outcome.isEnded = true;
    },
  });
  const places = [0, ...cuts, sent.length];
  try {
    places.slice(1).forEach((end, index) => {
      const bytes = Buffer.from(sent.slice(places[index], end), "latin1");
      if (parser.isOver) outcome.surplus += bytes.length;
      else outcome.surplus += bytes.length - parser.push(bytes);
    });
    if (isClosed && !parser.close()) outcome.fault = "closed";
  } catch (error) {
    if (!(error instanceof MalformedReply)) throw error;
    outcome.fault = error.message;
  }
  // Compared only now: pieces that were handed over must not be overwritten later.
  outcome.body = Buffer.concat(pieces).toString("latin1");
  return outcome;
}

function expected({ status = 200, body, fault, surplus = 0, isKept = true }: ReplyCase): object {
  if (fault) return { fault: expect.stringContaining(fault), isEnded: false, body: body ?? "" };
  return { status, body, surplus, isKept, isEnded: true };
}

/** Every offset of a short text; every hundredth offset of a long one. */
const placesIn = (sent: string) => {
  const step = sent.length > 2_000 ? 997 : 1;
  return Array.from(
    { length: Math.floor(Math.max(0, sent.length - 1) / step) },
    (_, index) => (index + 1) * step,
  );
};

describe("a reply is read alike wherever it is cut", () => {
  test.each(replyCases.map((reply) => [reply.name, reply] as const))("%s", (_name, reply) => {
    expect(outcomeOf(reply, [])).toMatchObject(expected(reply));
    for (const place of placesIn(reply.sent))
      expect(outcomeOf(reply, [place])).toMatchObject(expected(reply));
    expect(outcomeOf(reply, placesIn(reply.sent))).toMatchObject(expected(reply));
  });
});

test("reads a corrupted reply the same way wherever it is split, and ends with a reply or one fault", () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`SEED=${seed}`);
  const random = seededRandom(seed);
  const short = replyCases.filter(({ sent }) => sent.length > 0 && sent.length < 500);
  const spoilt = "\r\n\0 \t:;,0159afxAF-+\xff";
  for (let round = 0; round < 4_000; round++) {
    const { sent } = random.pick(short as [ReplyCase, ...ReplyCase[]]);
    const at = random.between(0, sent.length - 1);
    const taken = random.between(0, 2);
    const put = Array.from(
      { length: random.between(0, 2) },
      () => spoilt[random.between(0, spoilt.length - 1)],
    );
    const reply = {
      sent: sent.slice(0, at) + put.join("") + sent.slice(at + taken),
      isClosed: true,
    } as const;
    const whole = outcomeOf(reply, []);
    const cuts = Array.from({ length: random.between(1, 6) }, () => random.between(0, reply.sent.length));
    const cut = outcomeOf(
      reply,
      cuts.toSorted((one, other) => one - other),
    );
    const comparable = ({ fault, ...rest }: Outcome) => ({ ...rest, isFaulty: fault !== undefined });
    expect([reply.sent, comparable(cut)]).toEqual([reply.sent, comparable(whole)]);
  }
});
