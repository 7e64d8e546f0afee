import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../../simulation/seeded-random";
import { brokenReplies, cutReplies } from "../testing/broken-reply-corpus";
import { type ReplyCase, wholeReplies } from "../testing/reply-corpus";
import { MalformedReply, type ReplyHead, ReplyParser } from "./reply-parser";

const replyCases = [...wholeReplies, ...brokenReplies, ...cutReplies];

interface Outcome {
  status?: number;
  body: string;
  isEnded: boolean;
  isPersistent?: boolean;
  surplus: number;
  fault?: string;
}

/** Parses bytes that are split at these offsets, each part with its own memory. */
function parseOutcome(
  { sent: replyText, isClosed }: Pick<ReplyCase, "sent" | "isClosed">,
  cuts: readonly number[],
): Outcome {
  const outcome: Outcome = { body: "", isEnded: false, surplus: 0 };
  const pieces: Buffer[] = [];
  const parser = new ReplyParser({
    onHead: (head: ReplyHead) =>
      Object.assign(outcome, { status: head.status, isPersistent: head.isPersistent }),
    onPiece: (bytes) => pieces.push(bytes),
    onEnd: () => {
      if (outcome.isEnded) throw new Error("It ended twice");
      outcome.isEnded = true;
    },
  });
  const places = [0, ...cuts, replyText.length];
  try {
    places.slice(1).forEach((end, index) => {
      const bytes = Buffer.from(replyText.slice(places[index], end), "latin1");
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

function expected({ status = 200, body, fault, surplus = 0, isPersistent = true }: ReplyCase): object {
  if (fault) return { fault: expect.stringContaining(fault), isEnded: false, body: body ?? "" };
  return { status, body, surplus, isPersistent, isEnded: true };
}

/** Every offset of a short text; every hundredth offset of a long one. */
const placesIn = (replyText: string) => {
  const step = replyText.length > 2_000 ? 997 : 1;
  return Array.from(
    { length: Math.floor(Math.max(0, replyText.length - 1) / step) },
    (_, index) => (index + 1) * step,
  );
};

describe("a reply is read alike wherever it is cut", () => {
  test.each(replyCases.map((reply) => [reply.name, reply] as const))("%s", (_name, reply) => {
    expect(parseOutcome(reply, [])).toMatchObject(expected(reply));
    for (const cutAt of placesIn(reply.sent))
      expect(parseOutcome(reply, [cutAt])).toMatchObject(expected(reply));
    expect(parseOutcome(reply, placesIn(reply.sent))).toMatchObject(expected(reply));
  });
});

test("reads a corrupted reply the same way wherever it is split, and ends with a reply or one fault", () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`SEED=${seed}`);
  const random = seededRandom(seed);
  const short = replyCases.filter(({ sent: replyText }) => replyText.length > 0 && replyText.length < 500);
  const spoilt = "\r\n\0 \t:;,0159afxAF-+\xff";
  for (let round = 0; round < 4_000; round++) {
    const { sent: replyText } = random.pick(short as [ReplyCase, ...ReplyCase[]]);
    const at = random.between(0, replyText.length - 1);
    const removedLength = random.between(0, 2);
    const insertion = Array.from(
      { length: random.between(0, 2) },
      () => spoilt[random.between(0, spoilt.length - 1)],
    );
    const reply = {
      sent: replyText.slice(0, at) + insertion.join("") + replyText.slice(at + removedLength),
      isClosed: true,
    } as const;
    const wholeOutcome = parseOutcome(reply, []);
    const cuts = Array.from({ length: random.between(1, 6) }, () => random.between(0, reply.sent.length));
    const cutOutcome = parseOutcome(
      reply,
      cuts.toSorted((one, other) => one - other),
    );
    const comparable = ({ fault, ...fields }: Outcome) => ({ ...fields, isFaulty: fault !== undefined });
    expect([reply.sent, comparable(cutOutcome)]).toEqual([reply.sent, comparable(wholeOutcome)]);
  }
});
