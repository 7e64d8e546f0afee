/** A body that is expensive to parse, and the codes that it may be refused with. */
export interface HostileBody {
  readonly name: string;
  readonly path: string;
  readonly isSigned: boolean;
  readonly codes: readonly string[];
  /** Whether it is sent without its length. */
  readonly isChunked?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  make(): string | Uint8Array<ArrayBuffer>;
}

const MIB = 1024 * 1024;
const signIn = "/organization/sign_in";
const roles = "/organization/roles";
const chat = "/chat/completions";

const fill = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length));
/** A valid request for a model that doesn't exist: the refusal says so only after the whole body was read. */
const asking = (messages: string, more = "") => `{"model":"none","messages":[${messages}]${more}}`;
const message = (content: string) => asking(`{"role":"user","content":"${content}"}`);

/** A model whose limit of tokens is below every prompt here, so that it refuses them once they were counted. */
export const NARROW_MODEL = "narrow";
const estimated = (content: string) =>
  `{"model":"${NARROW_MODEL}","messages":[{"role":"user","content":"${content}"}]}`;

function members(bytes: number): string {
  const parts: string[] = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    const part = `"${index.toString(36)}":0`;
    parts.push(part);
    length += part.length + 1;
  }
  return `{${parts.join(",")}}`;
}

const tooLarge = ["request_too_large"];
const tooMany = ["too_many_entries"];
const tooManyTokens = ["max_tokens_per_1_minute"];
const unknownModel = ["model_not_found"];

const strangers: readonly Omit<HostileBody, "isSigned">[] = [
  { name: "2,500,000 members", path: signIn, codes: tooLarge, make: () => members(25 * MIB) },
  {
    name: "members without a length",
    path: signIn,
    codes: tooLarge,
    isChunked: true,
    make: () => members(4 * MIB),
  },
  { name: "16 KiB of members", path: signIn, codes: tooMany, make: () => members(15 * 1024) },
  { name: "16 KiB of brackets", path: signIn, codes: ["too_deep"], make: () => fill("[", 15 * 1024) },
  {
    name: "16 KiB of escapes",
    path: signIn,
    codes: ["missing_field", "invalid_value"],
    make: () => `{"email":"${fill("\\u0041", 15 * 1024)}"}`,
  },
  {
    name: "a compression bomb",
    path: signIn,
    codes: ["unsupported_content_encoding", ...tooLarge],
    headers: { "content-encoding": "gzip" },
    make: () => Bun.gzipSync(new Uint8Array(8 * MIB)),
  },
  { name: "a body for callers alone", path: roles, codes: ["invalid_api_key"], make: () => members(4 * MIB) },
];

const callers: readonly Omit<HostileBody, "isSigned">[] = [
  { name: "2,500,000 members", path: chat, codes: tooMany, make: () => members(25 * MIB) },
  { name: "10,000 fields", path: chat, codes: tooMany, make: () => members(128 * 1024) },
  { name: "brackets to a depth of a million", path: chat, codes: ["too_deep"], make: () => fill("[", MIB) },
  {
    name: "shallow brackets",
    path: chat,
    codes: tooMany,
    make: () => asking("", `,"x":[${fill(`${"[".repeat(60)}${"]".repeat(60)},`, 8 * MIB)}0]`),
  },
  {
    name: "100,001 messages",
    path: chat,
    codes: tooMany,
    make: () =>
      asking(fill('{"role":"user","content":"x"},', 30 * 100_000) + '{"role":"user","content":"x"}'),
  },
  {
    name: "30,000 messages that are none",
    path: chat,
    codes: ["missing_field", "invalid_value"],
    make: () => asking(`${fill("{},", 90_000)}{}`),
  },
  {
    name: "30,000 parts that are none",
    path: chat,
    codes: ["missing_field", "invalid_value"],
    make: () => asking(`{"role":"user","content":[${fill("0,", 60_000)}0]}`),
  },
  {
    name: "30,000 messages",
    path: chat,
    codes: unknownModel,
    make: () => asking(`${fill('{"role":"user","content":"x"},', 30 * 30_000)}{"role":"user","content":"x"}`),
  },
  { name: "escapes", path: chat, codes: unknownModel, make: () => message(fill("\\u0041", 16 * MIB)) },
  { name: "escaped quotes", path: chat, codes: unknownModel, make: () => message(fill('\\"', 16 * MIB)) },
  { name: "32 MiB of text", path: chat, codes: unknownModel, make: () => message(fill("a\u00e9", 20 * MIB)) },
  {
    name: "blanks",
    path: chat,
    codes: unknownModel,
    make: () => asking('{"role":"user","content":"x"}', fill(" ", 31 * MIB)),
  },
  {
    name: "one long number",
    path: chat,
    codes: unknownModel,
    make: () => asking('{"role":"user","content":"x"}', `,"x":${fill("1", 4 * MIB)}`),
  },
  {
    name: "numbered keys",
    path: chat,
    codes: unknownModel,
    make: () =>
      asking(
        '{"role":"user","content":"x"}',
        `,"x":{${Array.from({ length: 50_000 }, (_, index) => `"${index * 7919}":0`).join(",")}}`,
      ),
  },
  {
    name: "one key again and again",
    path: chat,
    codes: ["invalid_value"],
    make: () => asking('{"role":"user","content":"x"}', `,"x":{"a":0${fill(',"a":0', 400_000)}}`),
  },
  {
    name: "marks upon marks",
    path: chat,
    codes: tooManyTokens,
    make: () => estimated(fill("\u0323\u0301", 100 * 1024)),
  },
  {
    name: "megabytes of marks and ligatures",
    path: chat,
    codes: tooManyTokens,
    make: () => estimated(fill("\u0323\u0301\ufdfa", 8 * MIB)),
  },
  {
    name: "a field twice",
    path: chat,
    codes: ["invalid_value"],
    make: () => `{"model":"none","model":"${fill("x", 8 * MIB)}"}`,
  },
  {
    name: "a long name of a model",
    path: chat,
    codes: ["invalid_value"],
    make: () => `{"model":"${fill("x", 8 * MIB)}","messages":[{"role":"user","content":"x"}]}`,
  },
  {
    name: "an administrator's body",
    path: roles,
    codes: [...tooLarge, "missing_permission"],
    make: () => members(4 * MIB),
  },
];

/** The worst bodies that we could think of, sent by strangers and with a project's key. */
export const hostileBodies: readonly HostileBody[] = [
  ...strangers.map((body) => ({ ...body, isSigned: false })),
  ...callers.map((body) => ({ ...body, isSigned: true })),
];
