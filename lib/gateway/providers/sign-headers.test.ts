import { expect, test } from "bun:test";
import { signHeaders } from "./sign-headers";

const request = {
  method: "POST",
  url: new URL("https://bedrock-runtime.eu-west-1.amazonaws.com/model/a%3Ab/invoke"),
  body: '{"prompt":"Hi"}',
  atMs: Date.UTC(2015, 7, 30, 12, 36),
};

test("a request is signed for the service and region that its host names", () => {
  const headers = signHeaders({ ...request, key: "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" });
  expect(headers).toMatchObject({ "x-amz-date": "20150830T123600Z" });
  expect(headers.authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/bedrock/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=7a02b14c0122866e619d018e2946af3f652f51df107d40c7b77d8fe8ca082a9c",
  );
});

test("a temporary key's token is signed with it, and each part of a request changes the signature", () => {
  const sign = (change: object) =>
    signHeaders({ ...request, key: "AKID:secret:token:with:colons", ...change }).authorization;
  expect(signHeaders({ ...request, key: "AKID:secret:token:with:colons" })).toMatchObject({
    "x-amz-security-token": "token:with:colons",
  });
  const others = [{ body: "{}" }, { method: "GET" }, { atMs: 0 }, { key: "AKID:other" }];
  const signatures = [{}, {}, ...others].map(sign);
  expect(new Set(signatures).size).toBe(others.length + 1);
});
