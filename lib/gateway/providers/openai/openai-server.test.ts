import { expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { signHeaders } from "./openai-server";

const KEY = "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const request = {
  method: "POST",
  url: new URL("https://bedrock-runtime.eu-west-1.amazonaws.com/model/a%3Ab/invoke"),
  body: '{"prompt":"Hi"}',
  atMs: Date.UTC(2015, 7, 30, 12, 36),
  key: KEY,
};

const hash = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

/** The signature by the steps that AWS documents, of a POST whose path has no sign that is encoded twice. */
function signByHand(path: string, body: string | Uint8Array, region: string): string {
  const headers = `host:bedrock-runtime.${region}.amazonaws.com\nx-amz-date:20150830T123600Z\n`;
  const canonical = ["POST", path, "", headers, "host;x-amz-date", hash(body)].join("\n");
  const scope = ["20150830", region, "bedrock", "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", "20150830T123600Z", scope.join("/"), hash(canonical)].join("\n");
  const secret = `AWS4${KEY.slice(KEY.indexOf(":") + 1)}`;
  const sign = (by: Buffer | string, words: string) => createHmac("sha256", by).update(words).digest();
  return sign(scope.reduce<Buffer | string>(sign, secret), text).toString("hex");
}

test("a request is signed for the service and region that its host names, as AWS documents it", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(100_000).subarray(0, 65_536));
  for (const region of ["eu-west-1", "us-east-1"])
    for (const body of [request.body, "", "Zürich – 日本", bytes]) {
      const url = new URL(`https://bedrock-runtime.${region}.amazonaws.com/openai/v1/chat/completions`);
      const headers = await signHeaders({ ...request, url, body });
      expect(headers["x-amz-date"]).toBe("20150830T123600Z");
      expect(headers.authorization).toBe(
        `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/${region}/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signByHand(url.pathname, body, region)}`,
      );
    }
});

test("a path that is encoded is encoded once more in what is signed", async () => {
  const { authorization = "" } = await signHeaders(request);
  expect(authorization).toEndWith(
    `Signature=${signByHand("/model/a%253Ab/invoke", request.body, "eu-west-1")}`,
  );
});

test("a temporary key's token is signed with it, and each part of a request changes the signature", async () => {
  const key = "AKID:secret:token:with:colons";
  const sign = async (change: object) => (await signHeaders({ ...request, key, ...change })).authorization;
  expect(await signHeaders({ ...request, key })).toMatchObject({
    "x-amz-security-token": "token:with:colons",
  });
  const others = [{ body: "{}" }, { method: "GET" }, { atMs: 0 }, { key: "AKID:other" }];
  const signatures = await Promise.all([{}, {}, ...others].map(sign));
  expect(new Set(signatures).size).toBe(others.length + 1);
});
